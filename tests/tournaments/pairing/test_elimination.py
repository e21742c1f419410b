"""Brackets from 2 to 128: seeding, byes, drop-ins, results played to the end, places."""

import random
from collections import Counter
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.refusals import refusal
from tournaments.pairing.brackets.elimination import (
    DROP_FLIPS,
    Side,
    Source,
    double_elimination,
    seed_order,
    single_elimination,
)
from tournaments.pairing.brackets.filled import MatchState, fill_bracket

fields = st.lists(st.integers(1, 10**6), min_size=2, max_size=128, unique=True)


def play_out(bracket, chance):
    """Results by chance until nothing is left to play: the end, and the matches with their winners in order."""
    results, met = {}, []
    while playable := fill_bracket(bracket, results).playable:
        each = chance.choice(playable)
        results[each.match.id] = chance.choice(each.seats)
        met.append((each, results[each.match.id]))
    return fill_bracket(bracket, results), met


def check_losses(filled, met, entrants, most):
    """Nobody plays on after the last loss that is allowed, everybody but the champion has come to it."""
    losses = Counter()
    for each, winner in met:
        assert all(losses[seat] < most for seat in each.seats)
        losses[next(seat for seat in each.seats if seat != winner)] += 1
    assert all(losses[one] == most for one in entrants if one != filled.champion)


def check_places(filled, entrants):
    assert sorted(placing.entrant for placing in filled.placings) == sorted(entrants)
    shared = Counter((placing.first, placing.last) for placing in filled.placings)
    assert all(last - first + 1 == count for (first, last), count in shared.items())
    covered = [place for first, last in shared for place in range(first, last + 1)]
    assert sorted(covered) == list(range(1, len(entrants) + 1))


@settings(max_examples=60, deadline=None)
@given(fields, st.randoms(use_true_random=False))
def test_single_elimination_ends_after_one_match_less_than_entrants(entrants, chance):
    filled, met = play_out(single_elimination(entrants), chance)
    assert len(met) == len(entrants) - 1
    check_losses(filled, met, entrants, 1)
    check_places(filled, entrants)


@settings(max_examples=40, deadline=None)
@given(fields, st.randoms(use_true_random=False))
def test_third_place_match_splits_the_losers_of_the_semi_finals(entrants, chance):
    bracket = single_elimination(entrants, third_place=True)
    filled, met = play_out(bracket, chance)
    assert len(met) == len(entrants) - 1 + (len(entrants) > 3)
    check_places(filled, entrants)
    assert [placing.last for placing in filled.placings[:4]] == [1, 2, 3, 4][: len(entrants)]


@settings(max_examples=60, deadline=None)
@given(fields, st.booleans(), st.randoms(use_true_random=False))
def test_double_elimination_lets_everybody_lose_twice(entrants, reset, chance):
    filled, met = play_out(double_elimination(entrants, reset=reset), chance)
    states = {each.match.id: each.state for each in filled.matches}
    again = states.get("F2-1") is MatchState.PLAYED
    assert len(met) == 2 * len(entrants) - 2 + again
    check_places(filled, entrants)
    if reset:
        check_losses(filled, met, entrants, 2)


@settings(max_examples=40, deadline=None)
@given(st.lists(st.booleans(), min_size=2, max_size=40), st.booleans(), st.randoms(use_true_random=False))
def test_seeds_that_nobody_takes_are_byes(taken, double, chance):
    taken[0] = taken[-1] = True
    seeds = [number if here else None for number, here in enumerate(taken, 1)]
    entrants = [seed for seed in seeds if seed]
    build = double_elimination if double else single_elimination
    filled, met = play_out(build(seeds), chance)
    assert filled.champion in entrants
    assert len(met) - len(entrants) + 1 in ((len(entrants) - 1, len(entrants)) if double else (0,))
    check_places(filled, entrants)


@pytest.mark.sampled(5)
@pytest.mark.parametrize("size", range(2, 129))
def test_top_seeds_stand_apart_and_get_the_byes(size):
    bracket = single_elimination(range(1, size + 1))
    first = [match for match in bracket.matches if match.round == 1]
    rows = [[slot.seed for slot in match.slots if slot.source is Source.SEED] for match in first]
    byes = sorted(row[0] for row in rows if len(row) == 1)
    assert byes == list(range(1, 2 * len(first) - size + 1))
    assert all(row == sorted(row) for row in rows)
    parts = 2
    while parts <= len(first):
        step = len(first) // parts
        tops = [min(min(rows[place + row]) for row in range(step)) for place in range(0, len(first), step)]
        assert sorted(tops) == list(range(1, parts + 1))
        parts *= 2


def test_without_upsets_the_best_two_meet_in_the_final():
    filled = fill_bracket(single_elimination(range(1, 17)), {})
    results = {}
    while filled.playable:
        results |= {each.match.id: min(each.seats) for each in filled.playable}
        filled = fill_bracket(single_elimination(range(1, 17)), results)
    assert [(each.entrant, each.first, each.last) for each in filled.placings] == [
        (1, 1, 1), (2, 2, 2), (3, 3, 4), (4, 3, 4), *((one, 5, 8) for one in range(5, 9)),
        *((one, 9, 16) for one in range(9, 17)),
    ]  # fmt: skip
    assert filled.matches[-1].seats == (1, 2)


def test_eight_entrants_are_seeded_as_everywhere():
    assert seed_order(8) == [1, 8, 5, 4, 3, 6, 7, 2]


def meetings(rounds, flips):
    """How likely two meet a second time in each round of the losers' bracket, every match an even chance."""
    drop = {1: 0, rounds: 0, **dict(enumerate(flips, 2))}
    chance = [0] * (2 * rounds)
    for later in range(2, rounds + 1):
        for earlier in range(1, later):
            apart = (drop[later] ^ (drop[earlier] >> (later - earlier))).bit_length()
            enters, entered = 2 * later - 2, max(1, 2 * earlier - 2)
            meet = enters + 2 * apart - 1 if apart else enters
            chance[meet] += 2.0 ** (rounds - later - 2 * meet + enters + entered)
    return chance


@pytest.mark.parametrize("rounds", DROP_FLIPS)
def test_no_other_flips_let_rematches_come_later(rounds):
    choices = product(*(range(2 ** (rounds - number)) for number in range(2, rounds)))
    assert meetings(rounds, DROP_FLIPS[rounds]) == min(meetings(rounds, flips) for flips in choices)


@pytest.mark.parametrize(("size", "free_rounds"), [(8, 2), (16, 3), (32, 4), (64, 6), (128, 7)])
def test_nobody_meets_again_before_the_late_rounds_of_the_losers_bracket(size, free_rounds, seed):
    chance = random.Random(f"{seed} {size}")
    bracket = double_elimination(range(1, size + 1))
    for _event in range(4):
        _, met = play_out(bracket, chance)
        before = set()
        for each, _winner in met:
            pair = frozenset(each.seats)
            early = each.match.side is Side.LOSERS and each.match.round <= free_rounds
            assert not (early and pair in before)
            before.add(pair)


def test_the_grand_final_is_played_again_only_when_the_losers_bracket_takes_it():
    bracket = double_elimination([10, 20])
    once = fill_bracket(bracket, {"W1-1": 10, "F1-1": 10})
    assert (once.champion, once.matches[-1].state) == (10, MatchState.NOT_NEEDED)
    twice = fill_bracket(bracket, {"W1-1": 10, "F1-1": 20})
    assert twice.champion is None
    assert [each.match.id for each in twice.playable] == ["F2-1"]
    assert fill_bracket(bracket, {"W1-1": 10, "F1-1": 20, "F2-1": 20}).champion == 20
    assert fill_bracket(double_elimination([10, 20], reset=False), {"W1-1": 10, "F1-1": 20}).champion == 20


def test_byes_reach_into_the_losers_bracket():
    bracket = double_elimination([1, 2, 3, 4, 5])
    walkovers = [match.id for match in bracket.matches if match.walkover]
    assert walkovers == ["W1-1", "W1-3", "W1-4", "L1-1", "L1-2", "L2-2"]
    assert [match.round for match in bracket.matches if match.side is Side.LOSERS] == [1, 1, 2, 2, 3, 4]


@pytest.mark.parametrize(
    ("results", "code"),
    [
        ({"W9-1": 1}, "unknown_match"),
        ({"W2-1": 1}, "match_not_ready"),
        ({"W1-2": 1}, "not_in_match"),
        ({"W1-1": 1}, "match_without_result"),
        ({"W1-2": 2, "W2-1": 1, "L2-1": 2, "F1-1": 1, "F2-1": 1}, "match_without_result"),
    ],
)
def test_results_that_do_not_fit_are_refused(results, code):
    assert refusal(fill_bracket, double_elimination([1, 2, 3]), results) == code


@pytest.mark.parametrize(
    ("seeds", "code"),
    [([], "bad_bracket_size"), ([1], "bad_bracket_size"), ([1, None], "bad_bracket_size"),
     (range(129), "bad_bracket_size"), ([1, 2, 1], "repeated_entrant")],
)  # fmt: skip
def test_fields_that_make_no_bracket_are_refused(seeds, code):
    for build in (single_elimination, double_elimination):
        assert refusal(build, seeds) == code

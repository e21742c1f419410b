"""Which results are lawful (docs/how-it-works/trust.md#r6), against an oracle that plays matches game by game."""

from contextlib import nullcontext
from fractions import Fraction
from itertools import groupby, permutations, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules_engine.errors import DomainError
from scoring.standings.records import Outcome
from scoring.standings.result_checks import check_game_facts, check_result
from scoring.standings.results import (
    GAME_LOSS,
    GameResult,
    MatchLength,
    MatchResult,
    ResultKind,
    match_loss,
    no_show,
    table_result,
    with_game_losses,
    with_match_loss,
)
from tests.refusals import refusal

LENGTHS = [MatchLength(1), MatchLength(3), MatchLength(5), MatchLength(2, exactly=True), MatchLength(3, exactly=True)]
BEST_OF_3 = MatchLength(3)


def accepts(result, seats, length, **facts):
    try:
        check_result(result, seats, length, **facts)
    except DomainError:
        return False
    return True


def reachable(length):
    """Every score that games played one after the other can lead to, also when time runs out."""
    found, edge = set(), {(0, 0, 0)}
    while edge:
        edge = {after for score in edge for after in _one_more(score, length)} - found
        found |= edge
    return found


def _one_more(score, length):
    one, other, drawn = score
    if length.exactly and sum(score) == length.games:
        return
    if not length.exactly and max(one, other) > length.games // 2:
        return
    yield from ((one + 1, other, drawn), (one, other + 1, drawn))
    if drawn < length.games:
        yield one, other, drawn + 1


@pytest.mark.parametrize("length", LENGTHS, ids=str)
def test_played_scores_are_those_that_games_lead_to(length):
    lawful = reachable(length)
    for score in product(range(-1, length.games + 3), repeat=3):
        assert accepts(MatchResult(ResultKind.PLAYED, score[:2], score[2]), 2, length) == (score in lawful), score


def weak_orders(seats):
    """Every ranking with ties of so many seats, as groups tell it: the place of a group is how many stand above."""
    for order in set(permutations([mark for mark in range(seats) for _copy in range(seats)], seats)):
        places, above = {}, 0
        for mark, group in groupby(sorted(order)):
            places[mark], above = above + 1, above + len(list(group))
        yield tuple(places[mark] for mark in order)


@pytest.mark.parametrize("seats", [3, 4])
def test_places_of_a_table_are_rankings_with_ties(seats):
    lawful = set(weak_orders(seats))
    for places in product(range(seats + 2), repeat=seats):
        result = table_result(places)
        assert accepts(result, seats, BEST_OF_3) == (places in lawful), places
        if places in lawful:
            firsts = places.count(1)
            assert result.outcomes.count(Outcome.WIN) == (0 if firsts == seats else firsts)


@given(st.lists(st.tuples(st.integers(1, 4), st.integers(-4, 4)), min_size=3, max_size=4))
def test_scores_agree_with_places(rows):
    places, scores = tuple(place for place, _score in rows), tuple(Fraction(score, 2) for _place, score in rows)
    fits = accepts(table_result(places), len(rows), BEST_OF_3) and all(
        (one[1] <= other[1] if one[0] > other[0] else one[1] == other[1])
        for one, other in product(rows, rows)
        if one[0] >= other[0]
    )
    assert accepts(table_result(places, scores), len(rows), BEST_OF_3) == fits
    assert accepts(table_result(scores=scores), len(rows), BEST_OF_3)


@pytest.mark.parametrize("score", [Fraction(1, 3), Fraction(100_000), Fraction(-100_000)])
def test_scores_are_tenths_within_bounds(score):
    assert not accepts(table_result(scores=(score, Fraction(0), Fraction(1))), 3, BEST_OF_3)


def test_absent_seats_share_the_last_place():
    assert accepts(table_result([1, 2, 3, 3], absent=(2, 3)), 4, BEST_OF_3)
    for places, absent in (([1, 2, 3, 4], (2, 3)), ([1, 3, 2, 3], (0, 3)), ([1, 1, 1], (2,)), ([1, 2, 2], (2,))):
        assert not accepts(table_result(places, absent=absent), len(places), BEST_OF_3)


@pytest.mark.parametrize(
    "result",
    [
        MatchResult(ResultKind.BYE, (2, 0)),
        MatchResult(ResultKind.DOUBLE_LOSS, (1, 0)),
        MatchResult(ResultKind.NO_SHOW, (1, 0), absent=(1,)),
        MatchResult(ResultKind.MATCH_LOSS, (2, 0)),
        MatchResult(ResultKind.MATCH_LOSS, (1, 0), penalised=(1,)),
        MatchResult(ResultKind.MATCH_LOSS, (0, 0), penalised=(0, 1)),
        MatchResult(ResultKind.NO_SHOW, (2, 0), absent=(1, 1)),
        MatchResult(ResultKind.PLAYED, (1, 0, 0)),
    ],
)
def test_what_was_not_played_counts_as_the_rules_say(result):
    assert not accepts(result, len(result.games_won), BEST_OF_3)


@pytest.mark.parametrize("result", [MatchResult(ResultKind.PLAYED, (1, 1)), no_show(2, (0, 1), BEST_OF_3)])
def test_bracket_match_needs_a_winner(result):
    assert accepts(result, 2, BEST_OF_3)
    assert refusal(check_result, result, 2, BEST_OF_3, needs_winner=True) == "needs_a_winner"
    assert accepts(match_loss(0, BEST_OF_3), 2, BEST_OF_3, needs_winner=True)


def test_single_game_is_won_by_somebody_at_the_table():
    for stranger in (2, 5, -1):
        games = (GameResult(stranger), GameResult(0), GameResult(0))
        assert not accepts(MatchResult(ResultKind.PLAYED, (2, 0), games=games), 2, BEST_OF_3)


def test_no_game_follows_a_decided_match():
    games = (GameResult(0), GameResult(0), GameResult(1))
    assert not accepts(MatchResult(ResultKind.PLAYED, (2, 1), games=games), 2, BEST_OF_3)
    assert accepts(MatchResult(ResultKind.PLAYED, (2, 1), games=games[::-1]), 2, BEST_OF_3)
    assert accepts(MatchResult(ResultKind.PLAYED, (2, 1), games=games), 2, MatchLength(3, exactly=True))


@pytest.mark.parametrize(
    ("game", "good"),
    [
        (GameResult(0, "necromancer", ("necromancer", "paladin")), True),
        (GameResult(1, "necromancer", ("necromancer", "paladin")), False),
        (GameResult(0, "necromancer"), True),
        (GameResult(0, GAME_LOSS), True),
        (GameResult(0, "master_plan"), False),
        (GameResult(None, "time"), False),
        (GameResult(None, "", ("paladin", "necromancer")), True),
        (GameResult(0, "", ("paladin", "paladin")), False),
    ],
)
def test_games_fit_the_game_system(game, good):
    with nullcontext() if good else pytest.raises(DomainError, match="Game 1"):
        check_game_facts([game], ("necromancer", "paladin", "time"), ("necromancer", "paladin"))


@pytest.mark.parametrize(
    ("kind", "won", "scores", "fits"),
    [
        (ResultKind.PLAYED, (2, 1), (44, 59), True),
        (ResultKind.PLAYED, (1, 2), (0, 0), True),
        (ResultKind.PLAYED, (3, 1), (44, 59), False),
        (ResultKind.PLAYED, (2, 1), (44,), False),
        (ResultKind.PLAYED, (2, 1), (44, 100_000), False),
        (ResultKind.PLAYED, (1, 1, 1), (4, 5, 6), False),
        (ResultKind.DOUBLE_LOSS, (0, 0), (4, 5), False),
        (ResultKind.INTENTIONAL_DRAW, (0, 0), (4, 5), False),
    ],
)
def test_scores_without_places_are_of_two_who_played_several_games(kind, won, scores, fits):
    drawn = BEST_OF_3.games if kind is ResultKind.INTENTIONAL_DRAW else 0
    result = MatchResult(kind, won, drawn, scores=tuple(map(Fraction, scores)))
    assert accepts(result, len(won), BEST_OF_3) == fits


@pytest.mark.parametrize("length", LENGTHS, ids=str)
@pytest.mark.parametrize("losses", [1, 2])
def test_penalties_turn_a_lawful_result_into_a_lawful_one_that_shows_them(length, losses):
    for one, other, drawn in reachable(length):
        before = MatchResult(ResultKind.PLAYED, (one, other), drawn)
        after = with_game_losses(before, 0, losses, length)
        counted = min(losses, length.wins_needed)
        check_result(after, 2, length, game_losses={0: counted})
        assert after == with_game_losses(after, 0, losses, length)
        assert after.games_won[0] <= one
        lost = with_match_loss(before, 0, 2, length)
        check_result(lost, 2, length, match_losses=(0,))
        assert lost.outcomes == (Outcome.LOSS, Outcome.WIN)


@pytest.mark.parametrize(("length", "won"), [(MatchLength(1), (0, 1)), (BEST_OF_3, (1, 2))], ids=str)
def test_more_game_losses_than_a_match_has_games_to_lose_leave_results_that_can_be(length, won):
    assert accepts(MatchResult(ResultKind.PLAYED, won), 2, length, game_losses={0: 3})
    assert not accepts(MatchResult(ResultKind.PLAYED, won[::-1]), 2, length, game_losses={0: 3})

"""Seating of tables against plain exhaustive search, an independent checker, whole events, and itself elsewhere."""

import json
import os
import random
import subprocess
import sys
from dataclasses import astuple, replace
from itertools import combinations, permutations

import hypothesis
import pytest
from hypothesis import settings
from hypothesis import strategies as st

from tests.tournaments.pairing.table_checker import check_tables, recount
from tournaments.pairing.pods.bounds import cut_evenly
from tournaments.pairing.pods.contenders import Remainder, SeatedRound, TableContender, TableInput, TablePolicy
from tournaments.pairing.pods.costs import tables_cost
from tournaments.pairing.pods.fairness import PlayedTables, contenders_from, fairness_of
from tournaments.pairing.pods.pods import seat_tables
from tournaments.pairing.pods.sizes import BYES_FORCED, TOO_FEW, TableSizes, table_sizes
from tournaments.pairing.swiss.contenders import Apart
from tournaments.pairing.swiss.matching import assign_least

POINTS = (4, 2, 1, 0, 0, 0)


@st.composite
def policies(draw):
    least, preferred, most = sorted(draw(st.lists(st.integers(2, 6), min_size=3, max_size=3)))
    return TablePolicy(
        preferred,
        least,
        most,
        draw(st.sampled_from(Remainder)),
        balance=draw(st.booleans()),
        clubs=draw(st.sampled_from(Apart)),
        teams=draw(st.sampled_from(Apart)),
        primary_targets=draw(st.booleans()),
    )


@st.composite
def inputs(draw, most=9):
    """Histories that rounds could leave, and some that they could not."""
    ids = list(range(1, draw(st.integers(0, most)) + 1))
    chance = random.Random(draw(st.integers(0, 2**32)))
    contenders = []
    for one in ids:
        others = [other for other in ids if other != one]
        met = tuple(chance.choice(others) for _ in range(chance.randrange(9))) if others else ()
        contenders.append(
            TableContender(
                one,
                chance.randrange(-2, 7),
                met,
                tuple(chance.randrange(3) for _ in range(chance.randrange(7))),
                chance.randrange(3),
                chance.randrange(3) // 2,
                met[: chance.randrange(3)],
                chance.choice([None, "A", "B"]),
                chance.choice([None, None, "X", "Y"]),
                tuple(chance.sample(others, min(len(others), chance.choice([0, 0, 0, 1])))),
                chance.random() < 0.05,
            )
        )
    free = [each.id for each in contenders if not each.awarded_bye]
    locked = (tuple(free[:3]),) if len(free) > 3 and chance.random() < 0.2 else ()
    return TableInput(tuple(contenders), draw(policies()), draw(st.integers(0, 2**32)), locked)


def groupings(field, sizes, byes):
    """Every way to fill tables of these sizes and byes: (tables, those who sit out)."""
    if byes:
        for out in combinations(field, byes):
            for tables, _ in groupings([each for each in field if each not in out], sizes, 0):
                yield tables, out
    elif not field:
        yield [], ()
    else:
        for size in sorted(set(sizes)):
            fewer = list(sizes)
            fewer.remove(size)
            for others in combinations(field[1:], size - 1):
                table = (field[0], *others)
                for tables, out in groupings([each for each in field if each not in table], fewer, 0):
                    yield [table, *tables], out


def cost_of(given, tables, byes=()):
    return astuple(recount(given, SeatedRound(tuple(tables), tuple(byes), (), None, None, False, "", 0, "", "")))


def exhaustive_cost(given):
    """The least cost of all seatings in all seat orders, term by term."""
    locked = {seat for table in given.locked for seat in table}
    field = [each.id for each in given.contenders if not each.awarded_bye and each.id not in locked]
    asked = table_sizes(len(field), given.policy)
    known = {}

    def best_of(table):
        if table not in known:
            known[table] = min(cost_of(given, [order]) for order in permutations(table))
        return known[table]

    def total(tables, byes):
        parts = [cost_of(given, given.locked, byes), *map(best_of, tables)]
        return tuple(map(sum, zip(*parts, strict=True)))

    return min(total(tables, byes) for tables, byes in groupings(field, asked.sizes, asked.byes))


@settings(max_examples=80, deadline=None)
@hypothesis.given(inputs())
def test_small_fields_cost_what_exhaustive_search_finds_in_every_term(given):
    seated = seat_tables(given)
    assert astuple(seated.cost) == exhaustive_cost(given)
    assert seated.proved
    assert check_tables(given, seated) == []


@settings(max_examples=80, deadline=None)
@hypothesis.given(inputs(most=45))
def test_every_seating_is_sound_and_claims_its_cost(given):
    assert check_tables(given, seat_tables(given)) == []


@pytest.mark.parametrize("search", ["annealed", "greedy"])
def test_search_never_undercuts_the_proof_and_rarely_misses_repeats(monkeypatch, search):
    """The search of larger fields, on fields small enough to know the answer."""
    missed = 0
    for seed in range(12):
        *_, (given, exact) = play_event(12, 5, TablePolicy(balance=seed % 2 == 0), seed)
        with monkeypatch.context() as patch:
            patch.setattr("tournaments.pairing.pods.pods.EXACT_WORK", 0)
            if search == "greedy":
                patch.setattr("tournaments.pairing.pods.search.ANNEALED", 0)
            found = seat_tables(given)
        assert check_tables(given, found) == []
        assert found.bound <= exact.cost <= found.cost
        missed += found.cost.repeats > exact.cost.repeats
    assert missed <= (1 if search == "annealed" else 8)


def play_event(size, rounds, policy, seed, drops=0.0, late=0):
    """A whole event; yields each round's input and seating."""
    chance = random.Random(seed)
    skill = {each: chance.gauss(0, 1) for each in range(size + late)}
    score = dict.fromkeys(range(size), 0)
    played = []
    for number in range(rounds):
        if number == 1:
            score |= dict.fromkeys(range(size, size + late), 0)
        active = [TableContender(each, points) for each, points in score.items()]
        given = TableInput(contenders_from(played, active, policy.preferred), policy, seed * 1000 + number)
        seated = seat_tables(given)
        yield given, seated
        played.append(PlayedTables(seated.tables, seated.byes))
        for table in seated.tables:
            ranked = sorted(table, key=lambda each: -skill[each] - chance.gauss(0, 1))
            for each, points in zip(ranked, POINTS, strict=False):
                score[each] += points
        for each in seated.byes:
            score[each] += POINTS[0]
        score = {each: points for each, points in score.items() if chance.random() >= drops}


@pytest.mark.sampled(4)
@pytest.mark.parametrize("preferred", [2, 3, 4, 5, 6])
@pytest.mark.parametrize("remainder", Remainder)
def test_whole_events_are_sound_with_drops_and_late_entries(preferred, remainder):
    for size in ((5, 11, 14), (7, 23), (8, 31))[preferred % 3]:
        policy = TablePolicy(
            preferred, max(2, preferred - 1), min(6, preferred + 1), remainder, primary_targets=size % 2 == 0
        )
        for given, seated in play_event(size, 4, policy, size, drops=0.06, late=size % 4):
            assert check_tables(given, seated) == []


@pytest.mark.parametrize("balance", [False, True])
def test_three_rounds_of_fours_repeat_nothing_from_21_contenders_on(balance):
    for size in [*range(21, 30), 33, 64]:
        assert [seated.cost.repeats for _, seated in play_event(size, 3, TablePolicy(balance=balance), size)] == [0] * 3


@pytest.mark.parametrize(("size", "most_repeats"), [(12, 9), (20, 12), (24, 0), (48, 0), (96, 0)])
def test_three_rounds_repeat_no_more_than_the_archon_engine(size, most_repeats):
    """What krcg 4.19 reaches with 20,000 iterations (docs/how-it-works/pairing.md#pods), in tables of four and five."""
    policy = TablePolicy(5, 4, 5, balance=False, primary_targets=True)
    played = [PlayedTables(seated.tables) for _, seated in play_event(size, 3, policy, size)]
    assert fairness_of(played).repeats <= most_repeats


def test_large_field_spreads_little_and_repeats_nothing():
    """Five rounds of 500: like scores together within a seventh of what no seating can undercut."""
    for given, seated in play_event(500, 5, TablePolicy(), 1):
        assert check_tables(given, seated) == []
        assert seated.cost.repeats == 0
        assert seated.cost.spread <= 1.15 * seated.bound.spread


def test_byes_go_to_those_who_had_fewest_then_to_the_lowest():
    policy = TablePolicy(4, 4, 4, Remainder.BYES)
    contenders = [TableContender(each, score=each, byes=int(each < 3)) for each in range(1, 24)]
    assert seat_tables(TableInput(tuple(contenders), policy)).byes == (3, 4, 5)


def test_kept_apart_share_no_table_while_others_are_left():
    contenders = [TableContender(each, apart=(1,) if each in (2, 3, 4) else ()) for each in range(1, 25)]
    seated = seat_tables(TableInput(tuple(contenders)))
    table = next(table for table in seated.tables if 1 in table)
    assert not {2, 3, 4} & set(table)
    assert seated.cost.forbidden_pairs == 0


def test_those_who_sat_at_odd_tables_are_spared_the_next():
    contenders = [TableContender(each, off_size=int(each <= 15)) for each in range(1, 24)]
    seated = seat_tables(TableInput(tuple(contenders)))
    assert min(next(table for table in seated.tables if len(table) == 3)) > 15


def test_third_meeting_costs_more_than_three_second_ones():
    met_twice = replace(TableContender(1), opponents=(2, 2))
    given = TableInput((met_twice, TableContender(2), TableContender(3, opponents=(1,))), TablePolicy(3, 3, 3))
    assert tables_cost(given, [(1, 2, 3)], ()).repeats == 4 + 1


def test_locked_table_stands_as_it_was_seated():
    contenders = tuple(TableContender(each, score=each) for each in range(1, 31))
    given = TableInput(contenders, locked=((30, 1, 15, 2),))
    seated = seat_tables(given)
    assert (30, 1, 15, 2) in seated.tables
    assert check_tables(given, seated) == []


@pytest.mark.parametrize(("count", "fault"), [(0, ""), (1, TOO_FEW), (3, TOO_FEW), (5, BYES_FORCED)])
def test_impossible_sizes_are_answered_and_said(count, fault):
    given = TableInput(tuple(map(TableContender, range(count))), TablePolicy(4, 4, 4))
    seated = seat_tables(given)
    assert seated.fault == fault
    assert check_tables(given, seated) == []


def test_cost_of_a_seating_by_hand_tells_wrong_sizes():
    given = TableInput(tuple(map(TableContender, range(8))))
    assert tables_cost(given, [(0, 1, 2), (3, 4, 5, 6, 7)], ()).wrong_sizes == 2
    assert tables_cost(given, [(0, 1, 2, 3), (4, 5, 6, 7)], ()).wrong_sizes == 0


def test_no_seating_spreads_less_than_the_best_cut():
    """All multisets of small scores, with sizes that differ by one and with byes."""
    chance = random.Random(5)
    for sizes, byes in (((2, 3), 0), ((3, 4), 0), ((2, 2, 3), 0), ((2, 3), 1), ((3, 3), 2)):
        for _ in range(120):
            scores = [chance.choice((chance.randrange(3), chance.randrange(40))) for _ in range(sum(sizes) + byes)]
            least = min(
                sum((scores[one] - scores[two]) ** 2 for table in tables for one, two in combinations(table, 2))
                for tables, _ in groupings(list(range(len(scores))), sizes, byes)
            )
            cut, cut_sizes = cut_evenly(scores, TableSizes(tuple(sorted(sizes, reverse=True)), byes))
            assert cut == least
            assert sorted(cut_sizes) == sorted(sizes)


def test_assignment_costs_least():
    chance = random.Random(2)
    for _ in range(60):
        costs = [[chance.randrange(30) << 70 for _ in range(5)] for _ in range(5)]
        least = min(sum(costs[row][column] for row, column in enumerate(order)) for order in permutations(range(5)))
        assert sum(costs[row][column] for row, column in enumerate(assign_least(costs))) == least


def test_input_is_read_back_as_it_was_written_in_any_order():
    *_, (given, seated) = play_event(30, 3, TablePolicy(clubs=Apart.SOFT, primary_targets=True), 3)
    shuffled = replace(given, contenders=tuple(reversed(given.contenders)))
    again = TableInput.from_dict(json.loads(json.dumps(shuffled.as_dict())))
    assert again.digest() == given.digest()
    assert seat_tables(again) == seat_tables(shuffled) == seated


ELSEWHERE = """
import json, sys
from dataclasses import asdict
from tournaments.pairing.pods.contenders import TableInput
from tournaments.pairing.pods.pods import seat_tables
print([json.dumps(asdict(seat_tables(TableInput.from_dict(each)))) for each in json.load(sys.stdin)])
"""


def test_processes_with_other_hash_seeds_agree_to_the_byte():
    given = []
    for size in (12, 22, 150):
        *_, (last, _) = play_event(size, 4, TablePolicy(primary_targets=True), 9)
        clubbed = (replace(each, club=str(each.id % 5)) for each in last.contenders)
        given.append(replace(last, contenders=tuple(clubbed), policy=replace(last.policy, clubs=Apart.SOFT)).as_dict())
    answers = {
        subprocess.run(
            [sys.executable, "-c", ELSEWHERE],
            input=json.dumps(given),
            capture_output=True,
            text=True,
            check=True,
            env=os.environ | {"PYTHONHASHSEED": seed, "PYTHONPATH": "."},
        ).stdout
        for seed in ("1", "77")
    }
    assert len(answers) == 1

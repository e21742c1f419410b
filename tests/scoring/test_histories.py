"""Random histories: against the naive second computation, arrays against plain loops, derivations added up again."""

from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from math import prod
from random import Random

import pytest

from scoring.standings.derivations import CODES, NOTES, Operation
from scoring.standings.explanations import derive_in, first_difference
from scoring.standings.presets import PRESETS
from scoring.standings.records import MatchKind, Rounding, ScoringPolicy
from scoring.standings.result_table import ResultTable, add_up
from scoring.standings.standings import compute_standings, rank_field
from scoring.standings.tiebreakers import INNER, TIEBREAKERS, column_of, lines_of
from scoring.standings.vectors import add_up_vectors
from tests.scoring.histories import history
from tests.scoring.naive import Naive

OTHERS = (
    ScoringPolicy(gw_floored=False, bye_in_own_match_pct=False, bye_in_own_game_pct=False, floor=Fraction(33, 100)),
    ScoringPolicy(
        game_loss=1, loss=1, bye=2, round_weights=(Fraction(1), Fraction(1, 2), Fraction(0)), bye_opponents=2
    ),
    ScoringPolicy(win=2, requested_bye=1, bye=2, point_unit=2, rounding=Rounding.DOWN, tiebreakers=("head_to_head",)),
)
POLICIES = (*(preset.policy for preset in PRESETS.values()), *OTHERS)


def every_key(policy, seed):
    """A policy that ranks by its own keys and then by all others."""
    rest = [key for key in TIEBREAKERS if key not in policy.tiebreakers]
    Random(seed).shuffle(rest)
    return replace(policy, tiebreakers=(*policy.tiebreakers, *rest))


def check_against_naive(seed):
    policy = every_key(POLICIES[seed % len(POLICIES)], seed)
    facts, records = history(seed)
    naive = Naive(facts, records, policy)
    lines = compute_standings(facts, records, policy)
    assert {line.contender for line in lines} == {each.id for each in facts if each.ranked}
    keys = [line.keys for line in lines]
    for line, mine in zip(lines, keys, strict=True):
        for key in policy.tiebreakers:
            assert line.value(key) == naive.value(key, line.contender), (seed, key, line.contender)
        assert line.match_points == naive.total(line.contender)
        assert line.rank == 1 + sum(other > mine for other in keys)
    assert keys == sorted(keys, reverse=True)


@pytest.mark.parametrize("start", range(0, 500, 50))
def test_every_value_equals_a_naive_second_computation(start):
    for seed in range(start, start + 50):
        check_against_naive(seed)


@pytest.mark.long
@pytest.mark.parametrize("start", range(1000, 21_000, 500))
def test_every_value_of_twenty_thousand_histories_equals_a_naive_second_computation(start):
    for seed in range(start, start + 500):
        check_against_naive(seed)


@pytest.mark.sampled(4)
@pytest.mark.parametrize("policy", POLICIES)
def test_arrays_and_plain_loops_give_the_same_lines(policy):
    for seed in range(40):
        facts, records = history(seed, tables=False)
        ways = [rank_field(ResultTable(facts, records, policy, adding)) for adding in (add_up, add_up_vectors)]
        assert ways[0] == ways[1]
        assert [line.amounts for line in ways[0]] == [line.amounts for line in ways[1]]


def check_columns(facts, records, policy, adding=add_up):
    """Everybody's column of each key against its lines, one contender at a time."""
    field = ResultTable(facts, records, policy, adding)
    for key in (*TIEBREAKERS, *INNER):
        column = column_of(field, key)
        for place, each in enumerate(facts):
            lines = Fraction(*lines_of(field, key, place).rational)
            assert Fraction(column.amounts[place], column.scale) == lines, (key, each)
            assert type(column.amounts[place]) is int


@pytest.mark.parametrize("number", range(len(POLICIES)))
def test_columns_equal_lines(number):
    policy = every_key(POLICIES[number], number)
    for seed in range(number, 60, 3):
        facts, records = history(seed)
        check_columns(facts, records, policy, (add_up, add_up_vectors)[seed % 2])


def test_columns_equal_lines_without_matches_and_with_several_in_a_round():
    policy = every_key(PRESETS["chess"].policy, 0)
    facts, records = history(4, tables=False)
    check_columns([], [], policy)
    check_columns(facts, [], policy)
    check_columns(facts, [replace(each, round_number=2 + each.round_number // 2) for each in records], policy)


def test_columns_of_points_too_great_for_arrays_equal_lines():
    policy = every_key(PRESETS["double_sided"].policy, 0)
    for size in (2**11, 2**40, 10**30):
        facts, records = history(3, tables=False)
        grown = [
            replace(each, seats=tuple(replace(seat, games_won=seat.games_won * size) for seat in each.seats))
            for each in records
        ]
        check_columns(facts, grown, policy)


def test_numbers_too_great_for_arrays_are_added_up_without_them():
    facts, records = history(3, tables=False)
    grown = [replace(each, seats=tuple(replace(seat, games_won=10**30) for seat in each.seats)) for each in records]
    ways = [rank_field(ResultTable(facts, grown, ScoringPolicy(), adding)) for adding in (add_up, add_up_vectors)]
    assert ways[0] == ways[1]


def test_arrays_take_ids_far_apart_and_refuse_unknown_ones():
    facts, records = history(3, tables=False)
    far = {each.id: each.id * 10**9 for each in facts}
    moved = [
        replace(each, seats=tuple(replace(seat, contender=far[seat.contender]) for seat in each.seats))
        for each in records
    ]
    lines = rank_field(ResultTable(facts, records, ScoringPolicy(), add_up))
    spread = [replace(each, id=far[each.id]) for each in facts]
    assert [line._replace(contender=far[line.contender]) for line in lines] == list(
        rank_field(ResultTable(spread, moved, ScoringPolicy(), add_up_vectors))
    )
    for given in (facts[1:], spread[1:]):
        with pytest.raises(KeyError):
            ResultTable(given, records if given[0].id < 100 else moved, ScoringPolicy(), add_up_vectors)


def again(derivation):
    """The value once more from the counted terms and the operation, nothing else; all parts are checked as well."""
    for term in derivation.terms:
        assert term.code in CODES
        assert term.note in NOTES | {""}
        if term.parts is not None:
            assert again(term.parts) == term.parts.value
            assert term.parts.value == term.value or term.note in ("floored", "digits")
    values = [term.value for term in derivation.terms if term.counted]
    match derivation.operation:
        case Operation.SUM:
            return sum(values, Fraction(0))
        case Operation.AVERAGE:
            return sum(values) / len(values)
        case Operation.SHARE:
            top, bottom = values
            return top / bottom
        case Operation.PRODUCT:
            return prod(values)
        case Operation.GIVEN:
            (value,) = values
            return value


def check_derivations(seed, policy):
    facts, records = history(seed)
    field = ResultTable(facts, records, policy)
    for line in rank_field(field):
        place = field.index[line.contender]
        for key in TIEBREAKERS:
            derivation = derive_in(field, key, place)
            column = column_of(field, key)
            assert again(derivation) == derivation.value == Fraction(column.amounts[place], column.scale), (seed, key)
            if key in line.scales.keys:
                assert derivation.value == line.value(key)


@pytest.mark.sampled(4)
@pytest.mark.parametrize("policy", POLICIES)
def test_derivations_add_up_to_the_values_that_rank(policy):
    for seed in range(2):
        check_derivations(seed, policy)


@pytest.mark.long
@pytest.mark.parametrize("start", range(0, 1000, 50))
def test_derivations_of_a_thousand_events_add_up(start):
    for seed in range(start, start + 50):
        check_derivations(seed, POLICIES[seed % len(POLICIES)])


@pytest.mark.sampled(4)
@pytest.mark.parametrize("policy", POLICIES)
def test_first_difference_is_the_first_key_that_differs(policy):
    facts, records = history(7)
    lines = compute_standings(facts, records, policy)
    for one, other in pairwise(lines):
        found = first_difference(facts, records, policy, one.contender, other.contender)
        if one.rank == other.rank:
            assert found is None
            continue
        key, first, second = found
        place = policy.tiebreakers.index(key)
        assert one.keys[:place] == other.keys[:place]
        assert (first.value, second.value) == (one.value(key), other.value(key))
        assert first.value > second.value


@pytest.mark.sampled(4)
@pytest.mark.parametrize("policy", POLICIES)
def test_a_drop_changes_no_past_key(policy):
    """Standings up to the round of the drop are the same whether or not somebody drops afterwards."""
    policy = every_key(policy, 0)
    for seed in range(5):
        facts, records = history(seed, tables=False)
        stay = [replace(each, dropped_after=None) for each in facts]
        last = max((record.round_number for record in records), default=0)
        for number in range(1, last + 1):
            so_far = [record for record in records if record.round_number <= number]
            before = compute_standings(stay, so_far, policy)
            for dropping in stay[:4]:
                after = [replace(each, dropped_after=number) if each is dropping else each for each in stay]
                assert compute_standings(after, so_far, policy) == before


@pytest.mark.sampled(4)
@pytest.mark.parametrize("policy", POLICIES)
def test_order_of_matches_changes_nothing(policy):
    facts, records = history(11)
    other = sorted(records, key=lambda record: record.seats[0].contender)
    assert compute_standings(facts, records, policy) == compute_standings(facts, other, policy)


def test_corrected_results_leave_no_trace():
    facts, records = history(5, tables=False)
    wrong = [replace(each, games_drawn=9) if each.kind is MatchKind.PLAYED else each for each in records]
    policy = ScoringPolicy()
    assert compute_standings(facts, wrong, policy) != compute_standings(facts, records, policy)
    assert compute_standings(facts, list(records), policy) == compute_standings(facts, records, policy)

"""The final order over stages, brackets and people who keep no rank, against orders written by hand."""

import pytest

from scoring.standings.final_order import StageFinish, append_below, order_finish
from scoring.standings.records import ScoringPolicy
from scoring.standings.standings import compute_standings


def lines(*ranked):
    """Standings of (rank, contender)."""
    blank = compute_standings([1], [], ScoringPolicy())[0]
    return [blank._replace(rank=rank, contender=who) for rank, who in ranked]


def told(standings):
    return [(line.rank, line.contender) for line in standings]


FIVE = lines((1, 1), (2, 2), (2, 3), (4, 4), (5, 5))
EIGHT = lines(*((place, place) for place in range(1, 9)))


def test_later_stage_ranks_above_and_ties_stay_within_each():
    stages = [StageFinish((5, 3, 2))]
    assert told(order_finish(FIVE, stages)) == [(1, 2), (1, 3), (3, 5), (4, 1), (5, 4)]
    assert told(order_finish(FIVE, [*stages, StageFinish((5,))])) == [(1, 5), (2, 2), (2, 3), (4, 1), (5, 4)]


BRACKETS = [
    ("no place certain", {}, [(1, 1), (2, 2), (2, 3), (4, 4), (5, 5)]),
    ("one semi-final", {1: (3, 4)}, [(1, 4), (1, 3), (1, 2), (3, 1), (5, 5)]),
    ("final to come", {1: (3, 4), 2: (3, 4)}, [(1, 4), (1, 3), (3, 2), (3, 1), (5, 5)]),
    ("third place to come", {4: (1, 1), 3: (2, 2)}, [(1, 4), (2, 3), (3, 2), (3, 1), (5, 5)]),
    ("all", {4: (2, 2), 3: (1, 1), 2: (3, 3), 1: (4, 4)}, [(1, 3), (2, 4), (3, 2), (4, 1), (5, 5)]),
]


@pytest.mark.parametrize(("_case", "places", "expected"), BRACKETS)
def test_bracket_gives_certain_places_and_the_others_share_what_is_left(_case, places, expected):
    assert told(order_finish(FIVE, [StageFinish((4, 3, 2, 1), places)])) == expected


def test_places_shared_by_four_are_theirs_before_the_round_is_over():
    finish = StageFinish(tuple(range(1, 9)), {8: (5, 8)})
    assert told(order_finish(EIGHT, [finish])) == [*((1, each) for each in range(1, 8)), (5, 8)]


@pytest.mark.parametrize(
    ("gone", "expected"),
    [
        (4, [(1, 3), (2, 2), (3, 1), (4, 5)]),
        (3, [(1, 4), (2, 2), (3, 1), (4, 5)]),
        (1, [(1, 4), (2, 3), (3, 2), (4, 5)]),
        (5, [(1, 4), (2, 3), (3, 2), (4, 1)]),
    ],
)
def test_those_below_whoever_is_disqualified_move_up(gone, expected):
    standings = [line for line in FIVE if line.contender != gone]
    places = {4: (1, 1), 3: (2, 2), 2: (3, 3), 1: (4, 4)}
    assert told(order_finish(standings, [StageFinish((4, 3, 2, 1), places)])) == expected


def test_whoever_is_disqualified_with_a_match_to_come_lets_those_below_move_up():
    standings = [line for line in FIVE if line.contender != 4]
    finish = StageFinish((4, 3, 2, 1), {2: (3, 4), 1: (3, 4)})
    assert told(order_finish(standings, [finish])) == [(1, 3), (2, 2), (2, 1), (4, 5)]


def test_section_before_goes_below_with_its_ties():
    assert told(append_below(lines((1, 3)), FIVE)) == [(1, 3), (2, 1), (3, 2), (4, 4), (5, 5)]
    assert told(append_below(lines((1, 1)), FIVE)) == [(1, 1), (2, 2), (2, 3), (4, 4), (5, 5)]

"""Waves of brackets and Berger rounds as values: who meets, at which table, and who need not play."""

import json

import pytest

from tournaments.pairing.brackets.cut import recommended_structure
from tournaments.pairing.brackets.fixed_rounds import DOUBLE, ROBIN, SINGLE, FixedInput, pair_fixed
from tournaments.pairing.swiss.table_numbers import number_seatings


def told(given):
    return [(each.table, each.seats, each.bracket) for each in pair_fixed(given).matches]


def test_wave_holds_all_that_can_be_played():
    given = FixedInput(SINGLE, (1, 2, 3, 4), extra=True)
    assert told(given) == [(1, (1, 4), "W1-1"), (2, (2, 3), "W1-2")]
    later = FixedInput(SINGLE, (1, 2, 3, 4), extra=True, winners={"W1-1": 4, "W1-2": 2}, paired=("W1-1", "W1-2"))
    assert told(later) == [(1, (2, 4), "W2-1"), (2, (1, 3), "T1-1")]
    assert pair_fixed(later).levels == ("W2", "T1")


def test_what_is_paired_already_is_not_paired_again_and_its_table_is_taken():
    given = FixedInput(SINGLE, (1, 2, 3, 4, 5, 6, 7, 8), winners={"W1-1": 1, "W1-2": 4})
    given = FixedInput(
        SINGLE, given.seeds, winners=given.winners, paired=("W1-1", "W1-2", "W1-3", "W1-4"), taken=(1, 3)
    )
    assert told(given) == [(2, (1, 4), "W2-1")]


def test_whoever_left_gives_way_and_of_two_the_lower_seed():
    given = FixedInput(SINGLE, (1, 2, 3, 4), gone=(1, 2, 3))
    assert told(given) == [(None, (4, 1), "W1-1"), (None, (2, 3), "W1-2")]
    assert [each.code for each in pair_fixed(given).matches[0].reasons] == ["bracket", "walkover"]


def test_fixed_tables_are_kept():
    given = FixedInput(DOUBLE, (1, 2, 3, 4), fixed=((3, 1),))
    assert told(given) == [(2, (1, 4), "W1-1"), (1, (2, 3), "W1-2")]


def test_round_robin_with_byes():
    rounds = [told(FixedInput(ROBIN, (1, 2, 3), number=number)) for number in (1, 2, 3)]
    assert sorted(seats for round_ in rounds for _table, seats, _id in round_ if len(seats) == 1) == [(1,), (2,), (3,)]
    left = [told(FixedInput(ROBIN, (1, 2, 3), number=number, gone=(3,))) for number in (1, 2, 3)]
    assert sorted(seats for round_ in left for _table, seats, _id in round_ if len(seats) == 1) == [
        (1,),
        (1,),
        (2,),
        (2,),
    ]


@pytest.mark.parametrize(
    "given",
    [
        FixedInput(DOUBLE, (1, None, 3, 4), extra=True, gone=(4,), fixed=((3, 7),), taken=(1,)),
        FixedInput(ROBIN, (5, 6, 7), number=2, extra=True),
        FixedInput(SINGLE, (1, 2, 3, 4), winners={"W1-1": 1}, paired=("W1-1", "W1-2")),
    ],
)
def test_input_survives_json_with_its_digest(given):
    again = FixedInput.from_dict(json.loads(json.dumps(given.as_dict())))
    assert (again.digest(), pair_fixed(again)) == (given.digest(), pair_fixed(given))


def test_tables_are_numbered_around_fixed_and_taken_ones():
    assert number_seatings([(1, 2), (3, 4), (5, 6)], {3: 1, 4: 9}, taken=(2,)) == [3, 1, 4]
    assert number_seatings([(1, 2), (3, 4)], {1: 5, 3: 5}) == [5, 1]


@pytest.mark.parametrize(
    ("players", "rounds", "cut"),
    [
        (4, 2, 0),
        (8, 3, 0),
        (9, 5, 4),
        (16, 5, 4),
        (17, 5, 8),
        (33, 6, 8),
        (65, 7, 8),
        (129, 8, 8),
        (227, 9, 8),
        (410, 10, 8),
    ],
)
def test_structure_by_attendance_is_that_of_the_table(players, rounds, cut):
    found = recommended_structure(players)
    assert (found.rounds, found.cut) == (rounds, cut)

"""Round robins against the published Berger tables and by their properties."""

from collections import Counter
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.refusals import refusal
from tournaments.pairing.brackets.round_robin import berger_table, pair_round_robin

PUBLISHED = {  # FIDE Handbook C.05, Annex 1
    4: ["1-4 2-3", "4-3 1-2", "2-4 3-1"],
    6: ["1-6 2-5 3-4", "6-4 5-3 1-2", "2-6 3-1 4-5", "6-5 1-4 2-3", "3-6 4-2 5-1"],
    8: [
        "1-8 2-7 3-6 4-5", "8-5 6-4 7-3 1-2", "2-8 3-1 4-7 5-6", "8-6 7-5 1-4 2-3", "3-8 4-2 5-1 6-7",
        "8-7 1-6 2-5 3-4", "4-8 5-3 6-2 7-1",
    ],
}  # fmt: skip

fields = st.lists(st.integers(1, 10**6), min_size=2, max_size=40, unique=True)


@pytest.mark.parametrize("size", PUBLISHED)
def test_tables_equal_the_published_ones(size):
    assert [" ".join(f"{one}-{other}" for one, other in level) for level in berger_table(size)] == PUBLISHED[size]


def test_an_odd_field_uses_the_next_table_and_its_last_number_is_the_bye():
    rounds = pair_round_robin([10, 20, 30])
    assert [(each.number, each.pairs, each.bye) for each in rounds] == [
        (1, ((20, 30),), 10), (2, ((10, 20),), 30), (3, ((30, 10),), 20),
    ]  # fmt: skip


@settings(max_examples=80, deadline=None)
@given(fields, st.booleans())
def test_everybody_meets_everybody_and_has_one_place_a_round(entrants, double):
    rounds = pair_round_robin(entrants, double=double)
    legs = 1 + double
    assert [each.number for each in rounds] == list(range(1, legs * (len(entrants) - 1 + len(entrants) % 2) + 1))
    for each in rounds:
        places = [seat for pair in each.pairs for seat in pair] + ([] if each.bye is None else [each.bye])
        assert sorted(places) == sorted(entrants)
    met = Counter(frozenset(pair) for each in rounds for pair in each.pairs)
    assert met == {frozenset(pair): legs for pair in combinations(entrants, 2)}
    seats = Counter(pair for each in rounds for pair in each.pairs)
    assert set(seats.values()) == {1}


@settings(max_examples=80, deadline=None)
@given(fields)
def test_seats_are_balanced_in_a_leg_and_even_after_two(entrants):
    for double, most in ((False, 1), (True, 0)):
        rounds = pair_round_robin(entrants, double=double)
        firsts = Counter(pair[0] for each in rounds for pair in each.pairs)
        seconds = Counter(pair[1] for each in rounds for pair in each.pairs)
        assert all(abs(firsts[one] - seconds[one]) <= most for one in entrants)


@pytest.mark.parametrize("size", [3, *range(5, 25)])
def test_a_double_round_robin_gives_nobody_three_times_the_same_seat_in_a_row(size):
    rounds = pair_round_robin(range(size), double=True)
    for one in range(size):
        seats = "".join(str(pair.index(one)) for each in rounds for pair in each.pairs if one in pair)
        assert "000" not in seats
        assert "111" not in seats


@pytest.mark.parametrize(("entrants", "code"), [([], "bad_field_size"), ([1], "bad_field_size"),
                                                ([1, 1], "repeated_entrant")])  # fmt: skip
def test_fields_that_cannot_play_are_refused(entrants, code):
    assert refusal(pair_round_robin, entrants) == code

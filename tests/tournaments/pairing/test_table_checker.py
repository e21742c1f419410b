"""The checker of tables finds every kind of fault."""

from dataclasses import replace

import pytest

from tests.tournaments.pairing.table_checker import check_tables
from tournaments.pairing.pods.contenders import Remainder, TableContender, TableInput, TablePolicy
from tournaments.pairing.pods.pods import seat_tables

GIVEN = TableInput(
    tuple(TableContender(each, score=each % 3, awarded_bye=each == 14) for each in range(1, 15)), locked=((1, 2, 3),)
)
SEATED = seat_tables(GIVEN)


def with_first_seats(*changed):
    first, *rest = SEATED.tables
    return replace(SEATED, tables=((*changed, *first[len(changed) :]), *rest))


@pytest.mark.parametrize(
    ("seated", "problem"),
    [
        (with_first_seats(SEATED.tables[0][1]), "has 2 places"),
        (with_first_seats(99), "99 is not in the field"),
        (replace(SEATED, awarded_byes=()), "14 has 0 places"),
        (replace(SEATED, awarded_byes=(), byes=(14,)), "awarded byes differ"),
        (replace(SEATED, tables=tuple(tuple(reversed(table)) for table in SEATED.tables)), "was changed"),
        (replace(SEATED, tables=tuple(t for t in SEATED.tables if 1 in t or 13 in t)), "has 0 places"),
        (replace(SEATED, cost=replace(SEATED.cost, spread=SEATED.cost.spread + 1)), "claims"),
        (replace(SEATED, bound=replace(SEATED.cost, second_byes=1)), "bound is above"),
        (replace(SEATED, proved=not SEATED.proved), "proved means"),
        (replace(SEATED, fault="byes_forced"), "a fault without byes"),
        (replace(SEATED, byes=(13,)), "sits out who could be seated"),
    ],
)
def test_checker_finds_each_fault(seated, problem):
    assert check_tables(GIVEN, SEATED) == []
    assert any(problem in each for each in check_tables(GIVEN, seated))


def test_checker_finds_unlawful_and_uneven_tables():
    given = TableInput(tuple(map(TableContender, range(8))))
    seated = seat_tables(given)
    problems = check_tables(given, replace(seated, tables=((0, 1), (2, 3, 4, 5, 6, 7))))
    assert {"a table of 2", "a table of 6", "table sizes differ by more than one"} <= set(problems)


def test_checker_finds_byes_in_the_wrong_number():
    given = TableInput(tuple(map(TableContender, range(8))), TablePolicy(remainder=Remainder.BYES))
    seated = replace(seat_tables(given), tables=((0, 1, 2, 3),), byes=(4, 5, 6, 7))
    assert "byes were asked for, but not this way" in check_tables(given, seated)

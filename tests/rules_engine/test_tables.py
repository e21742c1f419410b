"""No cell of a file that leaves the house is a formula, whichever separator a spreadsheet takes, and all come back."""

import csv

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules_engine.tables import FORMULA_STARTS, csv_text, guarded, restored

SEPARATORS = ",;\t"
TRICKS = [
    "x;=cmd|' /C calc'!A0;y", "x\t=1+1", ";=1", "x;@SUM(A1)", "x;;-1", "x;'=1", "x; =1", 'x;"=1', "x\n=1", "x\r\n+1",
    "x;＝1", "'x;=1", "=1;=2", "\t\t=1", "x;'' '=1",
]  # fmt: skip
hostile = st.text(alphabet="=+-@;\t\n\r'\" ,ax＝", max_size=20)


def cells_of(text: str, separator: str) -> list[str]:
    return [cell for row in csv.reader(text.splitlines(), delimiter=separator) for cell in row]


@pytest.mark.parametrize("separator", SEPARATORS)
@pytest.mark.parametrize("name", TRICKS)
def test_no_name_becomes_a_formula(name, separator):
    for row in ([1, name, ""], [name, 2, ""]):
        cells = cells_of(csv_text(["rank", "name", "note"], [row]), separator)
        assert not [cell for cell in cells if cell.lstrip(' "').startswith(FORMULA_STARTS)]


def test_without_the_guard_the_second_half_of_a_club_is_a_formula(monkeypatch):
    monkeypatch.setattr("rules_engine.tables.guarded", str)
    assert "=cmd|' /C calc'!A0" in cells_of(csv_text(["rank", "club"], [[1, TRICKS[0]]]), ";")


@pytest.mark.parametrize("name", TRICKS)
def test_a_trick_comes_back_as_it_was(name):
    assert restored(guarded(name)) == name
    assert restored(guarded(guarded(name))) == guarded(name)


@given(hostile)
def test_any_name_comes_back_as_it_was(name):
    assert restored(guarded(name)) == name


@pytest.mark.parametrize("name", ["Ada", "Ada; Ben", "Anne-Marie", "a=b", "O'Neill", "x;y=1", "1;2"])
def test_an_honest_name_stays_as_it_is(name):
    assert guarded(name) == name

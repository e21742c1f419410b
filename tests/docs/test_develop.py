"""Whoever follows docs/develop/ word by word gets what it promises: its edits are made in a copy of the tree."""

import shutil
import subprocess
import sys

import pytest

from tests.docs.edits import Edit, edits_of
from tests.docs.error_codes import APPS, ROOT

TIEBREAKER = """
import django; django.setup()
from fractions import Fraction
from scoring.standings.records import ScoringPolicy
from scoring.standings.tiebreakers import column_of
from scoring.standings.vectors import field_of
from tests.scoring.histories import history
from tests.scoring.naive import Naive
from tournaments.standings.words import name_of, said_of

values = set()
for seed in range(20):
    facts, records = history(seed)
    field, naive = field_of(facts, records, ScoringPolicy()), Naive(facts, records, ScoringPolicy())
    column = column_of(field, "draws_played")
    for who, place in field.index.items():
        assert Fraction(column.amounts[place], column.scale) == naive.value("draws_played", who)
        values.add(column.amounts[place])
assert len(values) > 1 and name_of("draws_played") == "Draws" and said_of("draws_played")
"""
GAME = """
import django; django.setup()
from rules_engine.systems import get_system
from scoring.sheets.tallies.registry import get_tallier

system = get_system("knight_fight")
assert [card.name for card in system.shipped_cards][-1] == "Sir Five"
sheet = {"players": [{"name": "Ada", "knights": [5, 4]}, {"name": "Ben", "knights": [3]}]}
assert get_tallier("knight_fight").tally(sheet)["winners"] == ["Ada"]
"""
PAGES = {"adding-a-tiebreaker.md": TIEBREAKER, "adding-a-game.md": GAME}


@pytest.fixture
def copy(tmp_path):
    """The code and what tests of scoring are made from, without compiled files."""
    for name in (*APPS, "launch", "tests/scoring"):
        shutil.copytree(ROOT / name, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__"))
    return tmp_path


@pytest.mark.parametrize("page", PAGES)
def test_a_page_is_followed_to_its_end(page, copy):
    edits = list(edits_of(ROOT / "docs" / "develop" / page))
    assert edits
    for edit in edits:
        edit.apply(copy)
    done = subprocess.run([sys.executable, "-c", PAGES[page]], cwd=copy, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_an_edit_whose_place_is_gone_fails(tmp_path):
    (tmp_path / "file.py").write_text("one\n")
    with pytest.raises(ValueError, match="0 times"):
        Edit("file.py", "two", "three").apply(tmp_path)

"""Every clause of a game is checked in decks, or has a test here that bears its name."""

import re
from pathlib import Path

import pytest

from rules_engine.systems import list_systems

TESTS = re.findall(
    r"^def (test_\w+)", "".join(path.read_text() for path in Path(__file__).parent.glob("test_*.py")), re.MULTILINE
)
SILENT = {
    "DP-SECRET": "who sees which deck when: tests of events",
    "DP-STACK": "when decks are placed: tests of events",
    "DP-CARDRULE": "nothing to count",
    "DL-EMPTY": "how the game comes to its end; a sheet is filled in afterwards",
    "DL-PRECEDENCE": "what holds at the table; a sheet asks for what came of it",
    "DT-TYPES": "fields of cards: tests of the card file",
    "DT-AFFIL": "fields of cards: tests of the card file",
}
"""Clauses that say nothing of scores, limits and winning, and why."""


def has_test(clause: str) -> bool:
    """Whether some test is named after a clause: `test_dl_tie_…` for DL-TIE."""
    name = f"test_{clause.lower().replace('-', '_')}"
    return any(test == name or test.startswith(f"{name}_") for test in TESTS)


@pytest.mark.parametrize("system", list_systems(), ids=lambda system: system.slug)
def test_every_clause_is_checked_in_decks_or_has_a_test_of_its_name(system):
    checked = {clause.id for game_format in system.formats for clause in game_format.clauses}
    silent = {clause.id for clause in system.clauses if clause.id not in checked and not has_test(clause.id)}
    assert silent == {clause.id for clause in system.clauses} & SILENT.keys()

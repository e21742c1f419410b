"""Every clause that the product cites is checked in decks, or has a test here that bears its name."""

import re
from pathlib import Path

from rules_engine.loading import RULES_FILE
from rules_engine.systems import list_systems

TESTS = re.findall(
    r"^def (test_\w+)", "".join(path.read_text() for path in Path(__file__).parent.glob("test_*.py")), re.MULTILINE
)
APPS = ("decks", "rules_engine", "scoring", "tournaments")
CITED = {
    word
    for app in APPS
    for path in (Path(__file__).parents[3] / app).rglob("*")
    if path.suffix == ".py" or path.name == RULES_FILE
    for word in re.findall(r"[A-Z][A-Z0-9]*-[\w-]+", path.read_text())
}
SILENT = {
    "DP-SECRET": "who sees which deck when: tests of events",
    "DP-STACK": "when decks are placed: tests of events",
    "DT-FIRST": "drawn with the round: tests of rounds",
    "DT97-TARGET": "a setting of stages: tests of events",
}
"""Clauses that say nothing of scores, limits and winning, and why."""


def has_test(clause: str) -> bool:
    """Whether some test is named after a clause: `test_dl_tie_…` for DL-TIE."""
    name = f"test_{clause.lower().replace('-', '_')}"
    return any(test == name or test.startswith(f"{name}_") for test in TESTS)


def test_every_clause_cited_is_checked_in_decks_or_has_a_test_of_its_name():
    for system in list_systems():
        cited = CITED & {clause.id for clause in system.clauses}
        checked = {clause.id for game_format in system.formats for clause in game_format.clauses}
        checked |= {each.rule.clause.id for game_format in system.formats for each in game_format.house_rules}
        silent = {clause for clause in cited - checked if not has_test(clause)}
        assert silent == cited & SILENT.keys(), system.slug

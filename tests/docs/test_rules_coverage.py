"""The table of rules has every heading of the four books and every clause of the site, each reached from the other."""

import re
from collections.abc import Iterator

import pytest

from rules_engine.systems import get_system
from tests.docs.reference import FOLDER

TABLE = (FOLDER / "rules-coverage.md").read_text(encoding="utf-8")
COUNTED = {
    "dead_or_destroyed": (19, 25),
    "doom_pile": (27, 49),
    "doomlings": (32, 38),
    "doomtrooper": (67, 88),
}
"""How many headings each book has, counted in it, and how many clauses tell its rules and those of its tournaments.

A group's head counts as one; a run-in head such as “Goal” belongs to the heading above it.
"""


def rows_of(text: str, name: str) -> tuple[dict[str, list[str]], list[str]]:
    """The clauses by heading of a game's book, and those of its other documents."""
    part = text.partition(f"\n## {name}\n")[2].partition("\n## ")[0]
    book, _mark, others = part.partition("\n### ")
    rows = re.findall(r"^\| (?!heading of|---)(.+?) \| (.*?) \|$", book, re.MULTILINE)
    return {heading: re.findall(r"`([\w-]+)`", ids) for heading, ids in rows}, re.findall(r"`([\w-]+)`", others)


def faults(text: str, slug: str) -> Iterator[str]:
    """What the table lacks of a game, or has too much."""
    system, (headings, clauses) = get_system(slug), COUNTED[slug]
    rows, others = rows_of(text, system.name)
    reached = {each for ids in rows.values() for each in ids} | set(others)
    known = {clause.id for clause in system.clauses}
    if len(rows) != headings:
        yield f"{len(rows)} headings, the book has {headings}"
    if len(known) != clauses:
        yield f"{len(known)} clauses, the site had {clauses}"
    yield from (f"{clause} is nowhere in the rulebook" for clause in sorted(reached - known))
    yield from (f"{clause} is reached from no heading" for clause in sorted(known - reached))


@pytest.mark.parametrize("slug", COUNTED)
def test_every_heading_has_its_clauses_and_every_clause_its_heading(slug):
    assert list(faults(TABLE, slug)) == []


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        ("| The Object | `DT-TARGET` |\n", "", "66 headings, the book has 67"),
        ("`DT-MEDITATE`", "`DT-MEDITATION`", "DT-MEDITATE is reached from no heading"),
        ("`DT-MEDITATE`", "`DT-MEDITATION`", "DT-MEDITATION is nowhere in the rulebook"),
        ("`DT97-TIE`", "", "DT97-TIE is reached from no heading"),
    ],
)
def test_control_a_missing_heading_or_clause_is_noticed(old, new, fault):
    assert fault in list(faults(TABLE.replace(old, new), "doomtrooper"))


def test_control_a_clause_that_went_with_its_heading_is_noticed(monkeypatch):
    monkeypatch.setitem(COUNTED, "doomlings", (33, 39))
    assert list(faults(TABLE, "doomlings")) == ["32 headings, the book has 33", "38 clauses, the site had 39"]

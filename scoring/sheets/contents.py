"""What the ledger's entries commit to of score sheets: what was filed and what it added up to, without names."""

from collections.abc import Collection, Mapping
from typing import Any

from journal.ledger.contents import Kind, Row
from scoring.models import ScoreSheet, SheetRevision, SheetTally

_PERSONAL = ("name", "members")


def rows_of(sheet: ScoreSheet, revision: SheetRevision, *, tallied: bool) -> list[Row]:
    """The rows that filing a sheet, or signing what it was `tallied` to, relies on."""
    alone = "" if sheet.stream != sheet.key else "lone_"
    return [(f"{alone}revision", str(revision.pk)), *([(f"{alone}tally", str(revision.pk))] if tallied else [])]


def _revisions(keys: Collection[str]) -> Mapping[str, object]:
    """Filed revisions by id."""
    rows = SheetRevision.objects.filter(pk__in=keys).values_list("pk", "sheet_id", "number", "filed_at", "content")
    return {str(pk): [sheet, number, at, _nameless(content)] for pk, sheet, number, at, content in rows}


def _tallies(keys: Collection[str]) -> Mapping[str, object]:
    """Tallies by the id of their revision; who won stands there as a place."""
    rows = SheetTally.objects.filter(revision__in=[int(key) for key in keys]).values_list(
        "revision_id", "error", "tally"
    )
    return {str(pk): [error, _nameless(tally or {})] for pk, error, tally in rows}


def _nameless(content: Mapping[str, Any]) -> dict[str, Any]:
    """A sheet or tally with its players and winners by place, as a name may have to go."""
    players = [each for each in content.get("players", ()) if isinstance(each, dict)]
    names = [each.get("name") for each in players]
    plain = [{key: value for key, value in each.items() if key not in _PERSONAL} for each in players]
    return {**content, "players": plain, "winners": [_place(name, names) for name in content.get("winners", ())]}


def _place(name: str, names: list[str | None]) -> int | None:
    return names.index(name) if name in names else None


KINDS = {
    "revision": Kind(_revisions, changes=True),
    "tally": Kind(_tallies, changes=True),
    "lone_revision": Kind(_revisions, may_go=True),
    "lone_tally": Kind(_tallies, may_go=True),
}
"""Sheets without an event are pruned with all they hold. Those of an event change when a name in a game written move by
move is erased, which an act of its own says."""


def held_of(row: Row) -> object:
    """What a row holds now, as its kind reads it; None for a row that is not there."""
    kind, key = row
    return KINDS[kind].read([key]).get(key)

"""Questions about score sheets and their revisions."""

from collections.abc import Mapping
from typing import Any

from rules_engine.errors import NotFound, needed
from scoring.models import ScoreSheet, SheetRevision, SheetTally

ABSENT = {"absent": True}
"""The part of a player who did not come."""


def find_sheet(key: str) -> ScoreSheet:
    """The sheet at an address; NotFound "no_sheet"."""
    return needed(ScoreSheet.objects.filter(key=key).first(), NotFound("no_sheet", "This score sheet doesn't exist."))


def newest_revision(sheet: ScoreSheet) -> SheetRevision | None:
    """The newest revision with its outcome; None before the first was filed."""
    return sheet.revisions.select_related("outcome").order_by("-number").first()


def outcome_of(revision: SheetRevision) -> SheetTally | None:
    """The tally of a revision, or why there is none; None while it waits."""
    return getattr(revision, "outcome", None)


def content_of(sheet: ScoreSheet, typed: Mapping[int, Mapping[str, Any]] | None = None) -> dict[str, Any]:
    """Everything typed so far as the tally of the game takes it: the table's part, each player with their part.

    Whoever's part is ABSENT is left out. Nothing that was typed takes the place of a name or an option.
    `typed` parts stand in for the stored ones, by place.
    """
    parts: dict[int, Mapping[str, Any]] = {part.place: part.content for part in sheet.parts.all()}
    parts.update(typed or {})
    rows = [(player, parts.get(place, {})) for place, player in enumerate(sheet.players, 1)]
    players = [{**content, **player} for player, content in rows if content != ABSENT]
    return {**parts.get(0, {}), "players": players, "options": sheet.options}

"""Parts of sheets as programs write them: what the game cannot read is refused before it is stored."""

from collections.abc import Mapping
from typing import Any

from scoring.models import ScoreSheet
from scoring.sheets.selectors import ABSENT, content_of
from scoring.sheets.tallies.registry import get_tallier

OF_PAGES = ("struck", "clock")
"""What only pages write in the table's part."""


def readable_part(sheet: ScoreSheet, place: int, content: Mapping[str, Any]) -> dict[str, Any]:
    """The content that a program gave for a place, without nulls.

    What pages keep beside it stays as it lies. DomainError "bad_sheet" where the game cannot read it.
    """
    given = {key: value for key, value in content.items() if value is not None and key not in OF_PAGES}
    parts: dict[int, Mapping[str, Any]] = {part.place: part.content for part in sheet.parts.all()}
    if place not in parts or given == ABSENT:
        return given
    alone = content_of(sheet, {**{each: {} for each in parts}, place: given})
    get_tallier(sheet.game).read(alone)
    kept = {key: parts[place][key] for key in OF_PAGES if key in parts[place]}
    return {**given, **kept}

"""What a Doomlings sheet is made of for the pages of score sheets: how it starts, its parts and what they say."""

from collections.abc import Collection
from typing import Any

from django.http import QueryDict
from django.utils.translation import gettext_lazy

from accounts.http.wording import worded
from scoring.games.doomlings.own_card_forms import (
    card_catalogue,
)
from scoring.games.doomlings.part_forms import PlayerPart
from scoring.games.doomlings.sheet_summary import effects, states, tie_of
from scoring.games.doomlings.table_part import TablePart
from scoring.games.doomlings.tally import TALLIER
from scoring.games.doomlings.tally.limits import table_sizes
from scoring.games.doomlings.tally.sheet import MAX_PLAYERS
from scoring.models import ScoreSheet
from scoring.sheets.forms.sheets import PartForm, SheetPages
from scoring.sheets.forms.start import NamesStartForm


class DoomlingsStart(NamesStartForm):
    """A table of any size that the variations chosen allow; one player plays the solo variation."""

    known = TALLIER.options
    least, most = 1, MAX_PLAYERS

    def clean(self) -> dict[str, Any]:
        """Refuse a number of players that the book or a chosen variation is not made for."""
        values: dict[str, Any] = super().clean() or {}
        if values.get("names") and self.agreed.is_valid():
            for each in table_sizes(len(self.players()), self.agreed.options):
                self.add_error("names", worded(each.message))
        return values


def make_part(
    sheet: ScoreSheet, place: int, data: QueryDict | None = None, seen: Collection[int] | None = None
) -> PartForm:
    return (PlayerPart if place else TablePart)(sheet, place, data, seen)


PAGES = SheetPages(
    part=make_part,
    start=DoomlingsStart,
    kinds={
        "catastrophe": gettext_lazy("Catastrophe"),
        "face": gettext_lazy("Face values"),
        "bonus": gettext_lazy("Drop of Life bonuses"),
    },
    states=states,
    effects=effects,
    tie=tie_of,
    unwritten={"traits": []},
    catalogue=card_catalogue,
)

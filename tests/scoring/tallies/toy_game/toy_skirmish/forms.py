"""The sheet of a toy game on pages: each player writes down the powers of the own knights."""

from collections.abc import Collection
from typing import Any

from django import forms

from scoring.models import ScoreSheet
from scoring.sheets.forms.sheets import PartForm, PartState, SheetPages, plain_states
from scoring.sheets.forms.start import NamesStartForm


class KnightsForm(PartForm):
    """The knights of one player."""

    template_name = "toy_skirmish/part.html"
    knights = forms.RegexField(r"^[1-5]( [1-5])*$", label="Powers")

    def first(self) -> dict[str, Any]:
        return {"knights": " ".join(map(str, self.stored.get("knights", [])))}

    def content(self) -> dict[str, Any]:
        return {"knights": [int(power) for power in self.cleaned_data["knights"].split()]}


def states(sheet: ScoreSheet, seen: Collection[int] | None = None) -> dict[int, PartState]:
    """The players alone: the table itself writes nothing."""
    return {place: state for place, state in plain_states(sheet, seen).items() if place}


PAGES = SheetPages(part=KnightsForm, start=NamesStartForm, kinds={"power": "Knights"}, states=states)

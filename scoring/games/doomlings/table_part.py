"""The table's own part of a Doomlings sheet: its catastrophe, also one that the list lacks."""

from collections.abc import Mapping
from functools import cached_property
from typing import Any

from django import forms
from django.utils.translation import gettext as _

from rules_engine.cards import normalise_name
from scoring.games.doomlings.part_forms import DoomlingsPart
from scoring.games.doomlings.tally.cards import find_catastrophe
from scoring.games.doomlings.tally.own_cards import MAX_NAME

OTHER = "other_catastrophe"


class TablePart(DoomlingsPart):
    """The table's own part: which catastrophe, and what only the table can know."""

    template_name = "scores/doomlings/table.html"
    own_into = "ask-discard_pile"

    def fill(self) -> None:
        """A catastrophe that the list lacks, by its name."""
        self.fields[OTHER] = forms.CharField(
            label=_("A catastrophe that isn't in the list"), required=False, max_length=MAX_NAME,
            help_text=_("Each player then enters the points of its gold text."),
        )  # fmt: skip

    def _ask(self, typed: Mapping[str, Any]) -> None:
        """The imported catastrophes, and the one that the sheet describes, are offered too."""
        super()._ask(typed)
        field = self.fields["ask-catastrophe"]
        if isinstance(field, forms.ChoiceField):
            own = sorted(each["name"] for each in self._described_catastrophes.values())
            field.choices = [*field.widget.choices, *((name, name) for name in own)]

    @cached_property
    def _described_catastrophes(self) -> dict[str, Any]:
        """By normalised name the catastrophes that the list lacks and this site, or this sheet, knows."""
        stored = self.stored.get("own_catastrophe")
        held = {normalise_name(str(stored["name"])): stored} if isinstance(stored, dict) and "name" in stored else {}
        return {**held, **self.cards.offered.catastrophes}

    def answers(self, values: Mapping[str, Any]) -> dict[str, Any]:
        """A catastrophe that the list lacks comes with its description."""
        found = super().answers(values)
        typed = " ".join(self.posted.get(OTHER, "")[:MAX_NAME].split())
        if listed := find_catastrophe(typed):
            return {**found, "catastrophe": listed.name}
        name = typed or found.get("catastrophe") or ""
        own = self._described_catastrophes.get(normalise_name(name)) or ({"name": typed} if typed else None)
        return {**found, "catastrophe": own["name"], "own_catastrophe": own} if own else found

    @property
    def takes_own(self) -> bool:
        """Whether the table's part names cards, so that one may be missing in the list."""
        return self.own_into in self.fields

    def content(self) -> dict[str, Any]:
        """The table's keys of the sheet; draws of a tie stay."""
        kept = {"tie_draws": self.stored["tie_draws"]} if self.stored.get("tie_draws") else {}
        content = self.cards.with_described({**kept, **self.answers(self.cleaned_data)})
        described = [each for key in (self.stored, content) for each in key.get("own_cards") or []]
        own = {normalise_name(each["name"]): each for each in described}
        return {**content, "own_cards": [*own.values()]} if own else content  # players may name those of the table

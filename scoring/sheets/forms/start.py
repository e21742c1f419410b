"""The form that begins a sheet of a game whose table needs names and options alone."""

import re
from collections.abc import Mapping
from typing import Any

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from scoring.sheets.forms.options import OptionsForm
from scoring.sheets.forms.sheets import StartForm
from scoring.sheets.tallies.json_reader import is_visible
from scoring.sheets.tallies.options import Option

NAME_LENGTH = 60


class NamesStartForm(StartForm):
    """Names, one a line in turn order, and what the table agrees on.

    A game tells its `known` options and how many sit down; `members_at` is the option value (key, value) with which a
    line names a team: "Red: Ada, Ben".
    """

    known: tuple[Option, ...] = ()
    least, most = 2, 6
    members_at: tuple[str, str] | None = None

    names = forms.CharField(
        label=_("Players in turn order"),
        max_length=2000,
        widget=forms.Textarea(attrs={"rows": 4, "autocapitalize": "words", "spellcheck": "false"}),
        help_text=_("One name a line or commas, first player first, clockwise."),
    )

    def __init__(self, data: Any = None, **kwargs: Any) -> None:
        super().__init__(data, **kwargs)
        self.agreed = OptionsForm(data, known=self.known)

    @property
    def variations(self) -> list[forms.BoundField]:
        return list(self.agreed)

    @property
    def variations_in_error(self) -> bool:
        return bool(self.agreed.errors) if self.is_bound else False

    def is_valid(self) -> bool:
        """Whether names and options are as they should be."""
        return super().is_valid() and self.agreed.is_valid()

    def clean_names(self) -> str:
        """Refuse too few and too many names, the same name twice, very long ones and invisible signs."""
        given: str = self.cleaned_data["names"]
        lines = self._lines(given)
        if not self.least <= len(lines) <= self.most:
            raise forms.ValidationError(
                gettext("Enter %(least)d to %(most)d names, one a line.") % {"least": self.least, "most": self.most}
            )
        sides = [_side_of(line, self._takes_members) for line in lines]
        names = [name for side in sides for name in {side["name"], *side.get("members", ())}]
        if len({name.casefold() for name in names}) < len(names):
            raise forms.ValidationError(gettext("Two names are the same: change one."))
        if any(len(name) > NAME_LENGTH or not name or not is_visible(name) for name in names):
            text = gettext("Names need 1 to %(most)d visible characters.")
            raise forms.ValidationError(text % {"most": NAME_LENGTH})
        if any(len(side.get("members", ())) > self.most for side in sides):
            raise forms.ValidationError(gettext("A team has at most %(most)d members.") % {"most": self.most})
        return given

    @property
    def _takes_members(self) -> bool:
        if self.members_at is None:
            return False
        key, value = self.members_at
        return bool(self.data.get(key) == value)

    def players(self) -> list[dict[str, Any]]:
        """Everybody in turn order; a team with its members."""
        return [_side_of(line, self._takes_members) for line in self._lines(self.cleaned_data["names"])]

    def _lines(self, given: str) -> list[str]:
        """A name a line; commas part names, too, but within a team."""
        ends = r"[\r\n]+" if self._takes_members else r"[\r\n,;]+"
        lines = (" ".join(line.split()) for line in re.split(ends, given))
        return [line for line in lines if line]

    def options(self) -> Mapping[str, Any]:  # type: ignore[override]
        """What was agreed on, as the tally of the game takes it."""
        return self.agreed.options


def _side_of(line: str, takes_members: bool) -> dict[str, Any]:
    name, colon, rest = line.partition(":")
    if not takes_members or not colon:
        return {"name": line}
    members = [member.strip() for member in rest.split(",") if member.strip()]
    return {"name": name.strip(), **({"members": members} if members else {})}

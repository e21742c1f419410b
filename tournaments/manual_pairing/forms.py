"""Forms of changes by hand: what a change is about, from an address or a form; and why it is made."""

from collections.abc import Iterable
from typing import Any

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from tournaments.core.forms import ReasonForm
from tournaments.models import Entry
from tournaments.pairing.manual.round_draft import MAX_TABLE, Act, Change
from tournaments.rounds.services.rounds import SEED_BITS

UNDO = "undo"
ACTS = [(act.value, act.value) for act in Act] + [(UNDO, UNDO)]
MAX_CHOICES = 5


class PersonField(forms.CharField):
    """A player by number, by number and name as the page offers them, or by a name that only one player bears."""

    def __init__(self, **options: Any) -> None:
        """`entries` are set by the form."""
        options.setdefault("max_length", 140)
        super().__init__(required=False, **options)
        self.entries: list[Entry] = []
        self.widget.attrs.update({"list": "people", "autocomplete": "off"})

    def clean(self, value: Any) -> Any:
        """The entry's id, or None for nothing."""
        text = " ".join(super().clean(value).split())
        return find_person(text, self.entries).pk if text else None


def find_person(text: str, entries: Iterable[Entry]) -> Entry:
    """The one player that a text names; ValidationError for nobody, and for several."""
    entries, wanted = list(entries), text.casefold()
    number = text.partition(" ")[0].lstrip("#")
    if number.isdecimal():
        found = [entry for entry in entries if str(entry.number) == number]
    else:
        found = [entry for entry in entries if entry.name.casefold() == wanted]
        found = found or [entry for entry in entries if wanted in entry.name.casefold()]
    if not found:
        raise forms.ValidationError(
            _("No player “%(text)s” in this round. Type a number or name from this round."), params={"text": text}
        )
    if len(found) > 1:
        names = ", ".join(f"{entry.number} {entry.name}" for entry in found[:MAX_CHOICES])
        text = gettext("Several players match: %(names)s. Enter the number.")
        raise forms.ValidationError(text, params={"names": names if len(found) <= MAX_CHOICES else f"{names}, …"})
    return found[0]


class ChangeForm(forms.Form):
    """What a change is about: `act`, up to two players, the table, the number it gets, the seed of a new draw."""

    act = forms.ChoiceField(choices=ACTS)
    one = PersonField(label=_("Player"))
    other = PersonField(label=_("Other player"))
    table = forms.IntegerField(label=_("Table"), min_value=1, max_value=MAX_TABLE, required=False)
    to = forms.IntegerField(label=_("New number"), min_value=1, max_value=MAX_TABLE, required=False)
    seed = forms.IntegerField(min_value=0, max_value=2**SEED_BITS - 1, required=False)

    def __init__(self, *args: Any, entries: Iterable[Entry] = (), **kwargs: Any) -> None:
        """`entries` are who may be named."""
        super().__init__(*args, **kwargs)
        known = list(entries)
        for name in ("one", "other"):
            field = self.fields[name]
            assert isinstance(field, PersonField)
            field.entries = known

    @property
    def undoes(self) -> bool:
        """Whether the latest change is to be undone."""
        return bool(self.cleaned_data["act"] == UNDO)

    def change(self) -> Change:
        """The change, unless it `undoes`; call it on a valid form."""
        values = self.cleaned_data
        people = tuple(values[name] for name in ("one", "other") if values.get(name) is not None)
        return Change(Act(values["act"]), people, values["table"], values["to"], values["seed"] or 0)


class ConfirmForm(ReasonForm):
    """Why a change is made, and the state of the round that was looked at."""

    seen = forms.CharField(max_length=80, widget=forms.HiddenInput)

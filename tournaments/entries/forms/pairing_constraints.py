"""The forms of one entry: its club and team, and what it needs of the pairing."""

import re

from django import forms
from django.utils.translation import gettext_lazy as _

from tournaments.entries.services.pairing_constraints import LAST_TABLE, MAX_EXTRA_MINUTES, MAX_REASON
from tournaments.models import Entry, Tournament

MAX_NAMED = 140
ROUND_NUMBERS = re.compile(r"\d{1,2}(?:[\s,;]+\d{1,2})*")


class EntryForm(forms.Form):
    """What an entry is called, and whose mate it is."""

    name = forms.CharField(
        label=_("Name"), max_length=120, help_text=_("Corrected everywhere; the log keeps the old one.")
    )
    club = forms.CharField(label=_("Club"), max_length=80, required=False)
    team = forms.CharField(
        label=_("Team"),
        max_length=80,
        required=False,
        help_text=_("Same text, same team. Settings can keep team-mates apart."),
    )


class MemberForm(forms.Form):
    """One more member of a team."""

    name = forms.CharField(label=_("Name"), max_length=120)


class FixedTableForm(forms.Form):
    """The table that somebody needs; empty takes it away."""

    fixed_table = forms.IntegerField(
        label=_("Table"),
        required=False,
        min_value=1,
        max_value=LAST_TABLE,
        help_text=_("Used from the next pairing. Leave empty for none."),
    )


class NeedsForm(forms.Form):
    """What somebody needs of the place, the slips and the clock."""

    needs = forms.MultipleChoiceField(
        label=_("Needs"), choices=Entry.Need, required=False, widget=forms.CheckboxSelectMultiple
    )
    extra_minutes = forms.IntegerField(
        label=_("Extra minutes a match"),
        required=False,
        min_value=0,
        max_value=MAX_EXTRA_MINUTES,
        help_text=_("The table gets them when a round is published."),
    )

    def clean_extra_minutes(self) -> int:
        """None is none."""
        return self.cleaned_data["extra_minutes"] or 0


class ApartForm(forms.Form):
    """Somebody never to meet. Afterwards `other` is the entry meant."""

    other = forms.CharField(
        label=_("Avoid opponent"),
        max_length=MAX_NAMED,
        widget=forms.TextInput(attrs={"list": "others", "autocomplete": "off"}),
        help_text=_("Number or name of another player."),
    )
    reason = forms.CharField(
        label=_("Reason"),
        max_length=MAX_REASON,
        required=False,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
        help_text=_("Only judges and organisers see this."),
    )

    def __init__(self, *args: object, tournament: Tournament, **kwargs: object) -> None:
        """`tournament` holds the entries that may be named."""
        super().__init__(*args, **kwargs)  # type: ignore[arg-type]
        self.tournament = tournament

    def clean_other(self) -> Entry:
        """The one entry of this number, or else of this name."""
        said = " ".join(self.cleaned_data["other"].split())
        number = re.match(r"(?:no\. ?)?(\d{1,9})\b", said)
        entries = self.tournament.entries.all()
        found = list(entries.filter(number=int(number[1])) if number else entries.filter(name__iexact=said)[:2])
        if not found:
            raise forms.ValidationError(_("This event has no such player."))
        if len(found) > 1:
            raise forms.ValidationError(_("Several players match: use the number."))
        return found[0]


class ByesForm(forms.Form):
    """Rounds in which somebody has a bye. Afterwards `rounds` are their numbers."""

    rounds = forms.CharField(
        label=_("Bye in rounds"),
        max_length=80,
        widget=forms.TextInput(attrs={"autocomplete": "off", "inputmode": "decimal"}),
        help_text=_("Such as 1, 2. Only unpaired rounds."),
    )

    def clean_rounds(self) -> list[int]:
        """The numbers."""
        said = self.cleaned_data["rounds"]
        if not ROUND_NUMBERS.fullmatch(said):
            raise forms.ValidationError(_("Enter round numbers, such as 1, 2."))
        return [int(number) for number in re.findall(r"\d+", said)]

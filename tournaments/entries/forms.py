"""Entries: at the door, signing up, lists that staff type or upload, and what one entry needs of the pairing."""

import re
from typing import Any

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext_lazy as _

from accounts.http.stored_forms import StoredForm
from rules_engine.errors import DomainError
from tournaments.entries.entry_lists import EntryList, decode_upload, read_entry_list
from tournaments.entries.selectors.entries import find_member
from tournaments.entries.services.entries import MAX_LETTERS
from tournaments.entries.services.pairing_constraints import LAST_TABLE, MAX_EXTRA_MINUTES, MAX_REASON
from tournaments.models import Entry, EntryMember, Tournament


class DoorForm(forms.Form):
    """Who comes in. `who` answers the question that a name of the list raises: NEW, or the id of the member meant."""

    NEW = "new"

    name = forms.CharField(
        label=_("Your name"),
        max_length=MAX_LETTERS,
        help_text=_("Everybody reads it in pairings and standings."),
        widget=forms.TextInput(attrs={"autocomplete": "name", "autocapitalize": "words", "spellcheck": "false"}),
    )
    who = forms.CharField(required=False, max_length=20, widget=forms.HiddenInput)


class SignUpForm(forms.Form):
    """What an entry says besides the name: club and team, whose mates the organiser can keep from meeting."""

    club = forms.CharField(
        label=_("Club"),
        max_length=80,
        required=False,
        help_text=_("Public. The organiser can keep mates of a club or team apart."),
    )
    team = forms.CharField(label=_("Team"), max_length=80, required=False)


class OneEntryForm(forms.Form):
    """One person at the door. Afterwards `text` is the line of a list that means the same."""

    name = forms.CharField(label=_("Name"), max_length=120)
    club = forms.CharField(label=_("Club"), max_length=80, required=False)
    team = forms.CharField(label=_("Team"), max_length=80, required=False)
    members = forms.CharField(
        label=_("Members"),
        max_length=400,
        required=False,
        help_text=_("For a shared seat: names in seat order, with commas."),
    )

    def clean(self) -> dict[str, Any]:
        """Refuse what a list could not hold."""
        values: dict[str, Any] = super().clean() or {}
        for name in self.fields:
            if set(values.get(name, "")) & set(';\t\n"'):
                self.add_error(name, _("Remove semicolons and quotation marks."))
        return values

    @property
    def text(self) -> str:
        values = self.cleaned_data
        return f"{values['name']};{values['club']};;{values['team']};{values['members']}".rstrip(";")


class EntryListForm(forms.Form):
    """One person a line, or a file of them. Afterwards `read` is the list and `text` what it was read from."""

    text = forms.CharField(
        label=_("Names, one per line"),
        required=False,
        strip=False,
        widget=forms.Textarea(attrs={"rows": 6, "spellcheck": "false", "autocapitalize": "words"}),
        help_text=_("“Ada Lindqvist” or “Ada Lindqvist; Lantern Club”. With preview."),
    )
    upload = forms.FileField(
        label=_("Or a CSV file"),
        required=False,
        widget=forms.FileInput(attrs={"accept": ".csv,.txt,text/csv,text/plain"}),
        help_text=_("Name, club, email, team, members (“Ada + Ben”). Heading optional."),
    )

    read: EntryList
    text_read: str
    encoding = ""
    """Of an uploaded file; "" for what was typed."""

    @property
    def turns(self) -> bool:
        """Whether “Lindqvist, Ada” means Ada Lindqvist, as asked in the preview."""
        return bool(self.data.get("turns"))

    def clean(self) -> dict[str, Any]:
        """Read the file, or the text without one."""
        values: dict[str, Any] = super().clean() or {}
        upload = values.get("upload")
        field = "upload" if upload else "text"
        try:
            self.text_read = values.get("text", "")
            if upload:
                self.text_read, self.encoding = decode_upload(upload.read())
            self.read = read_entry_list(self.text_read, turns=self.turns)
        except DomainError as error:
            self.add_error(field, error.message)
            return values
        if not self.read.drafts and not self.read.problems:
            self.add_error(field, _("Enter at least one name."))
        return values


MAX_NAMED = 140
ROUND_NUMBERS = re.compile(r"\d{1,2}(?:[\s,;]+\d{1,2})*")


class EntryForm(StoredForm):
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
    """One more member of a team; stands beside other forms that ask for a name."""

    name = forms.CharField(label=_("Name"), max_length=120)

    def __init__(self, data: QueryDict | None = None) -> None:
        super().__init__(data, auto_id="new-member-%s")


class ChangeMemberForm(StoredForm):
    """A member's name, where a team is called otherwise, and email corrected; `values` are those that are to change."""

    name = forms.CharField(
        label=_("Name"),
        max_length=120,
        help_text=_("The personal link stays valid. For another person, create a new one: it ends the old one."),
    )
    email = forms.EmailField(
        label=_("New email"), max_length=254, required=False, help_text=_("Leave empty to keep the present one.")
    )

    def __init__(
        self, data: QueryDict | None = None, *, member: EntryMember, takes_name: bool, takes_email: bool
    ) -> None:
        """`takes_email`: whether the viewer may say where personal links are mailed."""

        def stored() -> dict[str, str]:
            held = find_member(member.entry, member.order) if data else member  # a page shows all, and sends one
            return {"name": held.person.name}

        super().__init__(data, stored=stored, auto_id=f"member-{member.order}-%s")
        self.member = member
        for name, is_taken in (("name", takes_name), ("email", takes_email)):
            if not is_taken:
                del self.fields[name]

    @property
    def values(self) -> dict[str, str]:
        """Name, and email where one was typed."""
        return {key: value for key, value in self.cleaned_data.items() if value}


class FixedTableForm(StoredForm):
    """The table that a person needs; empty takes it away."""

    fixed_table = forms.IntegerField(
        label=_("Table"),
        required=False,
        min_value=1,
        max_value=LAST_TABLE,
        help_text=_("Used from the next pairing. Leave empty for none."),
    )


class NeedsForm(StoredForm):
    """What a person needs of the place, the slips and the clock."""

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
    """A person never to meet. Afterwards `other` is the entry meant."""

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
    """Rounds in which a person has a bye. Afterwards `rounds` are their numbers."""

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

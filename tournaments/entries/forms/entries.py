"""The form in which staff type, paste or upload the people to enter."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from rules_engine.errors import DomainError
from tournaments.entries.entry_lists import EntryList, decode_upload, read_entry_list


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
        """The line."""
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

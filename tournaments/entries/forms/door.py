"""The form at the door: one name."""

from django import forms
from django.utils.translation import gettext_lazy as _

from tournaments.entries.services.entries import MAX_LETTERS


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

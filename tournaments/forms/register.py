"""The form in which a player signs up."""

from django import forms
from django.utils.translation import gettext_lazy as _


class SignUpForm(forms.Form):
    """What an entry says besides the name: the club or team, which keeps mates apart in the first rounds."""

    club = forms.CharField(
        label=_("Club or team"),
        max_length=80,
        required=False,
        help_text=_("Shown to the organiser, who can keep mates of one club apart in the first rounds."),
    )

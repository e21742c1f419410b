"""The form in which a player signs up."""

from django import forms
from django.utils.translation import gettext_lazy as _


class SignUpForm(forms.Form):
    """What an entry says besides the name: club and team, whose mates the organiser can keep from meeting."""

    club = forms.CharField(
        label=_("Club"),
        max_length=80,
        required=False,
        help_text=_("Public. The organiser can keep mates of a club or team apart."),
    )
    team = forms.CharField(label=_("Team"), max_length=80, required=False)

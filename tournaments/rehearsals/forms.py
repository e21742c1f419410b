"""How many made-up players come to a rehearsal."""

from django import forms
from django.utils.translation import gettext_lazy as _

from tournaments.rehearsals.services import MAX_PLAYERS, MIN_PLAYERS

USUAL_PLAYERS = 16
"""How many come unless the organiser says otherwise, or entered others: enough for four rounds and a cut."""


class RehearseForm(forms.Form):
    """How many made-up players come."""

    players = forms.IntegerField(
        label=_("Test players"), min_value=MIN_PLAYERS, max_value=MAX_PLAYERS,
        widget=forms.NumberInput(attrs={"inputmode": "numeric"}),
    )  # fmt: skip

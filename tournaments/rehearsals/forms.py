"""How many made-up players come to a rehearsal."""

from django import forms
from django.utils.translation import gettext_lazy as _

from tournaments.rehearsals.services import MAX_PLAYERS, MIN_PLAYERS


class RehearseForm(forms.Form):
    """How many made-up players come."""

    players = forms.IntegerField(
        label=_("Test players"), min_value=MIN_PLAYERS, max_value=MAX_PLAYERS,
        widget=forms.NumberInput(attrs={"inputmode": "numeric"}),
    )  # fmt: skip

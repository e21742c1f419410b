"""The numbers of an event being planned."""

from django import forms
from django.utils.translation import gettext_lazy as _

from tournaments.forecast.planning import MAX_PLAYERS, MAX_ROUNDS, Plan
from tournaments.timing import MAX_MINUTES


class PlanForm(forms.Form):
    """How many players, rounds and players in the cut; how many matches are drawn; how long a round is."""

    players = forms.IntegerField(label=_("Players"), min_value=4, max_value=MAX_PLAYERS)
    rounds = forms.IntegerField(label=_("Swiss rounds"), min_value=1, max_value=MAX_ROUNDS)
    cut = forms.IntegerField(
        label=_("How many play on"), min_value=0, max_value=128, help_text=_("0: the event ends after these rounds.")
    )
    draws = forms.IntegerField(label=_("Draws (%)"), min_value=0, max_value=100)
    minutes = forms.IntegerField(
        label=_("Round length (minutes)"), min_value=0, max_value=MAX_MINUTES, help_text=_("0: no clock.")
    )

    def clean_cut(self) -> int:
        """No more play on than play."""
        cut: int = self.cleaned_data["cut"]
        if cut > self.cleaned_data.get("players", cut):
            raise forms.ValidationError(_("The cut can't be larger than the number of players."))
        return cut

    def plan(self) -> Plan:
        """The plan; call it once the form is valid."""
        values = self.cleaned_data
        return Plan(values["players"], values["rounds"], values["cut"], values["draws"] / 100)

"""Forms of the clock's presses: minutes more or less, and why."""

from django import forms
from django.utils.translation import gettext_lazy as _

from tournaments.models import RoundClock

MAX_MINUTES = 12 * 60


class ClockForm(forms.Form):
    """What a press says: the phase and its length as the official saw them, minutes to add, a reason."""

    phase = forms.ChoiceField(choices=RoundClock.Phase.choices, required=False)
    seen = forms.IntegerField(required=False, min_value=0)
    minutes = forms.IntegerField(label=_("Minutes"), required=False, min_value=-MAX_MINUTES, max_value=MAX_MINUTES)
    reason = forms.CharField(label=_("Reason"), required=False, max_length=500)


class ExtraTimeForm(forms.Form):
    """Minutes for one table, negative to take some back, and why; `seen` are the extra seconds it had on the page."""

    minutes = forms.IntegerField(label=_("Minutes"), min_value=-120, max_value=120)
    reason = forms.CharField(label=_("Reason"), max_length=500)
    seen = forms.IntegerField(required=False, min_value=0)

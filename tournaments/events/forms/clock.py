"""The minutes of an event: of a round, of stacking, before a warning, and until a missing player loses."""

from django import forms
from django.utils.translation import gettext_lazy as _

from accounts.http.numbers import NumbersField
from tournaments.core.forms import LocalDateTimeInput
from tournaments.timing import MAX_MINUTES, MOST_WARNINGS


class ClockForm(forms.Form):
    """How long things take; an empty field means as usual, or never."""

    stacking_minutes = forms.IntegerField(label=_("Deck stacking (minutes)"), required=False, min_value=0, max_value=60)
    round_minutes = forms.IntegerField(label=_("Round length (minutes)"), required=False, min_value=0, max_value=600)
    clock_warnings = NumbersField(
        label=_("Clock warns at (minutes left)"), required=False, most=MAX_MINUTES, many=MOST_WARNINGS
    )
    no_show_game_minutes = forms.IntegerField(
        label=_("No-show: game loss after (minutes)"),
        required=False,
        min_value=1,
        max_value=MAX_MINUTES,
        help_text=_("From the start of the round. Judges see it as a proposal. Leave empty for none."),
    )
    no_show_match_minutes = forms.IntegerField(
        label=_("No-show: match loss after (minutes)"), required=False, min_value=1, max_value=MAX_MINUTES
    )
    hall_closes_at = forms.DateTimeField(
        label=_("The hall closes at"),
        required=False,
        help_text=_("Staff see whether the event is over by then."),
        widget=LocalDateTimeInput,
    )

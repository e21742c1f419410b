"""The forms that use an event again: as a template of a new one, and for a rehearsal."""

from typing import Any

from django import forms
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from tournaments.core.forms import LocalDateTimeInput
from tournaments.models import Tournament


class CopyForm(forms.Form):
    """What is different in the new event; the time is typed in its own time zone."""

    name = forms.CharField(label=_("Name"), max_length=120)
    starts_at = forms.DateTimeField(label=_("Starts"), widget=LocalDateTimeInput)
    same_staff = forms.BooleanField(label=_("The same staff, in the same roles"), required=False)

    def __init__(self, *args: Any, tournament: Tournament, **kwargs: Any) -> None:
        """`tournament` is the event to be copied."""
        super().__init__(*args, **kwargs)
        self.zone = tournament.time_zone
        self.fields["starts_at"].help_text = self.zone

    def full_clean(self) -> None:
        """Read the time as one of the event's zone."""
        with timezone.override(self.zone):
            super().full_clean()

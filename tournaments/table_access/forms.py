"""The form with which staff hand out codes for tables."""

from typing import Any

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from tournaments.core.forms import LocalDateTimeInput
from tournaments.table_access.services import HIGHEST_TABLE


class IssueCodesForm(forms.Form):
    """For which tables, and how long the codes work; times are those of the event's zone."""

    first = forms.IntegerField(label=_("From table"), min_value=1, max_value=HIGHEST_TABLE)
    last = forms.IntegerField(label=_("To table"), min_value=1, max_value=HIGHEST_TABLE)
    valid_from = forms.DateTimeField(label=_("They work from"), required=False, widget=LocalDateTimeInput)
    expires_at = forms.DateTimeField(
        label=_("They work until"),
        required=False,
        widget=LocalDateTimeInput,
        help_text=_("Leave empty for the latest: 6 in the morning after the event's day."),
    )

    def clean(self) -> dict[str, Any]:
        """The last table is not before the first."""
        values: dict[str, Any] = super().clean() or {}
        first, last = values.get("first"), values.get("last")
        if first and last and last < first:
            self.add_error("last", gettext("The last table comes before the first."))
        return values

"""The part of a result form that corrects: what counted on the page, and why it is wrong."""

from typing import Any

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts.http.choices import set_choices
from tournaments.core.forms import MAX_REASON

REASONS = (_("Entered the wrong way round"), _("Wrong button pressed"), _("Ruling of a judge"))
"""Why a result is mostly corrected."""


class ReasonedCorrection(forms.Form):
    """Mixed into a form of results: a reason by one tap or in words; `seen` is the id of the report looked at."""

    seen = forms.IntegerField(widget=forms.HiddenInput)
    why = forms.ChoiceField(label=_("Why?"), widget=forms.RadioSelect, required=False)
    reason = forms.CharField(
        label=_("Other reason"),
        max_length=MAX_REASON,
        required=False,
        help_text=_("Kept with the correction. The result so far stays in the log."),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        set_choices(self, "why", list(enumerate(REASONS)))

    def clean_reason(self) -> str:
        """The reason as it is stored: typed words, else the tapped ones."""
        why = self.cleaned_data.get("why")
        reason = self.cleaned_data["reason"].strip() or (str(REASONS[int(why)]) if why else "")
        if not reason:
            raise forms.ValidationError(gettext("Tap a reason, or write one."))
        return reason

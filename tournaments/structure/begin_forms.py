"""The form that begins the next stage, with the cut it was opened for."""

from collections.abc import Sequence

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext_lazy as _

from accounts.http.choices import set_choices
from tournaments.core.forms import MAX_REASON


class BeginForm(forms.Form):
    """The POST that begins the next stage: the cut looked at, and where a tie is not left to the lot, who plays on."""

    seen = forms.CharField(widget=forms.HiddenInput, max_length=40)
    chosen = forms.TypedMultipleChoiceField(
        label=_("Those of the tied who play on"), coerce=int, required=False, widget=forms.CheckboxSelectMultiple
    )
    reason = forms.CharField(
        label=_("Reason"),
        max_length=MAX_REASON,
        required=False,
        help_text=_("Needed where you choose yourself. It is kept in the log."),
    )

    def __init__(self, data: QueryDict | None, *, tied: Sequence[tuple[int, str]], seen: str) -> None:
        """`tied` are the entries tied at the line, by id and name."""
        super().__init__(data, initial={"seen": seen})
        set_choices(self, "chosen", tied)
        if not tied:
            del self.fields["chosen"], self.fields["reason"]

"""Forms of single acts that need a word of explanation: a reason, the event's name typed again."""

from typing import Any

from django import forms
from django.utils.html import format_html
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

MAX_REASON = 500


class ReasonForm(forms.Form):
    """Why something unusual is done; the reason is kept in the log."""

    reason = forms.CharField(label=_("Reason"), max_length=MAX_REASON, help_text=_("It is kept in the log."))


class WithoutForm(ReasonForm):
    """Why a round is paired although results are missing; `without` are the ids of the matches that the page listed."""

    without = forms.CharField(widget=forms.HiddenInput, required=False)

    def clean_without(self) -> list[int]:
        """The ids; what is none is passed over, so that its match counts as not listed."""
        ids = self.cleaned_data["without"].split(",")
        return [int(each) for each in ids if each.isascii() and each.isdecimal() and len(each) < 19]


class CancelForm(ReasonForm):
    """A reason, and the event's name as a safeguard against the wrong event."""

    typed_name = forms.CharField(label=_("Name of the event"), max_length=120)

    def __init__(self, *args: Any, event_name: str, **kwargs: Any) -> None:
        """`event_name` is what must be typed."""
        super().__init__(*args, **kwargs)
        self.event_name = event_name
        text = gettext("Type “{name}” to confirm.")
        self.fields["typed_name"].help_text = format_html(text, name=event_name)

    def clean_typed_name(self) -> str:
        """The name, if it is this event's; capital letters and spaces do not matter."""
        typed = " ".join(self.cleaned_data["typed_name"].split())
        if typed.casefold() != " ".join(self.event_name.split()).casefold():
            raise forms.ValidationError(_("This is not the name of this event."))
        return typed


class LocalDateTimeInput(forms.DateTimeInput):
    """Date and time as the browser's own picker writes them."""

    input_type = "datetime-local"

    def __init__(self) -> None:
        super().__init__(format="%Y-%m-%dT%H:%M")

"""The form of a new event: what it is, how it is structured, and whether its organiser judges too."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from accounts.http.choices import set_choices
from tournaments.events.forms.settings import EventForm
from tournaments.structure.services.structures import WHOLE, structures_of


class NewEventForm(EventForm):
    """A new event, how it is structured, and whether its organiser judges too."""

    is_new = True

    structure = forms.ChoiceField(
        label=_("Structure"), widget=forms.RadioSelect, required=False, help_text=_("Adjust it later under Stages.")
    )

    also_judge = forms.BooleanField(
        label=_("I also judge"),
        required=False,
        help_text=_("You can read hidden decklists. Staff see that you judge; it is logged."),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        """Offer the structures that the way to play allows; nothing is asked where there is but one."""
        super().__init__(*args, **kwargs)
        offered = structures_of(self.way)
        set_choices(self, "structure", offered.items())
        if len(offered) == 1:
            del self.fields["structure"]

    def clean(self) -> dict[str, Any]:
        """A structure without Swiss rounds takes no number of them, and its page hides what was filled in."""
        values = super().clean()
        if values.get("structure") not in WHOLE:
            return values
        self.errors.pop("swiss_rounds", None)
        return {**values, "swiss_rounds": None}

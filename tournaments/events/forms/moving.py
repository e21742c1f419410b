"""The form that says where an event goes on."""

from django import forms
from django.utils.translation import gettext_lazy as _

from tournaments.events.services.moving import MAX_ADDRESS, MAX_PLACE


class MoveForm(forms.Form):
    """In words, and at which address; the service says whether it is one."""

    to = forms.CharField(
        label=_("Where to"),
        max_length=MAX_PLACE,
        help_text=_("Shown on every page of this event."),
    )
    url = forms.CharField(
        label=_("Address of the event there"),
        required=False,
        max_length=MAX_ADDRESS,
        widget=forms.URLInput(attrs={"autocomplete": "off"}),
        help_text=_("Visitors get a link to it."),
    )

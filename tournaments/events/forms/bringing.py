"""The form that brings an event from its file."""

from django import forms
from django.utils.translation import gettext_lazy as _


class BringForm(forms.Form):
    """A public event file; a site admin may name the key of another site."""

    upload = forms.FileField(
        label=_("Event file"),
        widget=forms.FileInput(attrs={"accept": ".zip,.json,application/zip,application/json"}),
        help_text=_(
            "“Check this event” on the event's page gives it to everybody. A file in the format swiss-event/1 of "
            "another program will do, too."
        ),
    )
    key = forms.CharField(
        label=_("Key of another site that signed it"),
        required=False,
        max_length=80,
        widget=forms.TextInput(attrs={"autocomplete": "off", "spellcheck": "false"}),
        help_text=_("Take it from that site's own page. Leave empty for a file of this site."),
    )

    def __init__(self, *args: object, is_admin: bool, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)  # type: ignore[arg-type]
        if not is_admin:
            del self.fields["key"]

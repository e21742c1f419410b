"""The field of an event's time zone: a name of the time zone database, or the city in it."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from tournaments.models.event import time_zones, validate_time_zone


def zone_names() -> list[str]:
    """The time zones offered while typing."""
    return sorted(name for name in time_zones() if "/" in name and not name.startswith("Etc/"))


def zone_called(text: str) -> str:
    """The time zone of this name, in any case, or of this city where only one has it; the text itself for no zone."""
    typed = "_".join(text.split()).casefold()
    named = [name for name in time_zones() if name.casefold() == typed]
    found = named or [name for name in zone_names() if name.rpartition("/")[2].casefold() == typed]
    return found[0] if len(found) == 1 else text


class TimeZoneField(forms.CharField):
    """Answers the zone's name in full. In the place of `data-guess` the page puts the browser's."""

    default_validators = [validate_time_zone]

    def __init__(self, **kwargs: Any) -> None:
        widget = forms.TextInput(attrs={"list": "zones", "autocapitalize": "none", "spellcheck": "false"})
        label, help_text = _("Time zone"), _("A city, or a name such as Europe/Berlin. For all times of the event.")
        super().__init__(label=label, help_text=help_text, max_length=64, widget=widget, **kwargs)

    def to_python(self, value: Any) -> str:
        """The zone's name in full, where one is meant."""
        return zone_called(str(super().to_python(value) or ""))

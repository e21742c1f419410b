"""Forms of what staff do with an event: invite, move, look into the log, bring from a file, use again."""

from collections.abc import Mapping
from functools import reduce
from operator import or_
from typing import Any

from django import forms
from django.db.models import Q
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from tournaments.core.forms import LocalDateTimeInput
from tournaments.events.services.moving import MAX_ADDRESS, MAX_PLACE
from tournaments.models import Role, Tournament

ROLE_WORDS = {
    Role.Name.SCOREKEEPER: _("Scorekeeper: enters people and results"),
    Role.Name.JUDGE: _("Judge: also reads decks, corrects closed rounds"),
    Role.Name.HEAD_JUDGE: _("Head judge: a judge who also re-pairs tables by hand"),
    Role.Name.CHECK_IN: _("Check-in helper: only checks players in"),
    Role.Name.STREAM: _("Stream: sees the event and its overlays, changes nothing"),
    Role.Name.ORGANISER: _("Organiser: can do everything but read decks"),
}
"""What each role may do, for those who invite and those who are invited."""


class InviteForm(forms.Form):
    role = forms.ChoiceField(
        label=_("Role"),
        choices=list(ROLE_WORDS.items()),
        widget=forms.RadioSelect,
        initial=Role.Name.SCOREKEEPER,
    )


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


KINDS: Mapping[str, tuple[Promise, tuple[str, ...]]] = {
    "results": (_("Results and sheets"), ("result", "sheet", "client")),
    "rounds": (_("Rounds and stages"), ("round", "stage", "stages", "match")),
    "entries": (_("Entries and door"), ("entry", "need", "door")),
    "decks": (_("Decks"), ("deck",)),
    "judges": (_("Penalties and calls"), ("penalty", "call")),
    "room": (_("Clock and announcements"), ("clock", "announcement", "table_codes")),
    "event": (_("Event and staff"), ("event", "staff", "outlook", "webhook", "work")),
}
"""By the name in the address: the words, and how the acts of a kind begin."""
MAX_ACTOR = 100
"""Characters of an actor's key in the log; they have at most 64."""


class LogSearchForm(forms.Form):
    """Which lines are looked for; nothing chosen shows all."""

    kind = forms.ChoiceField(
        label=_("Actions"),
        required=False,
        choices=[("", _("All")), *((key, words) for key, (words, _acts) in KINDS.items())],
    )
    table = forms.IntegerField(label=_("Table"), required=False, min_value=1, max_value=9999)
    actor = forms.CharField(required=False, max_length=MAX_ACTOR, widget=forms.HiddenInput())

    def wanted(self) -> Q:
        """What the lines must meet; what was sent and cannot be read is left out."""
        self.is_valid()
        return wanted_acts(*(self.cleaned_data.get(name) for name in ("kind", "table", "actor")))


def wanted_acts(kind: str | None, table: int | None, actor: str | None) -> Q:
    """What an entry of the log must meet to be of a kind of `KINDS`, if given, about a table and by an actor's key."""
    found = Q(subjects__table=table) if table else Q()
    found &= Q(actor=actor) if actor else Q()
    return found & reduce(or_, (Q(act__startswith=f"{act}.") for act in KINDS[kind][1])) if kind else found


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

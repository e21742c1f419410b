"""Which lines of an event's log are looked for."""

from collections.abc import Mapping
from functools import reduce
from operator import or_

from django import forms
from django.db.models import Q
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

KINDS: Mapping[str, tuple[Promise, tuple[str, ...]]] = {
    "results": (_("Results and sheets"), ("result", "sheet")),
    "rounds": (_("Rounds and stages"), ("round", "stage", "stages", "match")),
    "entries": (_("Entries and door"), ("entry", "need", "door")),
    "decks": (_("Decks"), ("deck",)),
    "judges": (_("Penalties and calls"), ("penalty", "call")),
    "room": (_("Clock and announcements"), ("clock", "announcement", "table_codes")),
    "event": (_("Event and staff"), ("event", "staff", "outlook", "webhook", "work")),
}
"""By the name in the address: the words, and how the acts of a kind begin."""


class LogSearchForm(forms.Form):
    """Which lines are looked for; nothing chosen shows all."""

    kind = forms.ChoiceField(
        label=_("Actions"),
        required=False,
        choices=[("", _("all")), *((key, words) for key, (words, _acts) in KINDS.items())],
    )
    table = forms.IntegerField(label=_("Table"), required=False, min_value=1, max_value=9999)

    def wanted(self) -> Q:
        """What the lines must meet; what was sent and cannot be read is left out."""
        self.is_valid()
        kind, table = self.cleaned_data.get("kind"), self.cleaned_data.get("table")
        found = Q(subjects__table=table) if table else Q()
        return found & reduce(or_, (Q(act__startswith=f"{act}.") for act in KINDS[kind][1])) if kind else found

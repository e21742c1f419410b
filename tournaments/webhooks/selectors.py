"""What happened at an event since a number of its log, as far as the reader may see: for the API and for webhooks.

Numbers only grow and an act is stored whole or not at all, so that whoever asks again after the last number misses
nothing. What a webhook is not sent leaves gaps between the numbers: how many acts there were is for organisers and
whom they chose to tell, for it says when a judge was called.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from django.db.models import F, OuterRef, Q, QuerySet, Subquery

from journal.ledger.selectors import Head, head_of
from journal.models import LedgerEntry, LedgerHead
from tournaments.core.audiences import ROOM, ROOM_ONCE_PUBLISHED, UNDONE, public_subjects
from tournaments.models import Tournament, Webhook

MAYBE_PUBLIC = Q(act__in=(*ROOM, *ROOM_ONCE_PUBLISHED, UNDONE)) | Q(act__startswith="clock.")
MAYBE_PUBLIC |= Q(act__startswith="announcement.")
"""What the database can tell of who is notified; the rest stands in what an act is about."""
TOPICS = {
    "event": "event", "outlook": "event", "entry": "entries", "person": "entries",
    "round": "rounds", "stage": "rounds", "stages": "rounds",
    "match": "rounds", "result": "results", "clock": "room", "announcement": "room",
}  # fmt: skip
"""The topic of acts, by the first word of their name."""


@dataclass(frozen=True, slots=True)
class Change:
    """An act as its reader may see it: what happened when, and to what."""

    sequence: int
    at: datetime
    act: str
    subjects: Mapping[str, object]

    @property
    def topic(self) -> str:
        """What it is about; of an act undone, what that was about."""
        return TOPICS[str(self.subjects.get("what", self.act)).partition(".")[0]]


@dataclass(frozen=True, slots=True)
class Changes:
    """Changes after `after` as they happened; `next` is the number to ask after, `head` the newest entry of the log."""

    after: int
    changes: tuple[Change, ...]
    next: int
    head: Head


def changes_after(tournament: Tournament, after: int, limit: int, *, whole: bool = False) -> Changes:
    """The changes after a number of the log, looked for in `limit` acts; `whole` for who may read the whole log."""
    head = head_of(tournament.stream)
    acts = LedgerEntry.objects.filter(stream=tournament.stream, sequence__gt=after, sequence__lte=head.sequence)
    rows = list((acts if whole else acts.filter(MAYBE_PUBLIC)).order_by("sequence")[:limit])
    seen = rows[-1].sequence if len(rows) == limit else max(after, head.sequence)
    subjects = [(row, row.subjects if whole else public_subjects(row.act, row.subjects)) for row in rows]
    changes = (Change(row.sequence, row.at, row.act, about) for row, about in subjects if about is not None)
    return Changes(after, tuple(changes), seen, head)


def webhooks_of(tournament: Tournament) -> QuerySet[Webhook]:
    """An event's webhooks, the oldest first, with `behind`: how many entries of the log they have not been through."""
    head = LedgerHead.objects.filter(pk=OuterRef("tournament__stream")).values("sequence")[:1]
    return tournament.webhooks.annotate(behind=Subquery(head) - F("sent_through")).order_by("pk")

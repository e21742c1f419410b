"""Contact data of players without an account: it goes by itself once their events are long over.

What an account holds is its owner's, who removes it on their own page.
"""

from collections import Counter
from datetime import datetime, timedelta

from django.db.models import Exists, OuterRef, Q, QuerySet, Subquery

from accounts.actors import SYSTEM
from accounts.identity.selectors import STREAM
from accounts.models import Person, PushSubscription
from journal.ledger.services import record
from journal.models import LedgerEntry
from journal.transactions import in_transaction
from tournaments.models import EntryMember, Tournament

KEPT = timedelta(days=90)
"""How long after an event its contact data is kept, unless the event says for good."""
AT_ONCE = 500
"""Persons in one run, so that nobody waits long for the database; the next run goes on."""
REMOVED = "contacts_removed"


@in_transaction
def remove_contacts(now: datetime) -> int:
    """Remove mail addresses, wishes for mail and browsers to notify; answers of how many persons.

    The log of the accounts gets one entry an event, with their number alone: that of the event is closed, and its head
    may be on paper.
    """
    due = _due(now).select_for_update(of=("self",)).order_by("pk")
    persons = list(due.values_list("pk", flat=True)[:AT_ONCE])
    if not persons:
        return 0
    PushSubscription.objects.filter(person__in=persons).delete()
    Person.objects.filter(pk__in=persons).update(email="", mails_pairings=False, language="")
    for event, count in sorted(Counter(_last_events(persons).values()).items()):
        record(STREAM, REMOVED, SYSTEM.key, "system", now, {"event": event, "count": count})
    return len(persons)


def _due(now: datetime) -> QuerySet[Person]:
    """Guests with contact data none of whose events keeps it, goes on, or was over less than KEPT ago."""
    places = EntryMember.objects.filter(person=OuterRef("pk"))
    browsers = PushSubscription.objects.filter(person=OuterRef("pk"))
    guests = Person.objects.filter(user=None).filter(~Q(email="") | Q(mails_pairings=True) | Exists(browsers))
    return guests.filter(Exists(places), ~Exists(places.filter(tournament__in=_keeping(now - KEPT))))


def _keeping(since: datetime) -> QuerySet[Tournament]:
    """The events that keep contact data: for good, or since their end is not long ago.

    One that nobody finished ends with its last act, but not before its start.
    """
    last = LedgerEntry.objects.filter(stream=OuterRef("stream")).order_by("-sequence").values("at")[:1]
    events = Tournament.objects.annotate(last=Subquery(last))
    finished = Q(state=Tournament.State.FINISHED)
    recent = Q(finished_at__gt=since) & finished | (Q(starts_at__gt=since) | Q(last__gt=since)) & ~finished
    return events.filter(Q(keeps_contacts=True) | recent).order_by()


def _last_events(persons: list[int]) -> dict[int, int]:
    """The newest event of each person."""
    places = EntryMember.objects.filter(person__in=persons).order_by("tournament__starts_at", "pk")
    return dict(places.values_list("person", "tournament"))

"""Personal links within an event: how long they open, and which seats have a player who can speak by name."""

from collections.abc import Iterable
from datetime import datetime, timedelta

from django.db.models import Q

from accounts.identity.selectors import live_links
from tournaments.models import EntryMember, Seat, Tournament
from tournaments.permissions import OVER

AFTER_END = timedelta(days=7)
LONGEST = timedelta(days=60)


def last_of_links(tournament: Tournament, now: datetime) -> datetime:
    """Until when personal links open: a week after the end, set at the end; before it, 60 days after the start."""
    return now + AFTER_END if tournament.state in OVER else max(tournament.starts_at, now) + LONGEST


def seats_with_names(tournament: Tournament, seats: Iterable[Seat]) -> set[int]:
    """The seats, by id, of which a player has an account or a live personal link: no table's code speaks for them.

    One query.
    """
    entries = {seat.entry_id: seat.pk for seat in seats}
    links = live_links().filter(scope__in=("", tournament.stream)).values("person")
    named = EntryMember.objects.filter(Q(person__user__isnull=False) | Q(person__in=links), entry__in=entries)
    return {entries[entry] for entry in named.values_list("entry", flat=True)}

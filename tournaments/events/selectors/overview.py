"""What the staff's first page counts."""

from dataclasses import dataclass

from django.db.models import Count, Q

from tournaments.decks.selectors.decks import DeckCounts, checks_decks, deck_counts, deck_rows
from tournaments.events.selectors.events import NextStep
from tournaments.models import Entry, Match, Tournament

State = Entry.State


@dataclass(frozen=True, slots=True)
class EntryCounts:
    """Entries by state; `present` are those checked in among the registered."""

    registered: int
    present: int
    waiting: int
    dropped: int
    withdrawn: int

    @property
    def absent(self) -> int:
        return self.registered - self.present


def entry_counts(tournament: Tournament) -> EntryCounts:
    """How many entries an event has in each state; one query."""
    found = tournament.entries.aggregate(
        registered=Count("pk", filter=Q(state=State.REGISTERED)),
        present=Count("pk", filter=Q(state=State.REGISTERED, checked_in_at__isnull=False)),
        waiting=Count("pk", filter=Q(state=State.WAITING)),
        dropped=Count("pk", filter=Q(state=State.DROPPED)),
        withdrawn=Count("pk", filter=Q(state=State.WITHDRAWN)),
    )
    return EntryCounts(**found)


def deck_overview(tournament: Tournament) -> DeckCounts | None:
    """The decks counted, None where the format has none; two queries."""
    return deck_counts(deck_rows(tournament)) if checks_decks(tournament) else None


def unfinished_matches(step: NextStep) -> list[Match]:
    """The matches without a result, conflicts first, then by round and table."""
    return sorted(
        step.missing,
        key=lambda match: (match.state != Match.State.CONFLICT, match.round.number, match.table_number or 0),
    )

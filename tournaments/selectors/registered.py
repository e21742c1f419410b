"""What a player registered for an event over time, read from the ledger."""

from dataclasses import dataclass
from datetime import datetime

from decks.models import DeckVersion
from journal.models import LedgerEntry
from tournaments.models import EntryMember, Tournament

ACTS = ("deck.registered", "deck.replaced")


@dataclass(frozen=True, slots=True)
class Registration:
    """One registration: when, which version, and whether a judge made it."""

    at: datetime
    version: DeckVersion
    by_judge: bool


def registrations_of(tournament: Tournament, member: EntryMember) -> list[Registration]:
    """Every deck the member registered for the event, newest first; two queries."""
    acts = LedgerEntry.objects.filter(
        stream=tournament.stream, act__in=ACTS, subjects__entry=member.entry.number
    ).order_by("-sequence")
    found = [(act.at, act.subjects["version"], act.act == ACTS[1]) for act in acts]
    versions = (
        DeckVersion.objects.select_related("deck")
        .filter(deck__owner=member.person)
        .in_bulk([version for _at, version, _by_judge in found])
    )
    return [Registration(at, versions[pk], by_judge) for at, pk, by_judge in found if pk in versions]

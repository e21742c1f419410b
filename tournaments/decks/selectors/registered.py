"""What a player registered for an event over time, read from the ledger."""

from dataclasses import dataclass
from datetime import datetime

from decks.models import DeckVersion
from journal.models import LedgerEntry
from tournaments.models import EntryMember, Tournament

ACTS = ("deck.registered", "deck.replaced")


@dataclass(frozen=True, slots=True)
class Registration:
    """One registration: when, which version, its commitment, and whether a judge made it."""

    at: datetime
    version: DeckVersion
    commitment: str
    by_judge: bool


def registrations_of(tournament: Tournament, member: EntryMember) -> list[Registration]:
    """Every deck the member registered for the event, newest first; two queries."""
    acts = LedgerEntry.objects.filter(
        stream=tournament.stream, act__in=ACTS, subjects__entry=member.entry.number
    ).order_by("-sequence")
    found = [(act, act.subjects["version"]) for act in acts]
    versions = DeckVersion.objects.select_related("deck").in_bulk([version for _act, version in found])
    return [
        Registration(act.at, versions[pk], act.subjects.get("commitment", ""), act.act == ACTS[1])
        for act, pk in found
        if pk in versions
    ]

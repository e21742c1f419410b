"""What a player registered for an event over time, read from the ledger."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from decks.models import DeckVersion
from journal.models import LedgerEntry
from tournaments.models import EntryMember, Tournament

ACTS = ("deck.registered", "deck.replaced")
LEFT = "entry.member_removed"


def about_member(member: EntryMember) -> dict[str, int]:
    """The subjects of an act about one deck: the entry, and which member of a team after the first."""
    return {"entry": member.entry.number} | ({} if member.order == 1 else {"member": member.order})


def whose(act: LedgerEntry) -> tuple[int, int]:
    """The number of the entry and the place of the member that an act about a deck names."""
    return act.subjects["entry"], act.subjects.get("member", 1)


def acts_about(tournament: Tournament, member: EntryMember, acts: Sequence[str]) -> list[LedgerEntry]:
    """The acts of these kinds about a member, newest first, and none about who had the place before; one query.

    Who moved up when another left is followed back through the places they had. Before they joined that place was
    behind the last one, so nobody's: `entry.member_added` need not be asked.
    """
    told = LedgerEntry.objects.filter(
        stream=tournament.stream, act__in=(*acts, LEFT), subjects__entry=member.entry.number
    )
    place, found = member.order, []
    for act in told.order_by("-sequence"):
        if act.act == LEFT:
            place += act.subjects["place"] <= place
        elif act.subjects.get("place", whose(act)[1]) == place:
            found.append(act)
    return found


@dataclass(frozen=True, slots=True)
class Registration:
    """One registration: when, which version, its commitment, and whether a judge made it."""

    at: datetime
    version: DeckVersion
    commitment: str
    by_judge: bool


def registrations_of(tournament: Tournament, member: EntryMember) -> list[Registration]:
    """Every deck the member registered for the event, newest first; two queries."""
    acts = acts_about(tournament, member, ACTS)
    found = [(act, act.subjects["version"]) for act in acts if "was" not in act.subjects]  # that only moved up
    versions = DeckVersion.objects.select_related("deck").in_bulk([version for _act, version in found])
    return [
        Registration(act.at, versions[pk], act.subjects.get("commitment", ""), act.act == ACTS[1])
        for act, pk in found
        if pk in versions
    ]

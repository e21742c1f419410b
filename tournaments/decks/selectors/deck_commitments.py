"""Whether registered decks still are what was committed to: each commitment is recomputed and compared with the log."""

from dataclasses import dataclass
from enum import StrEnum

from decks.digests import commit_to
from journal.models import LedgerEntry
from tournaments.decks.selectors.decks import members_with_decks
from tournaments.decks.selectors.registered import ACTS, whose
from tournaments.models import EntryMember, Tournament


class CommitmentState(StrEnum):
    """What came out for one deck."""

    WHOLE = "whole"
    MISSING = "unsealed"
    CARDS_CHANGED = "cards changed"
    NOT_AS_LOGGED = "not as logged"


@dataclass(frozen=True, slots=True)
class CheckedCommitment:
    """One registered deck and the state of its commitment."""

    member: EntryMember
    state: CommitmentState


def commitments_of(tournament: Tournament) -> list[CheckedCommitment]:
    """Every registered deck by entry number, its commitment checked; two queries."""
    acts = LedgerEntry.objects.filter(stream=tournament.stream, act__in=ACTS).order_by("sequence")
    logged = {whose(act): act.subjects for act in acts}
    return [
        CheckedCommitment(member, _state_of(member, logged.get((member.entry.number, member.order), {})))
        for member in members_with_decks(tournament)
    ]


def _state_of(member: EntryMember, logged: dict[str, object]) -> CommitmentState:
    """MISSING is a deck registered before there were commitments, in the ledger too."""
    version = member.deck_version
    if version is None or (not member.deck_commitment and "commitment" not in logged):
        return CommitmentState.MISSING
    if commit_to(member.deck_salt, version.decklist.entries) != member.deck_commitment:
        return CommitmentState.CARDS_CHANGED
    same = (logged.get("commitment"), logged.get("version")) == (member.deck_commitment, version.pk)
    return CommitmentState.WHOLE if same else CommitmentState.NOT_AS_LOGGED

"""The tables of a tournament; Django finds models here, so this package alone gathers its modules."""

from tournaments.models.decks import DeckCheck, DeckPlacement
from tournaments.models.entry import Entry, EntryMember
from tournaments.models.event import Role, StaffInvite, Stage, Tournament
from tournaments.models.result import ReportAct, ResultReport, SeatResult
from tournaments.models.round import Match, Round, Seat

__all__ = [
    "DeckCheck",
    "DeckPlacement",
    "Entry",
    "EntryMember",
    "Match",
    "ReportAct",
    "ResultReport",
    "Role",
    "Round",
    "Seat",
    "SeatResult",
    "StaffInvite",
    "Stage",
    "Tournament",
]  # fmt: skip

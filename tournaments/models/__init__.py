"""The tables of a tournament; Django finds models here, so this package alone gathers its modules."""

from tournaments.models.client import ClientCode
from tournaments.models.decks import DeckCheck, DeckPlacement, StackOrder
from tournaments.models.door import DoorClaim, DoorCode
from tournaments.models.entry import AwardedBye, Entry, EntryMember, KeptApart
from tournaments.models.event import Role, StaffInvite, Stage, Tournament
from tournaments.models.league import GameRating, League, LeagueEvent, LeaguePlayer
from tournaments.models.origin import BroughtFile, EventCopy
from tournaments.models.outlook import OutlookChunk, OutlookRun, PlanChunk, PlanRun
from tournaments.models.penalty import Amendment, Penalty
from tournaments.models.result import ReportAct, ResultReport, SeatResult
from tournaments.models.room import Announcement, JudgeCall, RoundClock, TableCode
from tournaments.models.round import Match, PairingChange, Round, Seat, StoredRoundInput
from tournaments.models.sheet import MatchSheet
from tournaments.models.webhook import Webhook

__all__ = [
    "Amendment",
    "Announcement",
    "AwardedBye",
    "BroughtFile",
    "ClientCode",
    "DeckCheck",
    "DeckPlacement",
    "DoorClaim",
    "DoorCode",
    "Entry",
    "EntryMember",
    "EventCopy",
    "GameRating",
    "JudgeCall",
    "KeptApart",
    "League",
    "LeagueEvent",
    "LeaguePlayer",
    "Match",
    "MatchSheet",
    "OutlookChunk",
    "OutlookRun",
    "PairingChange",
    "Penalty",
    "PlanChunk",
    "PlanRun",
    "ReportAct",
    "ResultReport",
    "Role",
    "Round",
    "RoundClock",
    "Seat",
    "SeatResult",
    "StackOrder",
    "StaffInvite",
    "Stage",
    "StoredRoundInput",
    "TableCode",
    "Tournament",
    "Webhook",
]  # fmt: skip

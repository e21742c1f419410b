"""What a round was for each contender: played, a bye, a forfeit or an absence."""

from enum import Enum
from typing import NamedTuple

from scoring.standings.records import MatchKind, MatchRecord, Outcome, SeatRecord


class Presence(Enum):
    """Why a contender's round looks as it does; `voluntary` and `available` as FIDE means them.

    See docs/how-it-works/standings-and-tiebreakers.md#chess.
    """

    PLAYED = "played"
    BYE = "bye"
    REQUESTED_BYE = "requested_bye"
    FORFEIT_WIN = "forfeit_win"
    FORFEIT_LOSS = "forfeit_loss"
    ABSENT = "absent"

    @property
    def available(self) -> bool:
        """The contender could have played."""
        return self in (Presence.PLAYED, Presence.BYE, Presence.FORFEIT_WIN)

    @property
    def given_up(self) -> bool:
        """The contender asked for it or stayed away."""
        return self in (Presence.REQUESTED_BYE, Presence.ABSENT)

    @property
    def voluntary(self) -> bool:
        """Unplayed by the contender's own doing."""
        return self.given_up or self is Presence.FORFEIT_LOSS


class PlayedRound(NamedTuple):
    """A contender's part in one round: the others at its table by place in the field, the match points it got.

    `record` and `own` are None for an absence.
    """

    round_number: int
    presence: Presence
    points: int = 0
    others: tuple[int, ...] = ()
    record: MatchRecord | None = None
    own: SeatRecord | None = None

    @property
    def only_other(self) -> int | None:
        """The other one at a table of two."""
        return self.others[0] if len(self.others) == 1 else None


def presence_in(record: MatchRecord, own: SeatRecord) -> Presence:
    """What a match was for one of its seats."""
    if record.kind is MatchKind.BYE:
        return Presence.BYE
    if record.kind is MatchKind.REQUESTED_BYE:
        return Presence.REQUESTED_BYE
    if record.kind is MatchKind.NO_SHOW or record.forfeit:
        return Presence.FORFEIT_LOSS if own.outcome is Outcome.LOSS else Presence.FORFEIT_WIN
    return Presence.PLAYED

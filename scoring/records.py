"""What happened in the matches of a tournament, as plain values, and the policy that turns it into points."""

import re
from collections.abc import Callable
from dataclasses import asdict, dataclass, field, fields
from enum import StrEnum
from fractions import Fraction
from typing import Any, Self

from rules_engine.errors import DomainError

FLOOR = re.compile(r"\d{1,6}/\d{1,6}|\d(\.\d{1,12})?")
MOST_POINTS, MOST_BYE_GAMES, MOST_DECIMALS = 100, 9, 12


class Outcome(StrEnum):
    """How a match ended for one seat."""

    WIN = "win"
    DRAW = "draw"
    LOSS = "loss"


class MatchKind(StrEnum):
    """Why a match stands in the pairings."""

    PLAYED = "played"
    BYE = "bye"
    REQUESTED_BYE = "requested_bye"
    NO_SHOW = "no_show"
    AWARDED = "awarded"
    SOLO = "solo"


@dataclass(frozen=True, slots=True)
class ContenderFacts:
    """What standings need to know of a contender beside its matches.

    The lower `lot` wins a tie that nothing else decides, where the policy draws lots. It was available from
    `entered_round` to `dropped_after` (None: still there); `late` loses ties of points where the policy says so.
    Whoever is not `ranked` (disqualified) has no line, yet counts in the averages of opponents (TIEBREAKERS.md 1).
    """

    id: int
    lot: int = 0
    entered_round: int = 1
    dropped_after: int | None = None
    late: bool = False
    ranked: bool = True


@dataclass(frozen=True, slots=True)
class SeatRecord:
    """One seat of a finished match: the contender's id, how it ended for it, how many games it won.

    At tables of several players also its `placing` (shared places the same number) and `score`, victory points or a
    total.
    """

    contender: int
    outcome: Outcome
    games_won: int = 0
    placing: int | None = None
    score: Fraction | None = None


@dataclass(frozen=True, slots=True)
class MatchRecord:
    """One finished match: 1..N seats, the number of drawn games, the Swiss round it belongs to (from 1).

    A bye or a no-show without an opponent has one seat; `games_lost` holds games lost to nobody (a no-show's 0-2).
    `forfeit` says that nothing was played because a seat stayed empty.
    """

    round_number: int
    kind: MatchKind
    seats: tuple[SeatRecord, ...]
    games_drawn: int = 0
    games_lost: int = 0
    forfeit: bool = False


@dataclass(frozen=True, slots=True)
class ScoringPolicy:
    """How match results become points and percentages: the rules profile stored with an event (TIEBREAKERS.md 1, 9).

    `floor` is the least match % or game % an opponent counts with; `gw_floored` shows (and ranks) a player's own game %
    with it too. `bye_games` are the games won and lost that a bye stands for. `tiebreakers` are keys of
    `scoring.tiebreakers.TIEBREAKERS` in order of weight.
    """

    win: int = 3
    draw: int = 1
    loss: int = 0
    bye: int = 3
    game_win: int = 3
    game_draw: int = 1
    game_loss: int = 0
    floor: Fraction = Fraction(1, 3)
    bye_games: tuple[int, int] = (2, 0)
    bye_in_own_match_pct: bool = True
    bye_in_own_game_pct: bool = True
    gw_floored: bool = True
    tiebreakers: tuple[str, ...] = field(default=("match_points", "omw", "gw", "ogw"))
    decimals: int = 4

    def __post_init__(self) -> None:
        points = (self.win, self.draw, self.loss, self.bye, self.game_win, self.game_draw, self.game_loss)
        if min(points) < 0 or max(points) > MOST_POINTS or not self.win or not self.game_win:
            raise DomainError("bad_policy", "Points must lie between 0 and 100, and a win must be worth something.")
        if not 0 <= self.floor <= 1:
            raise DomainError("bad_policy", "The floor must lie between 0 and 1.")
        if min(self.bye_games) < 0 or max(self.bye_games) > MOST_BYE_GAMES:
            raise DomainError("bad_policy", "The games of a bye must lie between 0 and 9.")
        if not 0 <= self.decimals <= MOST_DECIMALS:
            raise DomainError("bad_policy", "Percentages are shown with 0 to 12 decimals.")

    def match_points(self, outcome: Outcome) -> int:
        """Match points of one outcome."""
        return {Outcome.WIN: self.win, Outcome.DRAW: self.draw, Outcome.LOSS: self.loss}[outcome]

    def as_dict(self) -> dict[str, Any]:
        """JSON-ready form; `from_dict` reads it back."""
        return {
            **asdict(self),
            "floor": str(self.floor),
            "bye_games": list(self.bye_games),
            "tiebreakers": list(self.tiebreakers),
        }

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> Self:
        """Read the form `as_dict` writes; unknown keys or values that do not fit raise DomainError("bad_policy")."""
        kinds = {item.name: item.type for item in fields(cls)}
        if unknown := data.keys() - kinds.keys():
            raise DomainError("bad_policy", f"The scoring policy knows no {', '.join(sorted(unknown))}.")
        try:
            return cls(**{name: READERS[kinds[name]](value) for name, value in data.items()})
        except (TypeError, ValueError, ZeroDivisionError) as error:
            raise DomainError("bad_policy", f"The scoring policy cannot be read: {error}.") from error


def _whole(value: object) -> int:
    if type(value) is not int:
        raise ValueError(f"{value!r:.40} is no whole number")
    return value


def _truth(value: object) -> bool:
    if type(value) is not bool:
        raise ValueError(f"{value!r:.40} is neither true nor false")
    return value


def _share(value: object) -> Fraction:
    """A floor as text: "1/3", "0.33" or "0"; nothing that would take long to compute with."""
    if not isinstance(value, str) or not FLOOR.fullmatch(value):
        raise ValueError(f"{value!r:.40} is no share such as 1/3 or 0.33")
    return Fraction(value)


def _games(value: object) -> tuple[int, int]:
    if not isinstance(value, list | tuple) or len(value) != 2:
        raise ValueError(f"{value!r:.40} is no pair of games won and lost")
    return _whole(value[0]), _whole(value[1])


def _keys(value: object) -> tuple[str, ...]:
    if not isinstance(value, list | tuple) or not value or not all(isinstance(key, str) for key in value):
        raise ValueError(f"{value!r:.40} is no list of tiebreakers")
    if len(set(value)) != len(value):
        raise ValueError("a tiebreaker stands twice")
    return tuple(value)


READERS: dict[Any, Callable[[object], Any]] = {
    int: _whole,
    bool: _truth,
    Fraction: _share,
    tuple[int, int]: _games,
    tuple[str, ...]: _keys,
}

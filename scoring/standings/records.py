"""What happened in the matches of a tournament, as plain values, and the policy that turns it into points."""

import re
from collections.abc import Callable
from dataclasses import asdict, dataclass, field, fields
from enum import StrEnum
from fractions import Fraction
from typing import Any, Self

from rules_engine.errors import DomainError
from rules_engine.messages import Message, gettext_noop

FLOOR = re.compile(r"\d{1,6}/\d{1,6}|\d(\.\d{1,12})?")
MAX_POINTS, MAX_BYE_GAMES, MAX_DECIMALS, MAX_UNIT, MAX_LIST = 100, 9, 12, 4, 40


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


class PointsBy(StrEnum):
    """What the match points of a match go by.

    See docs/how-it-works/standings-and-tiebreakers.md#magic, #strength, #tables and #other-scores.
    """

    OUTCOME = "outcome"
    GAMES = "games"
    """The game points are the match points: double-sided rounds."""
    SCORE = "score"
    """`score_points`, where the score stands there."""
    PLACING = "placing"
    """`placing_points`, where there are such for the size of the table."""


class Rounding(StrEnum):
    """How shares become decimals."""

    HALF_UP = "half_up"
    DOWN = "down"


@dataclass(frozen=True, slots=True)
class ContenderFacts:
    """What standings need to know of a contender beside its matches.

    The lower `lot` wins a tie that nothing else decides, where the policy draws lots. It was available from
    `entered_round` to `dropped_after` (None: still there); `late` loses ties of points where the policy says so.
    Whoever is not `ranked` (disqualified) has no line, yet counts in the averages of opponents
    (docs/how-it-works/standings-and-tiebreakers.md#magic).
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
    total. A match of two over several games may have scores without places: who won more games has won it.
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


BY_SCORES = frozenset({"victory_points", "opponents_score", "table_wins"})
"""The tiebreakers that read `SeatRecord.score`."""


@dataclass(frozen=True, slots=True)
class ScoringPolicy:
    """How match results become points and percentages: the rules profile stored with an event.

    See docs/how-it-works/standings-and-tiebreakers.md#magic and #exact.

    Points: whole numbers, of which `point_unit` are written as one (2: halves, as in chess); a bye asked for gives
    `requested_bye` (None: by its outcome). `score_points` are (games won, games lost, points); `placing_points` one
    tuple for each size of table, shared places share the sum, rounded down; elsewhere a shared win is worth a `draw`.
    Tables of 7 and more without a tuple take the longest one, its last number for every further place.
    Percentages: `floor` is the least match % or game % an opponent counts with; `gw_floored` shows (and ranks) a
    player's own game % with it too. `bye_games` are the games won and lost that a bye stands for. A bye brings
    `bye_opponents` virtual opponents who win `bye_opponent_share` of their matches
    (docs/how-it-works/standings-and-tiebreakers.md#pods). `round_weights` are for strength of schedule, from round 1;
    rounds without one weigh 1.
    Order: `tiebreakers` are keys of `scoring.standings.tiebreakers.TIEBREAKERS` in order of weight. `decimals` and
    `rounding` say how shares of 1 are published; they never rank.
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
    points_by: PointsBy = PointsBy.OUTCOME
    score_points: tuple[tuple[int, ...], ...] = ()
    placing_points: tuple[tuple[int, ...], ...] = ()
    requested_bye: int | None = None
    point_unit: int = 1
    bye_opponents: int = 0
    bye_opponent_share: Fraction = Fraction(1, 5)
    round_weights: tuple[Fraction, ...] = ()
    rounding: Rounding = Rounding.HALF_UP

    def __post_init__(self) -> None:
        points = (self.win, self.draw, self.loss, self.bye, self.game_win, self.game_draw, self.game_loss)
        if min(points) < 0 or max(points) > MAX_POINTS or not self.win or not self.game_win:
            raise _bad_policy(gettext_noop("Points must lie between 0 and 100, and a win must be worth something."))
        if not 0 <= self.floor <= 1:
            raise _bad_policy(gettext_noop("The floor must lie between 0 and 1."))
        if min(self.bye_games) < 0 or max(self.bye_games) > MAX_BYE_GAMES:
            raise _bad_policy(gettext_noop("The games of a bye must lie between 0 and 9."))
        if not 0 <= self.decimals <= MAX_DECIMALS:
            raise _bad_policy(gettext_noop("Percentages are shown with 0 to 12 decimals."))
        self._check_special_points()
        self._check_weights()

    def _check_special_points(self) -> None:
        if not 0 <= (self.requested_bye or 0) <= MAX_POINTS:
            raise _bad_policy(gettext_noop("Points must lie between 0 and 100, and a win must be worth something."))
        if not 1 <= self.point_unit <= MAX_UNIT:
            raise _bad_policy(gettext_noop("A point is written as 1 to %(most)d."), most=MAX_UNIT)
        if any(len(row) != 3 for row in self.score_points):
            raise _bad_policy(gettext_noop("Points by score are games won, games lost and points, line by line."))
        if any(not 2 <= len(row) <= MAX_LIST for row in self.placing_points):
            raise _bad_policy(gettext_noop("Points by place need a number for every place at a table."))
        rows = (*self.score_points, *self.placing_points)
        if len(rows) > MAX_LIST or any(not 0 <= number <= MAX_POINTS for row in rows for number in row):
            raise _bad_policy(gettext_noop("Points by score or place must lie between 0 and 100."))

    def _check_weights(self) -> None:
        if not 0 <= self.bye_opponents <= MAX_BYE_GAMES or not 0 <= self.bye_opponent_share <= 1:
            raise _bad_policy(gettext_noop("A bye brings 0 to 9 virtual opponents, who win a share of 0 to 1."))
        if len(self.round_weights) > MAX_LIST or any(not 0 <= each <= MAX_POINTS for each in self.round_weights):
            raise _bad_policy(gettext_noop("A round weighs 0 to 100."))

    @property
    def counts_scores(self) -> bool:
        """Whether standings read the scores of tables, so that a result without them lacks something."""
        return not BY_SCORES.isdisjoint(self.tiebreakers)

    def match_points(self, outcome: Outcome) -> int:
        return {Outcome.WIN: self.win, Outcome.DRAW: self.draw, Outcome.LOSS: self.loss}[outcome]

    def shown_points(self, points: int) -> Fraction:
        """Policy points as they are written: 7 half points are 7/2."""
        return Fraction(points, self.point_unit)

    def as_dict(self) -> dict[str, Any]:
        """JSON-ready form; `from_dict` reads it back."""
        return {
            **asdict(self),
            "floor": str(self.floor),
            "bye_games": list(self.bye_games),
            "tiebreakers": list(self.tiebreakers),
            "points_by": self.points_by.value,
            "score_points": [list(row) for row in self.score_points],
            "placing_points": [list(row) for row in self.placing_points],
            "bye_opponent_share": str(self.bye_opponent_share),
            "round_weights": [str(each) for each in self.round_weights],
            "rounding": self.rounding.value,
        }

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> Self:
        """Read the form `as_dict` writes; unknown keys or values that do not fit raise DomainError("bad_policy")."""
        kinds = {item.name: item.type for item in fields(cls)}
        if unknown := data.keys() - kinds.keys():
            raise _bad_policy(gettext_noop("The scoring policy knows no %(keys)s."), keys=", ".join(sorted(unknown)))
        try:
            return cls(**{name: READERS[kinds[name]](value) for name, value in data.items()})
        except (TypeError, ValueError, ZeroDivisionError) as error:
            raise _bad_policy(gettext_noop("The scoring policy cannot be read: %(fault)s."), fault=error) from error


def _bad_policy(template: str, **params: object) -> DomainError:
    return DomainError("bad_policy", Message(template, params))


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


def _rows(value: object) -> tuple[tuple[int, ...], ...]:
    if not isinstance(value, list | tuple) or not all(isinstance(row, list | tuple) for row in value):
        raise ValueError(f"{value!r:.40} is no list of lists of points")
    return tuple(tuple(_whole(number) for number in row) for row in value)


def _shares(value: object) -> tuple[Fraction, ...]:
    if not isinstance(value, list | tuple):
        raise ValueError(f"{value!r:.40} is no list of weights")
    return tuple(_share(each) for each in value)


def _whole_or_none(value: object) -> int | None:
    return None if value is None else _whole(value)


READERS: dict[Any, Callable[[object], Any]] = {
    int: _whole,
    bool: _truth,
    Fraction: _share,
    tuple[int, int]: _games,
    tuple[str, ...]: _keys,
    tuple[tuple[int, ...], ...]: _rows,
    tuple[Fraction, ...]: _shares,
    int | None: _whole_or_none,
    PointsBy: lambda value: PointsBy(str(value)),
    Rounding: lambda value: Rounding(str(value)),
}

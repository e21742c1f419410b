"""Standings of a league: points by rank in several events, of which everybody's best count."""

from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass
from itertools import groupby
from typing import Generic, TypeVar

from rules_engine.errors import DomainError
from rules_engine.messages import Message, gettext_noop

Player = TypeVar("Player", bound=Hashable)
MAX_POINTS = 1000
MAX_RANKS = 100


@dataclass(frozen=True, slots=True)
class LeagueRules:
    """What a rank is worth: `points` of ranks 1, 2, …, and `points_for_playing` of every rank behind.

    Whoever shares a rank gets the points of that rank, undivided. `best_of` None: every event counts.
    """

    points: tuple[int, ...]
    points_for_playing: int = 0
    best_of: int | None = None

    def __post_init__(self) -> None:
        worth = (*self.points, self.points_for_playing)
        if not self.points or len(self.points) > MAX_RANKS:
            raise _refused(gettext_noop("Give the points of 1 to %(most)d ranks."), "points", most=MAX_RANKS)
        if min(worth) < 0 or max(worth) > MAX_POINTS:
            raise _refused(gettext_noop("Points lie between 0 and %(most)d."), "points", most=MAX_POINTS)
        if list(worth) != sorted(worth, reverse=True):
            raise _refused(gettext_noop("A better rank cannot be worth less than the next one."), "points")
        if self.best_of is not None and self.best_of < 1:
            raise _refused(gettext_noop("One event at least must count."), "best_of_events")

    def worth(self, rank: int) -> int:
        return self.points[rank - 1] if rank <= len(self.points) else self.points_for_playing


def _refused(template: str, field: str, **params: object) -> DomainError:
    return DomainError("bad_league", Message(template, params), field=field)


@dataclass(frozen=True, slots=True)
class Finish(Generic[Player]):
    """Where a player ended in an event; events are numbered in the order they were played."""

    player: Player
    event: int
    rank: int


@dataclass(frozen=True, slots=True)
class EventPoints:
    """What one event brought: `points` are those of the rank times the `weight`; dropped where they do not count."""

    event: int
    rank: int
    weight: int
    points: int
    counted: bool


@dataclass(frozen=True, slots=True)
class LeagueStanding(Generic[Player]):
    """One line: `points` are exactly the sum of the counted `events`, which stand in the order they were played."""

    rank: int
    player: Player
    points: int
    events: tuple[EventPoints, ...]

    @property
    def best(self) -> tuple[int, ...]:
        """The points of the events that count, the best first: what parts equal sums."""
        return tuple(sorted((each.points for each in self.events if each.counted), reverse=True))


def compute_league(
    finishes: Iterable[Finish[Player]], weights: Mapping[int, int], rules: LeagueRules
) -> tuple[LeagueStanding[Player], ...]:
    """Rank players, best first. `weights` by event, 1 where none is given.

    By points; then the better best event, second-best event and so on among those that count; then more events played.
    Whoever is equal in all of it shares the rank (1, 2, 2, 4) and stands in the order they came in. Of two finishes of
    one player in one event the better counts. Of equally good events the earlier counts first.
    """
    best: dict[Player, dict[int, int]] = {}
    for each in finishes:
        ranks = best.setdefault(each.player, {})
        ranks[each.event] = min(each.rank, ranks.get(each.event, each.rank))
    lines = [_line(player, ranks, weights, rules) for player, ranks in best.items()]
    lines.sort(key=_key, reverse=True)
    ranked: list[LeagueStanding[Player]] = []
    for _equal, group in groupby(lines, _key):
        rank = len(ranked) + 1
        ranked += [LeagueStanding(rank, line.player, line.points, line.events) for line in group]
    return tuple(ranked)


def _key(line: LeagueStanding[Player]) -> tuple[int, tuple[int, ...], int]:
    return line.points, line.best, len(line.events)


def _line(
    player: Player, ranks: Mapping[int, int], weights: Mapping[int, int], rules: LeagueRules
) -> LeagueStanding[Player]:
    worth = {event: rules.worth(rank) * weights.get(event, 1) for event, rank in ranks.items()}
    by_worth = sorted(worth, key=lambda event: (-worth[event], event))
    counted = frozenset(by_worth[: rules.best_of])
    events = tuple(
        EventPoints(event, ranks[event], weights.get(event, 1), worth[event], event in counted)
        for event in sorted(ranks)
    )
    return LeagueStanding(0, player, sum(worth[event] for event in counted), events)

"""When a round ends: how long its tables may still play, from how long others played. Pure; times are seconds.

What is known is little and half of it is still going on, so nothing is fitted: the durations seen so far, those that a
game usually has for a few more, and the tables that still play as "longer than that" make one curve (Kaplan and Meier,
1958). It is drawn again and again with chance weights (Rubin's Bayesian bootstrap, 1981), so that few observations give
wide ranges. The clock cuts a table off: what is left then are the last turns and the way to the desk, a curve of their
own. All draws are worked out at once, a row each.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from statistics import NormalDist
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.random import Generator
from numpy.typing import ArrayLike, NDArray

Row: TypeAlias = NDArray[np.float64]
"""A number of each draw."""
Rows: TypeAlias = NDArray[np.float64]
"""Numbers of each draw, a row each."""

DRAWS = 400
"""How often the rest of a round is drawn: the ends of the range move by about a minute in twenty between seeds."""
USUAL_WEIGHT = 3.0
"""How many tables the usual durations count for."""
USUAL_POINTS = 24
WITHIN = 0.5
"""How much of the width of the usual durations, in logarithms, is between tables of one event."""
BETWEEN = 0.2
"""How much slower or faster, in logarithms, one event is than the usual: a standard deviation, until it shows."""
LOW, HIGH = 0.1, 0.9
"""The range holds so much of what was drawn, the lower and the upper end."""
USUAL_SETTLING = (30.0, 60.0, 90.0, 150.0, 240.0, 360.0)
"""From the end of a table's time to its result, where the event has not shown otherwise."""
MAX_SETTLING = 600.0
"""The clock's hard end: no table is expected later over its time. One that is may end at any moment."""
USUAL_BREAK = (120.0, 240.0, 300.0, 420.0, 720.0)
"""From the last result of a round to the start of the next, likewise."""
MOST_NAMED = 3
"""How many tables may be named as those that decide the end."""
HOLDS_UP = 0.3
"""How likely the last table must be among them."""


LEAST_LEFT = 0.05
"""What is left of a match at least: once its last game is over it is still to be reported."""


class TableState(NamedTuple):
    """What is known of a table: `played` so far, `limit` as its clock allows, extra time included; None without one.

    Where it wrote down the games that are over, `since` is the time played since the last of them and `left` the share
    of a match of its length that is still to come; None and 1.0 where no game is known to be over.
    """

    played: float
    limit: float | None
    since: float | None = None
    left: float = 1.0


@dataclass(frozen=True, slots=True)
class PlayingTable:
    """A table without a result, by its number."""

    number: int
    state: TableState


@dataclass(frozen=True, slots=True)
class Seen:
    """What the event has shown: durations of tables that ended within their time, seconds from the end of their time to
    the result of the others, how long each table of those still had played, and breaks between rounds.
    """

    durations: Sequence[float] = ()
    settling: Sequence[float] = ()
    cut_off: Sequence[float] = ()
    breaks: Sequence[float] = ()


@dataclass(frozen=True, slots=True)
class Range:
    """An uncertain moment, in seconds from now: it lies between `low` and `high` four times in five."""

    low: float
    median: float
    high: float


@dataclass(frozen=True, slots=True)
class RoundEnd:
    """When the round ends, the next starts, the last of the rounds to come ends, and which tables decide it."""

    end: Range
    next_start: Range
    last_end: Range
    held_up_by: tuple[int, ...] = ()


def usual_durations(least: float, most: float) -> tuple[float, ...]:
    """Durations of tables of one event where over all events one in ten is below `least` and one above `most`; both
    above 0.
    """
    middle, wide = (least * most) ** 0.5, NormalDist().inv_cdf(HIGH)
    normal = NormalDist(0, 1 / wide)
    reach = (most / middle) ** WITHIN
    quantiles = (normal.inv_cdf((at + 0.5) / USUAL_POINTS) for at in range(USUAL_POINTS))
    return tuple(middle * reach**each for each in quantiles)


@dataclass(frozen=True, slots=True)
class Curves:
    """One curve a draw: how likely something has ended by a time.

    Each has its `shares` at its `times`, straight lines between them, from 0 at 0 to 1.
    """

    times: Rows
    shares: Rows

    def share(self, time: Row | float) -> Row:
        """How likely it has ended by then, the moment itself included."""
        return _between(self.times, self.shares, time, (self.times <= _column(time)).sum(axis=1))

    def time(self, share: Row | float) -> Row:
        """By when it has ended that likely."""
        return _between(self.shares, self.times, share, (self.shares < _column(share)).sum(axis=1))

    def latest(self, played: float, many: Row | int, chance: Row) -> Row:
        """When the last of `many` that have lasted `played` ends, at this point (0 to 1) of its distribution."""
        gone = self.share(played)
        ends = np.maximum(played, self.time(1 - (1 - gone) * (1 - chance ** (1 / many))))
        return np.where(gone < 1, ends, played)


def _column(value: Row | float) -> Rows:
    return np.reshape(value, (-1, 1))


def _between(known: Rows, asked: Rows, at: Row | float, before: NDArray[np.int_]) -> Row:
    """What `asked` is where `known` is `at`, by row; so many points of `known` come `before` that."""
    rows, right = np.arange(len(known)), np.clip(before, 1, known.shape[1] - 1)
    left = right - 1
    start, low = known[rows, left], asked[rows, left]
    wide = np.maximum(known[rows, right] - start, np.finfo(float).tiny)
    return low + (asked[rows, right] - low) * np.clip((at - start) / wide, 0, 1)


def curves_of(times: Rows, has_ended: NDArray[np.bool_], weights: Rows, longer: Row) -> Curves:
    """The curves of observations, those first that ended, then those that lasted at least so long.

    `times` and `weights` have a column for each, `has_ended` says which it is; at least one ended. The next one is
    longer than all so far as likely as one more observation would be: it has the weight 1 and lies beyond the longest,
    by `longer` times the way there from the middle of the upper half.
    """
    order = np.argsort(times, axis=1, kind="stable")  # of equal times those that ended stay first: all were at risk
    times, weights = np.take_along_axis(times, order, axis=1), np.take_along_axis(weights, order, axis=1)
    different = np.cumsum(np.diff(times, axis=1, prepend=-1.0) > 0, axis=1)
    upper = np.argmax(different > 3 * different[:, -1:] // 4, axis=1)
    most = times[:, -1]
    beyond = most + longer * np.maximum(most - times[np.arange(len(times)), upper], most / 20)
    ended = np.column_stack([has_ended[order] & (times > 0), np.ones(len(times), dtype=bool)])
    times, weights = np.column_stack([times, beyond]), np.column_stack([weights, np.ones(len(times))])
    at_risk = np.maximum(np.cumsum(weights[:, ::-1], axis=1)[:, ::-1], 1e-12)
    alive = np.cumprod(np.where(ended, 1 - weights / at_risk, 1.0), axis=1)
    start = np.zeros((len(times), 1))
    times, shares = (np.hstack([start, each[ended].reshape(len(times), -1)]) for each in (times, 1 - alive))
    shares[:, -1] = 1.0
    return Curves(times, shares)


@dataclass(frozen=True)
class Forecaster:
    """Draws the rest of a round from what the event has shown and what is usual; `usual` are durations."""

    usual: Sequence[float]
    seen: Seen
    playing: Sequence[PlayingTable]
    seed: int
    rounds_to_come: Sequence[tuple[int, float | None]] = field(default=())
    """For each round after this one its tables and their limit."""

    @cached_property
    def groups(self) -> Counter[TableState]:
        """How many tables differ in nothing that is known."""
        return Counter(table.state for table in self.playing)

    def forecast(self) -> RoundEnd:
        """The ranges over all draws."""
        chance = np.random.default_rng(self.seed)
        lengths, settling, breaks = self._curves(chance)
        rests = [self._rest(group, many, lengths, settling, chance) for group, many in self.groups.items()]
        end = last = np.max(rests, axis=0) if rests else np.zeros(DRAWS)
        start = moment = end + breaks.time(chance.random(DRAWS))
        for many, limit in self.rounds_to_come:
            last = moment + self._rest(TableState(0.0, limit), many, lengths, settling, chance)
            moment = last + breaks.time(chance.random(DRAWS))
        return RoundEnd(range_of(end), range_of(start), range_of(last), self._deciding(rests))

    def pause_costs(self, seconds: float) -> dict[int, float]:
        """By how many seconds the round's expected end moves if one table pauses that long now; by its number.

        Its time is extended by the pause, as after a deck check. Tables of which the same is known cost the same.
        """
        chance = np.random.default_rng(self.seed)
        lengths, settling, _breaks = self._curves(chance)
        one = {group: self._rest(group, 1, lengths, settling, chance) for group in self.groups}
        others = (
            self._rest(group, many - 1, lengths, settling, chance) for group, many in self.groups.items() if many > 1
        )
        end = np.max([*one.values(), *others], axis=0, initial=0.0)
        costs = {group: float(np.mean(np.maximum(0.0, rest + seconds - end))) for group, rest in one.items()}
        return {table.number: costs[table.state] for table in self.playing}

    @cached_property
    def going_on(self) -> list[float]:
        """Durations that are longer than these, nobody knows by how much."""
        states = (table.state for table in self.playing)
        return [*self.seen.cut_off, *(min(each.played, each.limit or each.played) for each in states)]

    @cached_property
    def usual_here(self) -> Row:
        """The usual durations, stretched to the middle that those of this event draw them to."""
        times = [*self.usual, *self.seen.durations, *self.going_on]
        weights = np.ones((1, len(times)))
        weights[0, : len(self.usual)] = USUAL_WEIGHT / len(self.usual)
        has_ended = np.arange(len(times)) < len(times) - len(self.going_on)
        middle = curves_of(np.array([times]), has_ended, weights, np.ones(1)).time(0.5)
        usual: Row = np.sort(np.asarray(self.usual, dtype=float))
        stretched: Row = usual * (middle / usual[len(usual) // 2])
        return stretched

    def _curves(self, chance: Generator) -> tuple[Curves, Curves, Curves]:
        """Curves of durations, of settling and of breaks, each observation weighed by chance."""
        states = (table.state for table in self.playing)
        late = [each.played - each.limit for each in states if each.limit is not None and each.played > each.limit]
        settling = np.minimum(self.seen.settling, MAX_SETTLING)
        slower = np.exp(chance.normal(0, BETWEEN / (1 + len(self.seen.durations) / 4) ** 0.5, DRAWS))
        return (
            drawn_curves(np.outer(slower, self.usual_here), self.seen.durations, self.going_on, chance),
            drawn_curves([USUAL_SETTLING], settling, late, chance),
            drawn_curves([USUAL_BREAK], self.seen.breaks, (), chance),
        )

    def _rest(self, state: TableState, many: int, lengths: Curves, settling: Curves, chance: Generator) -> Row:
        """How long the last of `many` such tables still takes."""
        played, limit, left = state.played, state.limit, state.left
        if limit is not None and played >= limit:
            over = played - limit
            until = settling.latest(over, many, chance.random(DRAWS))
            return np.minimum(until, max(MAX_SETTLING, over)) - over
        since = played if state.since is None else state.since
        rest = lengths.latest(since / left, many, chance.random(DRAWS)) * left - since
        if limit is None:
            return rest
        going = np.maximum(1 - lengths.share(since / left), np.finfo(float).tiny)
        cut = np.rint(many * np.minimum(1, (1 - lengths.share((since + limit - played) / left)) / going))
        settled = settling.latest(0.0, np.maximum(1, cut), chance.random(DRAWS))
        return np.where(rest < limit - played, rest, limit - played + np.minimum(settled, MAX_SETTLING))

    def _deciding(self, rests: Sequence[Row]) -> tuple[int, ...]:
        """The tables among which the last to end likely is, if they are few."""
        if len(self.playing) <= MOST_NAMED:
            return tuple(sorted(table.number for table in self.playing))
        last = dict(zip(self.groups, np.bincount(np.argmax(rests, axis=0), minlength=len(rests)), strict=True))
        named: list[int] = []
        for group in sorted(last, key=last.__getitem__, reverse=True):
            if last[group] >= HOLDS_UP * DRAWS and len(named) + self.groups[group] <= MOST_NAMED:
                named += [table.number for table in self.playing if table.state == group]
        return tuple(sorted(named))


def drawn_curves(usual: ArrayLike, ended: ArrayLike, going_on: ArrayLike, chance: Generator) -> Curves:
    """Curves whose observations have weights by chance, 1 on average; the usual ones have `USUAL_WEIGHT` together.

    `usual` has a row for each draw, or one for all.
    """
    first, seen, lasting = np.asarray(usual, dtype=float), np.asarray(ended, dtype=float), np.asarray(going_on, float)
    many = first.shape[1] + len(seen)
    times = np.hstack([np.broadcast_to(each, (DRAWS, np.shape(each)[-1])) for each in (first, seen, lasting)])
    weights = np.hstack(
        [
            chance.gamma(USUAL_WEIGHT / first.shape[1], size=(DRAWS, first.shape[1])),
            chance.exponential(size=(DRAWS, len(seen) + len(lasting))),
        ]
    )
    return curves_of(times, np.arange(times.shape[1]) < many, weights, chance.exponential(size=DRAWS))


def range_of(drawn: Row) -> Range:
    """The range and the median of what was drawn."""
    ordered = np.sort(drawn)
    low, median, high = (float(ordered[min(len(ordered) - 1, int(share * len(ordered)))]) for share in (LOW, 0.5, HIGH))
    return Range(low, median, high)

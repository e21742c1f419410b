"""When a round ends: how long its tables may still play, from how long others played. Pure; times are seconds.

What is known is little and half of it is still going on, so nothing is fitted: the durations seen so far, those that a
game usually has for a few more, and the tables that still play as "longer than that" make one curve (Kaplan and Meier,
1958). It is drawn again and again with chance weights (Rubin's Bayesian bootstrap, 1981), so that few observations give
wide ranges. The clock cuts a table off: what is left then are the last turns and the way to the desk, a curve of their
own.
"""

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain
from math import exp
from random import Random
from statistics import NormalDist
from typing import NamedTuple

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
class Curve:
    """How likely something has ended by a time: `shares` at `times`, straight lines between them, from 0 at 0 to 1."""

    times: Sequence[float]
    shares: Sequence[float]

    def share(self, time: float) -> float:
        """How likely it has ended by `time`."""
        at = bisect_right(self.times, time)
        if at == len(self.times):
            return 1.0
        before, after = self.times[at - 1], self.times[at]
        below, above = self.shares[at - 1], self.shares[at]
        return below + (above - below) * (time - before) / (after - before)

    def time(self, share: float) -> float:
        """By when it has ended that likely."""
        at = bisect_left(self.shares, share)
        if at == 0:
            return self.times[0]
        if at == len(self.shares):
            return self.times[-1]
        before, after = self.shares[at - 1], self.shares[at]
        return self.times[at - 1] + (self.times[at] - self.times[at - 1]) * (share - before) / (after - before)

    def latest(self, played: float, many: int, chance: float) -> float:
        """When the last of `many` that have lasted `played` ends, at this point (0 to 1) of its distribution."""
        gone = self.share(played)
        return max(played, self.time(1 - (1 - gone) * (1 - chance ** (1 / many)))) if gone < 1 else played


def curve_of(
    ended: Iterable[tuple[float, float]], going_on: Iterable[tuple[float, float]], longer: float = 1.0
) -> Curve:
    """The curve of (time, weight) of what ended and what lasted at least so long; at least one ended.

    The next one is longer than all so far as likely as one more observation would be: it has the weight 1 and lies
    beyond the longest, by `longer` times the way there from the middle of the upper half.
    """
    weights: dict[float, list[float]] = {}
    for which, pairs in enumerate((ended, going_on)):
        for time, weight in pairs:
            weights.setdefault(time, [0.0, 0.0])[which] += weight
    ordered = sorted(weights)
    beyond = ordered[-1] + longer * max(ordered[-1] - ordered[(3 * len(ordered)) // 4], ordered[-1] / 20)
    weights[beyond] = [1.0, 0.0]
    at_risk, alive = sum(chain.from_iterable(weights.values())), 1.0
    times, shares = [0.0], [0.0]
    for time in (*ordered, beyond):
        stopped, censored = weights[time]
        if stopped and time > 0:
            alive *= 1 - stopped / at_risk
            times.append(time)
            shares.append(1 - alive)
        at_risk = max(at_risk - stopped - censored, 1e-12)
    shares[-1] = 1.0
    return Curve(times, shares)


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
        chance = Random(self.seed)  # noqa: S311 - odds, not secrets
        ends, starts, lasts, last = [], [], [], Counter[TableState]()
        for _draw in range(DRAWS):
            lengths, settling, breaks = self._curves(chance)
            drawn = {group: self._rest(group, many, lengths, settling, chance) for group, many in self.groups.items()}
            end = max(drawn.values(), default=0.0)
            if drawn:
                last[max(drawn, key=drawn.__getitem__)] += 1
            start = moment = end + breaks.time(chance.random())
            for many, limit in self.rounds_to_come:
                whole = self._rest(TableState(0.0, limit), many, lengths, settling, chance)
                end_then = moment + whole
                moment = end_then + breaks.time(chance.random())
            ends.append(end)
            starts.append(start)
            lasts.append(end_then if self.rounds_to_come else end)
        return RoundEnd(range_of(ends), range_of(starts), range_of(lasts), self._deciding(last))

    def pause_costs(self, seconds: float) -> dict[int, float]:
        """By how many seconds the round's expected end moves if one table pauses that long now; by its number.

        Its time is extended by the pause, as after a deck check. Tables of which the same is known cost the same.
        """
        chance = Random(self.seed)  # noqa: S311 - odds, not secrets
        costs = dict.fromkeys(self.groups, 0.0)
        for _draw in range(DRAWS):
            lengths, settling, _breaks = self._curves(chance)
            one = {group: self._rest(group, 1, lengths, settling, chance) for group in self.groups}
            others = (
                self._rest(group, many - 1, lengths, settling, chance)
                for group, many in self.groups.items()
                if many > 1
            )
            end = max([*one.values(), *others], default=0.0)
            for group, rest in one.items():
                costs[group] += max(0.0, rest + seconds - end) / DRAWS
        return {table.number: costs[table.state] for table in self.playing}

    @cached_property
    def going_on(self) -> list[float]:
        """Durations that are longer than these, nobody knows by how much."""
        states = (table.state for table in self.playing)
        return [*self.seen.cut_off, *(min(each.played, each.limit or each.played) for each in states)]

    @cached_property
    def usual_here(self) -> list[float]:
        """The usual durations, stretched to the middle that those of this event draw them to."""
        share = USUAL_WEIGHT / len(self.usual)
        ended = chain(((each, share) for each in self.usual), ((each, 1.0) for each in self.seen.durations))
        middle = curve_of(ended, ((each, 1.0) for each in self.going_on)).time(0.5)
        usual = sorted(self.usual)
        factor = middle / usual[len(usual) // 2]
        return [each * factor for each in usual]

    def _curves(self, chance: Random) -> tuple[Curve, Curve, Curve]:
        """Curves of durations, of settling and of breaks, each observation weighed by chance."""
        states = (table.state for table in self.playing)
        late = (each.played - each.limit for each in states if each.limit is not None and each.played > each.limit)
        settling = [min(each, MAX_SETTLING) for each in self.seen.settling]
        slower = exp(chance.gauss(0, BETWEEN / (1 + len(self.seen.durations) / 4) ** 0.5))
        return (
            drawn_curve([each * slower for each in self.usual_here], self.seen.durations, self.going_on, chance),
            drawn_curve(USUAL_SETTLING, settling, late, chance),
            drawn_curve(USUAL_BREAK, self.seen.breaks, (), chance),
        )

    def _rest(self, state: TableState, many: int, lengths: Curve, settling: Curve, chance: Random) -> float:
        """How long the last of `many` such tables still takes."""
        played, limit, left = state.played, state.limit, state.left
        if limit is not None and played >= limit:
            over = played - limit
            until = settling.latest(over, many, chance.random())
            return min(until, max(MAX_SETTLING, over)) - over
        since = played if state.since is None else state.since
        rest = lengths.latest(since / left, many, chance.random()) * left - since
        if limit is None or rest < limit - played:
            return rest
        going = 1 - lengths.share(since / left)
        cut = max(1, round(many * (1 - lengths.share((since + limit - played) / left)) / going)) if going else many
        return limit - played + min(settling.latest(0.0, cut, chance.random()), MAX_SETTLING)

    def _deciding(self, last: Counter[TableState]) -> tuple[int, ...]:
        """The tables among which the last to end likely is, if they are few."""
        if len(self.playing) <= MOST_NAMED:
            return tuple(sorted(table.number for table in self.playing))
        named: list[int] = []
        for group, times in last.most_common():
            if times >= HOLDS_UP * DRAWS and len(named) + self.groups[group] <= MOST_NAMED:
                named += [table.number for table in self.playing if table.state == group]
        return tuple(sorted(named))


def drawn_curve(usual: Sequence[float], ended: Iterable[float], going_on: Iterable[float], chance: Random) -> Curve:
    """A curve whose observations have weights by chance, 1 on average; the usual ones have `USUAL_WEIGHT` together."""
    share = USUAL_WEIGHT / len(usual)
    before = ((each, chance.gammavariate(share, 1)) for each in usual)
    seen = ((each, chance.expovariate(1)) for each in ended)
    return curve_of(chain(before, seen), ((each, chance.expovariate(1)) for each in going_on), chance.expovariate(1))


def range_of(drawn: Sequence[float]) -> Range:
    """The range and the median of what was drawn."""
    ordered = sorted(drawn)
    low, median, high = (ordered[min(len(ordered) - 1, int(share * len(ordered)))] for share in (LOW, 0.5, HIGH))
    return Range(low, median, high)

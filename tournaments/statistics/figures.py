"""PURE: what the results of an event add up to, as counts, rates with their uncertainty, and spreads.

Every rate comes with the number it rests on and the Wilson score interval at 95 % (Wilson, Probable inference, 1927),
which stays within 0 and 1 and says something sensible of small numbers.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import sqrt
from statistics import median
from typing import NamedTuple

WIN, DRAW, LOSS, UNPLAYED = "win", "draw", "loss", "unplayed"
Z_95 = 1.959964
SMALL = 30
"""Fewer matches than these are said to be few: their interval is some 35 points wide or wider."""
MAX_BINS = 12
MOST_NAMED = 3
"""Runs or matches that are named one by one."""
STEPS = (1, 2, 5)


@dataclass(frozen=True, slots=True)
class SeatPlayed:
    """One seat of a match that has a result: who sat there, how it ended, the score where the game counts any."""

    entry: int
    outcome: str
    score: Fraction | None = None


@dataclass(frozen=True, slots=True)
class GamePlayed:
    """One game of a match: the winning seat from 0 (None: drawn or unfinished), how it was won, each seat's role."""

    winner: int | None
    kind: str = ""
    roles: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class MatchPlayed:
    """A match played out, its seats in order; no byes, no-shows or results by agreement or penalty."""

    seats: tuple[SeatPlayed, ...]
    games: tuple[GamePlayed, ...] = ()


class Scored(NamedTuple):
    """The score of an entry at one table."""

    score: Fraction
    entry: int


@dataclass(frozen=True, slots=True)
class Share:
    """How many of all have one label."""

    label: str
    count: int
    total: int


@dataclass(frozen=True, slots=True)
class Rate:
    """Matches or games of one label, won, drawn and lost; draws count as not won."""

    label: str
    wins: int
    draws: int
    losses: int

    @property
    def played(self) -> int:
        return self.wins + self.draws + self.losses

    @property
    def value(self) -> float:
        """The part that was won, 0 to 1; 0 where nothing was played."""
        return self.wins / self.played if self.played else 0.0

    @property
    def interval(self) -> tuple[float, float]:
        """Where the true rate lies, with 95 % confidence."""
        return wilson_interval(self.wins, self.played)


@dataclass(frozen=True, slots=True)
class Bin:
    """How many values lie from `low` to `high`, both included."""

    low: int
    high: int
    count: int


@dataclass(frozen=True, slots=True)
class Spread:
    """The least, the middle and the greatest of `count` values."""

    least: Fraction
    middle: Fraction
    most: Fraction
    count: int


def wilson_interval(successes: int, trials: int) -> tuple[float, float]:
    """The Wilson score interval of a rate, 0 to 1; the whole of it without a trial."""
    if not trials:
        return 0.0, 1.0
    rate, weight = successes / trials, Z_95 * Z_95 / trials
    middle = (rate + weight / 2) / (1 + weight)
    half = Z_95 * sqrt(rate * (1 - rate) / trials + weight / (4 * trials)) / (1 + weight)
    return max(0.0, middle - half), min(1.0, middle + half)


def count_shares(labels: Iterable[str]) -> tuple[Share, ...]:
    """How often each label comes, the most frequent first, equal ones by name."""
    counted = Counter(labels)
    total = counted.total()
    return tuple(Share(label, n, total) for label, n in sorted(counted.items(), key=lambda each: (-each[1], each[0])))


def count_rates(matches: Iterable[MatchPlayed], label_of: Mapping[int, str]) -> tuple[Rate, ...]:
    """Wins of each label by the entries that bear it, the most played first.

    A match counts where every seat has a label and not all have the same: against oneself nothing is learnt.
    """
    ends: dict[str, Counter[str]] = {label: Counter() for label in label_of.values()}
    for match in matches:
        labels = [label_of.get(seat.entry) for seat in match.seats]
        if None in labels or len(set(labels)) < 2:
            continue
        for seat in match.seats:
            ends[label_of[seat.entry]][seat.outcome] += 1
    return _rates(ends)


def count_mirrors(matches: Iterable[MatchPlayed], label_of: Mapping[int, str]) -> int:
    """The matches that `count_rates` leaves out because all seats have the same label."""
    labels = ([label_of.get(seat.entry) for seat in match.seats] for match in matches)
    return sum(None not in each and len(set(each)) == 1 for each in labels)


def count_roles(games: Iterable[GamePlayed], leave_out: Iterable[str] = ()) -> tuple[Rate, ...]:
    """Who won as which role, game by game; games won in a way to `leave_out` tell nothing of the roles."""
    ends: dict[str, Counter[str]] = {}
    skipped = frozenset(leave_out)
    for game in games:
        if not game.roles or game.kind in skipped:
            continue
        for seat, role in enumerate(game.roles):
            end = DRAW if game.winner is None else WIN if game.winner == seat else LOSS
            ends.setdefault(role, Counter())[end] += 1
    return _rates(ends)


def count_kinds(games: Iterable[GamePlayed]) -> tuple[Share, ...]:
    """How games were won, where a person wrote it down."""
    return count_shares(game.kind for game in games if game.kind and game.winner is not None)


def count_seats(matches: Iterable[MatchPlayed]) -> tuple[Rate, ...]:
    """Wins by the place at the table, "1" first; matches of all sizes together."""
    ends: dict[str, Counter[str]] = {}
    for match in matches:
        for place, seat in enumerate(match.seats, 1):
            ends.setdefault(str(place), Counter())[seat.outcome] += 1
    return tuple(sorted(_rates(ends), key=lambda rate: int(rate.label)))


def _rates(ends: Mapping[str, Counter[str]]) -> tuple[Rate, ...]:
    rates = (Rate(label, each[WIN], each[DRAW], each[LOSS]) for label, each in ends.items())
    return tuple(sorted((rate for rate in rates if rate.played), key=lambda rate: (-rate.played, rate.label)))


def count_draws(matches: Iterable[MatchPlayed]) -> int:
    return sum(all(seat.outcome != WIN for seat in match.seats) for match in matches)


def longest_runs(matches: Iterable[MatchPlayed]) -> tuple[tuple[int, int], ...]:
    """Who won most matches in a row and how many, the longest first: at most three entries, two wins or more.

    `matches` come in the order they were played, those by agreement or penalty among them; a draw or a loss ends a run,
    and a win without playing (`UNPLAYED`) neither ends nor lengthens it.
    """
    now, best = Counter[int](), Counter[int]()
    for seat in (seat for match in matches for seat in match.seats if seat.outcome != UNPLAYED):
        now[seat.entry] = now[seat.entry] + 1 if seat.outcome == WIN else 0
        best[seat.entry] = max(best[seat.entry], now[seat.entry])
    return tuple((entry, wins) for entry, wins in best.most_common(MOST_NAMED) if wins > 1)


def spread_scores(matches: Iterable[MatchPlayed]) -> tuple[Bin, ...]:
    """The scores of all seats in at most twelve bins of one width of 1, 2 or 5 times a power of ten."""
    scores = [seat.score for match in matches for seat in match.seats if seat.score is not None]
    if not scores:
        return ()
    low, high = min(scores), max(scores)
    width = next(width for width in _widths() if high // width - low // width < MAX_BINS)
    counted = Counter(int(score // width) for score in scores)
    first, last = int(low // width), int(high // width)
    return tuple(Bin(each * width, (each + 1) * width - 1, counted[each]) for each in range(first, last + 1))


def _widths() -> Iterable[int]:
    scale = 1
    while True:
        yield from (step * scale for step in STEPS)
        scale *= 10


def spread_margins(matches: Iterable[MatchPlayed]) -> Spread | None:
    """By how much the best score of a table was ahead of the second; None where no table has two scores."""
    margins = [_lead(each) for each in _best_twos(matches)]
    return Spread(min(margins), Fraction(median(margins)), max(margins), len(margins)) if margins else None


def closest_tables(matches: Iterable[MatchPlayed]) -> tuple[tuple[Scored, Scored], ...]:
    """The best two of each of the three closest tables, the closest first, of equals the first played."""
    return tuple(sorted(_best_twos(matches), key=_lead)[:MOST_NAMED])


def _best_twos(matches: Iterable[MatchPlayed]) -> Iterator[tuple[Scored, Scored]]:
    for match in matches:
        scored = [Scored(seat.score, seat.entry) for seat in match.seats if seat.score is not None]
        if len(scored) > 1:
            best, second, *_others = sorted(scored, key=lambda each: -each.score)
            yield best, second


def _lead(two: tuple[Scored, Scored]) -> Fraction:
    return two[0].score - two[1].score

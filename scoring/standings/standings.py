"""Standings: exact, pure, recomputed from the matches every time."""

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from itertools import accumulate, islice, repeat
from operator import mul, ne
from typing import NamedTuple

from scoring.standings.records import ContenderFacts, MatchRecord, Rounding, ScoringPolicy
from scoring.standings.result_table import ResultTable
from scoring.standings.tiebreakers import column_of
from scoring.standings.vectors import field_of

PERCENTAGES = ("omw", "gw", "ogw")


@dataclass(frozen=True, slots=True)
class Scales:
    """What the amounts of a field's lines are: keys and denominators; the first `ranked` decide the order."""

    keys: tuple[str, ...]
    denominators: tuple[int, ...]
    ranked: int


class Standing(NamedTuple):
    """One ranked line. Equal `keys` share a rank (1, 2, 2, 4); percentages are fractions of 1, exact.

    Values are kept as whole `amounts` over `scales`, which all lines of a field share; fractions are made when looked
    at. Lines are equal when rank, tally and values are, whatever the scales. The `tally` is of match points, in policy
    points, and matches won, drawn and lost. A named tuple, since there may be many of them.
    """

    rank: int
    contender: int
    tally: tuple[int, int, int, int]
    amounts: tuple[int, ...]
    scales: Scales

    def value(self, key: str) -> Fraction:
        """The value of one of the policy's tiebreakers, or of omw, gw, ogw; any other key raises ValueError."""
        place = self.scales.keys.index(key)
        return Fraction(self.amounts[place], self.scales.denominators[place])

    @property
    def match_points(self) -> int:
        """Policy points."""
        return self.tally[0]

    @property
    def wins(self) -> int:
        """Matches won, byes included."""
        return self.tally[1]

    @property
    def draws(self) -> int:
        return self.tally[2]

    @property
    def losses(self) -> int:
        return self.tally[3]

    @property
    def record(self) -> str:
        """Matches won, lost and drawn as "3–1–0"; empty where none counts, as in a bracket."""
        return f"{self.wins}–{self.losses}–{self.draws}" if any(self.tally[1:]) else ""

    @property
    def omw(self) -> Fraction:
        """Opponents' match-win %."""
        return self.value("omw")

    @property
    def gw(self) -> Fraction:
        return self.value("gw")

    @property
    def ogw(self) -> Fraction:
        """Opponents' game-win %."""
        return self.value("ogw")

    @property
    def keys(self) -> tuple[Fraction, ...]:
        """The values that rank, in order of weight."""
        return tuple(self.value(key) for key in self.scales.keys[: self.scales.ranked])

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Standing):
            return NotImplemented
        mine, theirs = self.scales, other.scales
        if (self.rank, self.contender, self.tally) != (other.rank, other.contender, other.tally):
            return False
        if (mine.keys, mine.ranked) != (theirs.keys, theirs.ranked):
            return False
        pairs = zip(self.amounts, mine.denominators, other.amounts, theirs.denominators, strict=True)
        return all(top * below == above * bottom for top, bottom, above, below in pairs)

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return hash((self.rank, self.contender, self.tally))


def compute_standings(
    contenders: Iterable[int | ContenderFacts], records: Iterable[MatchRecord], policy: ScoringPolicy
) -> tuple[Standing, ...]:
    """Rank contenders by the policy's tiebreakers, best first; a tie that stays keeps the order contenders came in.

    `contenders` are facts, or ids where the usual facts hold; `records` the finished matches in any order; a
    record that names an unknown contender raises KeyError. Unknown tiebreakers raise DomainError("unknown_tiebreaker").
    """
    return rank_field(field_of(contenders, records, policy))


def rank_field(field: ResultTable) -> tuple[Standing, ...]:
    """The lines of a field, best first; whoever is not ranked has none."""
    keys = field.policy.tiebreakers
    shown = (*keys, *(key for key in PERCENTAGES if key not in keys))
    columns = [column_of(field, key) for key in shown]
    scales = Scales(shown, tuple(column.scale for column in columns), len(keys))
    rows = list(zip(*(column.amounts for column in columns), strict=True))
    ranked = rows if shown == keys else [row[: len(keys)] for row in rows]
    order = [place for place, facts in enumerate(field.facts) if facts.ranked]
    order.sort(key=ranked.__getitem__, reverse=True)
    totals = field.totals
    tallies = list(zip(totals.points, totals.wins, totals.draws, totals.losses, strict=True))
    ids = [field.facts[place].id for place in order]
    ranks = _ranks([ranked[place] for place in order])
    parts = ([column[place] for place in order] for column in (tallies, rows))
    make = partial(tuple.__new__, Standing)  # what _make calls, without a call in Python for every line
    return tuple(map(make, zip(ranks, ids, *parts, repeat(scales), strict=False)))


def _ranks(keys: list[tuple[int, ...]]) -> list[int]:
    """Ranks of sorted keys; equal keys share the first of their places."""
    places = range(2, len(keys) + 1)
    new = map(ne, keys, islice(keys, 1, None))
    return list(accumulate(map(mul, new, places), max, initial=1))[: len(keys)]


def decimal_text(share: Fraction, places: int, rounding: Rounding = Rounding.HALF_UP) -> str:
    """A fraction as decimal text with `places` digits, rounded half up or down (exact, no floating point)."""
    doubled = abs(share) * 10**places * 2
    scaled = (doubled + (rounding is Rounding.HALF_UP)) // 2
    sign = "-" if share < 0 and scaled else ""
    whole, rest = divmod(scaled, 10**places)
    return f"{sign}{whole}.{rest:0{places}d}" if places else f"{sign}{whole}"

"""Standings: exact, pure, recomputed from the matches every time."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction

from scoring.field import Field
from scoring.records import ContenderFacts, MatchRecord, Rounding, ScoringPolicy
from scoring.tiebreakers import column_of
from scoring.vectors import field_of

PERCENTAGES = ("omw", "gw", "ogw")


@dataclass(frozen=True, slots=True)
class Scales:
    """What the amounts of a field's lines are: keys and denominators; the first `ranked` decide the order."""

    keys: tuple[str, ...]
    denominators: tuple[int, ...]
    ranked: int


@dataclass(frozen=True, slots=True, eq=False)
class Standing:
    """One ranked line. Equal `keys` share a rank (1, 2, 2, 4); percentages are fractions of 1, exact.

    Values are kept as whole `amounts` over `scales`, which all lines of a field share; fractions are made when looked
    at. Lines are equal when rank, record and values are, whatever the scales. `match_points` are policy points.
    """

    rank: int
    contender: int
    match_points: int
    wins: int
    draws: int
    losses: int
    amounts: tuple[int, ...]
    scales: Scales

    def value(self, key: str) -> Fraction:
        """The value of one of the policy's tiebreakers, or of omw, gw, ogw; any other key raises ValueError."""
        place = self.scales.keys.index(key)
        return Fraction(self.amounts[place], self.scales.denominators[place])

    @property
    def omw(self) -> Fraction:
        """Opponents' match-win %."""
        return self.value("omw")

    @property
    def gw(self) -> Fraction:
        """Game-win %."""
        return self.value("gw")

    @property
    def ogw(self) -> Fraction:
        """Opponents' game-win %."""
        return self.value("ogw")

    @property
    def keys(self) -> tuple[Fraction, ...]:
        """The values that rank, in order of weight."""
        return tuple(self.value(key) for key in self.scales.keys[: self.scales.ranked])

    def _record(self) -> tuple[int, ...]:
        return self.rank, self.contender, self.match_points, self.wins, self.draws, self.losses

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Standing):
            return NotImplemented
        mine, theirs = self.scales, other.scales
        if self._record() != other._record() or (mine.keys, mine.ranked) != (theirs.keys, theirs.ranked):
            return False
        pairs = zip(self.amounts, mine.denominators, other.amounts, theirs.denominators, strict=True)
        return all(top * below == above * bottom for top, bottom, above, below in pairs)

    def __hash__(self) -> int:
        return hash(self._record())

    def __reduce__(self) -> tuple[object, ...]:
        return Standing, (*self._record(), self.amounts, self.scales)


def compute_standings(
    contenders: Iterable[int | ContenderFacts], records: Iterable[MatchRecord], policy: ScoringPolicy
) -> tuple[Standing, ...]:
    """Rank contenders by the policy's tiebreakers, best first; a tie that stays keeps the order contenders came in.

    `contenders` are facts, or ids where the usual facts hold; `records` the finished matches in any order; a
    record that names an unknown contender raises KeyError. Unknown tiebreakers raise DomainError("unknown_tiebreaker").
    """
    return rank_field(field_of(contenders, records, policy))


def rank_field(field: Field) -> tuple[Standing, ...]:
    """The lines of a field, best first; whoever is not ranked has none."""
    keys = field.policy.tiebreakers
    shown = (*keys, *(key for key in PERCENTAGES if key not in keys))
    columns = [column_of(field, key) for key in shown]
    scales = Scales(shown, tuple(column.scale for column in columns), len(keys))
    rows = list(zip(*(column.amounts for column in columns), strict=True))
    order = [place for place, facts in enumerate(field.facts) if facts.ranked]
    if len(keys) == len(shown):
        order.sort(key=rows.__getitem__, reverse=True)
    else:
        order.sort(key=lambda place: rows[place][: len(keys)], reverse=True)
    return tuple(_ranked(field, order, rows, scales))


def _ranked(field: Field, order: list[int], rows: list[tuple[int, ...]], scales: Scales) -> Iterator[Standing]:
    facts, totals = field.facts, field.totals
    points, wins, draws, losses = totals.points, totals.wins, totals.draws, totals.losses
    rank, previous = 0, None
    for number, place in enumerate(order, start=1):
        keys = rows[place][: scales.ranked]
        if keys != previous:
            rank, previous = number, keys
        yield Standing(
            rank, facts[place].id, points[place], wins[place], draws[place], losses[place], rows[place], scales
        )


def decimal_text(share: Fraction, places: int, rounding: Rounding = Rounding.HALF_UP) -> str:
    """A fraction as decimal text with `places` digits, rounded half up or down (exact, no floating point)."""
    doubled = abs(share) * 10**places * 2
    scaled = (doubled + (rounding is Rounding.HALF_UP)) // 2
    sign = "-" if share < 0 and scaled else ""
    whole, rest = divmod(scaled, 10**places)
    return f"{sign}{whole}.{rest:0{places}d}" if places else f"{sign}{whole}"


def published(share: Fraction, policy: ScoringPolicy) -> str:
    """A share as the policy publishes it."""
    return decimal_text(share, policy.decimals, policy.rounding)

"""Standings: exact, pure, recomputed from the matches every time."""

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

from rules_engine.errors import DomainError
from scoring.records import ContenderFacts, MatchRecord, ScoringPolicy
from scoring.tiebreakers import TIEBREAKERS, Field, Sums, Tiebreaker

PERCENTAGES = ("omw", "gw", "ogw")


@dataclass(frozen=True, slots=True)
class Standing:
    """One ranked line. Equal `keys` share a rank (1, 2, 2, 4); percentages are fractions of 1, exact."""

    rank: int
    contender: int
    match_points: int
    wins: int
    draws: int
    losses: int
    omw: Fraction
    gw: Fraction
    ogw: Fraction
    keys: tuple[Fraction, ...]


def compute_standings(
    contenders: Iterable[int | ContenderFacts], records: Iterable[MatchRecord], policy: ScoringPolicy
) -> tuple[Standing, ...]:
    """Rank contenders by the policy's tiebreakers, best first; a tie that stays keeps the order contenders came in.

    `contenders` are facts, or ids where the usual facts hold; `records` the finished matches in any order; a
    record that names an unknown contender raises KeyError. Unknown tiebreakers raise DomainError("unknown_tiebreaker").
    Formulas: TIEBREAKERS.md section 1.
    """
    needed = [_tiebreaker(key) for key in dict.fromkeys((*policy.tiebreakers, *PERCENTAGES))]
    facts = [ContenderFacts(each) if isinstance(each, int) else each for each in contenders]
    field = Field({each.id: Sums(policy) for each in facts}, policy)
    for record in records:
        for seat in record.seats:
            field.sums[seat.contender].add(record, seat)
    ranked = [each.id for each in facts if each.ranked]
    valued = [({each.key: each.value(field, contender) for each in needed}, contender) for contender in ranked]
    keyed = [(tuple(values[key] for key in policy.tiebreakers), values, contender) for values, contender in valued]
    keyed.sort(key=lambda item: item[0], reverse=True)
    return tuple(_ranked(keyed, field))


def _tiebreaker(key: str) -> Tiebreaker:
    if key not in TIEBREAKERS:
        raise DomainError("unknown_tiebreaker", f"There is no tiebreaker called {key!r}.", known=sorted(TIEBREAKERS))
    return TIEBREAKERS[key]


def _ranked(keyed: list[tuple[tuple[Fraction, ...], dict[str, Fraction], int]], field: Field) -> Iterable[Standing]:
    rank, previous = 0, None
    for place, (keys, values, contender) in enumerate(keyed, start=1):
        if keys != previous:
            rank, previous = place, keys
        sums = field.sums[contender]
        percentages = {key: values[key] for key in PERCENTAGES}
        yield Standing(rank, contender, sums.match_points, sums.wins, sums.draws, sums.losses, **percentages, keys=keys)


def decimal_text(share: Fraction, places: int) -> str:
    """A fraction as decimal text with `places` digits, rounded half up (exact, no floating point)."""
    scaled = (abs(share) * 10**places * 2 + 1) // 2
    sign = "-" if share < 0 and scaled else ""
    whole, rest = divmod(scaled, 10**places)
    return f"{sign}{whole}.{rest:0{places}d}" if places else f"{sign}{whole}"

"""Which lines of the standings differ before and after an act."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from scoring.standings.standings import Standing
from tournaments.standings.selectors.standings import StandingsGiven


@dataclass(frozen=True, slots=True)
class MovedKey:
    """A tiebreaker whose value changes, by its key."""

    key: str
    before: Fraction
    after: Fraction


@dataclass(frozen=True, slots=True)
class MovedLine:
    """A line of the standings that changes: the entry's id, its rank (None: no line), the tiebreakers that change."""

    entry: int
    rank_before: int | None
    rank_after: int | None
    keys: tuple[MovedKey, ...] = ()

    @property
    def moves(self) -> bool:
        """Whether the rank changes, not only what stands behind it."""
        return self.rank_before != self.rank_after

    def as_list(self) -> list[object]:
        """The line as `Amendment.lines` keeps it."""
        return [self.entry, self.rank_before, self.rank_after, [each.key for each in self.keys]]


def moved_lines(before: StandingsGiven, after: StandingsGiven) -> tuple[MovedLine, ...]:
    """Every line that differs, best rank before first, whoever had none at the end; two computations of standings."""
    return lines_between(before.compute(), after.compute(), before.policy.tiebreakers)


def lines_between(
    before: Sequence[Standing], after: Sequence[Standing], tiebreakers: Sequence[str]
) -> tuple[MovedLine, ...]:
    """The same from two computed standings."""
    old, new = ({each.contender: each for each in standings} for standings in (before, after))
    lines = (_line(entry, old.get(entry), new.get(entry), tiebreakers) for entry in dict.fromkeys((*old, *new)))
    return tuple(line for line in lines if line.moves or line.keys)


def _line(entry: int, old: Standing | None, new: Standing | None, tiebreakers: Sequence[str]) -> MovedLine:
    """A line that comes or goes names no tiebreakers: its rank says it all."""
    if old is None or new is None:
        return MovedLine(entry, None if old is None else old.rank, None if new is None else new.rank)
    values = zip(tiebreakers, old.keys, new.keys, strict=True)
    keys = tuple(MovedKey(key, was, will) for key, was, will in values if was != will)
    return MovedLine(entry, old.rank, new.rank, keys)

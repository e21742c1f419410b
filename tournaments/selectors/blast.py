"""The blast radius of a change before it is saved: which lines of the standings, cut seats and tables it would move."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from scoring.records import MatchRecord
from scoring.standings import Standing
from tournaments.selectors.standings import StandingsGiven


@dataclass(frozen=True, slots=True)
class MovedKey:
    """A tiebreaker whose value changes, by its key; None where the entry has no line."""

    key: str
    before: Fraction | None
    after: Fraction | None


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
    old, new = _by_contender(before), _by_contender(after)
    lines = (_line(entry, old.get(entry), new.get(entry), tiebreakers) for entry in dict.fromkeys((*old, *new)))
    return tuple(line for line in lines if line.moves or line.keys)


def _line(entry: int, old: Standing | None, new: Standing | None, tiebreakers: Sequence[str]) -> MovedLine:
    ranks = (None if each is None else each.rank for each in (old, new))
    return MovedLine(entry, *ranks, _moved_keys(old, new, tiebreakers))


def _by_contender(standings: Iterable[Standing]) -> dict[int, Standing]:
    return {each.contender: each for each in standings}


def _moved_keys(before: Standing | None, after: Standing | None, tiebreakers: Sequence[str]) -> tuple[MovedKey, ...]:
    """Nothing for a line that comes or goes: its rank says it all."""
    if before is None or after is None:
        return ()
    values = zip(tiebreakers, before.keys, after.keys, strict=True)
    return tuple(MovedKey(key, old, new) for key, old, new in values if old != new)


def with_record(given: StandingsGiven, match_id: int, record: MatchRecord) -> StandingsGiven:
    """The same with another result of one match."""
    return replace(given, records={**given.records, match_id: record})


def dropped(given: StandingsGiven, entry: int, after_round: int) -> StandingsGiven:
    """The same with an entry that leaves after a round."""
    return _with_facts(given, entry, dropped_after=after_round)


def returned(given: StandingsGiven, entry: int) -> StandingsGiven:
    """The same with an entry that is back."""
    return _with_facts(given, entry, dropped_after=None)


def unranked(given: StandingsGiven, entry: int, after_round: int) -> StandingsGiven:
    """The same with an entry that was disqualified: it keeps no rank, what it played stays (TIEBREAKERS.md 1)."""
    return _with_facts(given, entry, dropped_after=after_round, ranked=False)


def _with_facts(given: StandingsGiven, entry: int, **facts: int | bool | None) -> StandingsGiven:
    contenders = (replace(each, **facts) if each.id == entry else each for each in given.contenders)  # type: ignore[arg-type]
    return replace(given, contenders=tuple(contenders))

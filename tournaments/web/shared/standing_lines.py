"""Standings put in lines for a page: columns in the event's order, ties, marks of what was amended."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from fractions import Fraction
from itertools import pairwise
from types import MappingProxyType

from django.utils.translation import gettext as _

from scoring.standings.records import ScoringPolicy
from scoring.standings.standings import Standing
from scoring.standings.tiebreakers import TIEBREAKERS, Kind, Tiebreaker
from tournaments.models import Amendment, Entry, Stage
from tournaments.standings.words import exact_text, name_of, short_name, value_text, with_mark
from tournaments.web.shared.match_rows import Names


@dataclass(frozen=True, slots=True)
class Cell:
    """A tiebreaker's value in a line of the standings: short, and exact."""

    label: str
    text: str
    exact: str


@dataclass(frozen=True, slots=True)
class Moved:
    """That an amendment moved a line: its rank before (None: it had none), when, and which amendment it was."""

    rank_before: int | None
    made_at: datetime
    amendment: int


@dataclass(frozen=True, slots=True)
class StandingLine:
    """A line of the standings as shown; `tied` where the rank is shared, `moved` where it was amended.

    `unscored` counts results without the scores that the standings count. `record` is won–lost–drawn ("–" where none
    counts), or the place at each table. `ends_cut` on the last line that the next stage would take.
    """

    standing: Standing
    entry: Entry
    name: str
    tied: bool
    cells: tuple[Cell, ...]
    moved: Moved | None = None
    in_cut: bool = False
    unscored: int = 0
    record: str = ""
    ends_cut: bool = False

    @property
    def is_gone(self) -> bool:
        """Whether the entry plays no more, by its own will."""
        return self.entry.state == Entry.State.DROPPED

    @property
    def is_first(self) -> bool:
        """Whether nobody stands above."""
        return self.standing.rank == 1


@dataclass(frozen=True, slots=True)
class Column:
    """A tiebreaker as a column's head: short, and its full name."""

    name: str
    short: str


def lines_of_standings(
    shown: Iterable[Standing],
    entries: Mapping[int, Entry],
    names: Names,
    policy: ScoringPolicy,
    *,
    ties: Collection[int],
    moved: Mapping[int, Moved],
    cut: Collection[int],
    unscored: Mapping[int, int] = MappingProxyType({}),
    neutral: Mapping[int, Fraction] | None = None,
    places: Mapping[int, Sequence[int]] | None = None,
) -> list[StandingLine]:
    """The lines to show; an entry that went meanwhile has none. `neutral` adds the column of `role_column`.

    With `places`, those at each entry's tables are its record.
    """
    return [
        StandingLine(
            each, entries[each.contender], names(entries[each.contender]), each.rank in ties,
            (*cells_of(each, policy), *_role_cells(each.contender, neutral)),
            moved.get(each.contender), each.contender in cut, unscored.get(each.contender, 0),
            each.record or "–" if places is None
            else " · ".join(map(str, places.get(each.contender, ()))),
        )
        for each in shown
        if each.contender in entries
    ]  # fmt: skip


def with_cut_line(lines: Sequence[StandingLine], following: Stage | None) -> Sequence[StandingLine]:
    """The first lines of the standings, the last of those that the next stage would take now marked.

    None is marked where everybody plays on, no stage follows, or the cut is beyond these lines.
    """
    if following is None or following.qualify != Stage.Qualify.TOP:
        return lines
    staying = [place for place, line in enumerate(lines) if not line.is_gone]
    if not 0 < (size := following.qualify_value or 0) < len(staying):
        return lines
    last = staying[size - 1]
    return [replace(line, ends_cut=place == last) for place, line in enumerate(lines)]


def shared_ranks(standings: Sequence[Standing]) -> set[int]:
    """Ranks that stand more than once; equal ranks are neighbours."""
    return {one.rank for one, other in pairwise(standings) if one.rank == other.rank}


def columns_of(policy: ScoringPolicy) -> list[Column]:
    """The tiebreakers of an event in their order; not the lot, whose number tells nobody anything."""
    return [
        Column(name_of(each.key), short_name(each))
        for each in map(TIEBREAKERS.__getitem__, policy.tiebreakers)
        if _is_column(each)
    ]


def cells_of(standing: Standing, policy: ScoringPolicy) -> tuple[Cell, ...]:
    """The values of a line, one for each column."""
    valued = zip((TIEBREAKERS[key] for key in policy.tiebreakers), standing.keys, strict=True)
    return tuple(_cell(each, value, policy) for each, value in valued if _is_column(each))


def role_column() -> Column:
    """The column of what players won beyond their roles; it ranks nobody."""
    return Column(_("Games won beyond what the roles win"), "±R")


def _role_cells(contender: int, neutral: Mapping[int, Fraction] | None) -> list[Cell]:
    if neutral is None:
        return []
    value = neutral.get(contender, Fraction(0))
    column = role_column()
    return [Cell(column.short, with_mark(f"{float(value):+.2f}"), f"{column.name}: {value}")]


def _is_column(tiebreaker: Tiebreaker) -> bool:
    return tiebreaker.kind is not Kind.LOT


def _cell(column: Tiebreaker, value: Fraction, policy: ScoringPolicy) -> Cell:
    return Cell(short_name(column).rstrip("%"), value_text(column, value, policy), exact_text(column, value))


def moved_by(amendments: Iterable[Amendment]) -> dict[int, Moved]:
    """What the amendments (newest first) say of each entry: its rank before the first of them, the newest named."""
    found: dict[int, Moved] = {}
    for amendment in amendments:
        for entry, before, _after, _keys in amendment.lines:
            newest = found.get(entry)
            found[entry] = (
                Moved(before, newest.made_at, newest.amendment)
                if newest
                else Moved(before, amendment.made_at, amendment.pk)
            )
    return found

"""Private needs: which tables meet them, and who of a round sits elsewhere, and why."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum, auto

from tournaments.models import Entry, Match, Round, Seat, Tournament
from tournaments.table_marks import read_table_numbers

Need = Entry.Need
NEED_TABLES: Mapping[str, str] = {
    Need.DOOR: "door_tables", Need.SCREEN_READER: "screen_reader_tables", Need.QUIET: "quiet_tables",
}  # fmt: skip
"""The setting that names the tables of each need that a table meets."""


class Obstacle(Enum):
    """Why a need is not met by a table."""

    NONE_MARKED = auto()
    FIXED = auto()
    TOGETHER = auto()
    TAKEN = auto()
    CHANGED = auto()


@dataclass(frozen=True, slots=True)
class Unmet:
    """A need that a seat does not meet, and who is in the way."""

    need: Need
    why: Obstacle
    others: tuple[Entry, ...] = ()


@dataclass(frozen=True, slots=True)
class NeedLine:
    """What a person who plays in a round needs, where they sit, and what that table does not meet."""

    entry: Entry
    match: Match
    unmet: tuple[Unmet, ...]


def marked_tables(tournament: Tournament) -> dict[str, frozenset[int]]:
    """The tables that meet each need, as the organiser marked them."""
    return {need: read_table_numbers(getattr(tournament, name)) for need, name in NEED_TABLES.items()}


def wanted_tables(tournament: Tournament) -> dict[int, tuple[frozenset[int], ...]]:
    """The tables that meet each need of an entry, by entry; needs for which none is marked left out; one query."""
    marked = marked_tables(tournament)
    rows = tournament.entries.exclude(needs=[]).values_list("pk", "needs")
    found = {pk: tuple(marked[need] for need in needs if marked.get(need)) for pk, needs in rows}
    return {pk: tables for pk, tables in found.items() if tables}


def large_print_matches(matches: Iterable[Match]) -> set[int]:
    """The ids of those matches where a person needs large print; one query."""
    needs = Seat.objects.filter(match__in=list(matches)).values_list("match_id", "entry__needs")
    return {match for match, noted in needs if Need.LARGE_PRINT in noted}


def need_lines(round_: Round) -> list[NeedLine]:
    """Everybody with a need who plays in a round, by table; one query."""
    marked = marked_tables(round_.stage.tournament)
    seats = Seat.objects.filter(round=round_, match__table_number__isnull=False).select_related("match", "entry")
    at = defaultdict[int, list[Entry]](list)
    seats = seats.order_by("match__table_number", "order")
    for seat in seats:
        at[seat.match.table_number or 0].append(seat.entry)
    return [
        NeedLine(seat.entry, seat.match, tuple(_unmet(seat.entry, seat.match.table_number or 0, at, marked)))
        for seat in seats
        if seat.entry.needs or seat.entry.extra_minutes
    ]


def _unmet(
    entry: Entry, table: int, at: Mapping[int, Sequence[Entry]], marked: Mapping[str, frozenset[int]]
) -> list[Unmet]:
    """What the table of an entry does not meet; `at` are the entries at each table of the round."""
    here = at[table]
    wanted = [marked[need] for each in here for need in each.needs if marked.get(need)]
    missed = [Need(need) for need in entry.needs if need in marked and table not in marked[need]]
    found = []
    for need in missed:
        entitled = {number: _entitled(number, at.get(number, ()), marked) for number in sorted(marked[need])}
        if not marked[need]:
            found.append(Unmet(need, Obstacle.NONE_MARKED))
        elif fixed := tuple(each for each in here if each.fixed_table == table):
            found.append(Unmet(need, Obstacle.FIXED, fixed))
        elif not frozenset.intersection(*wanted):
            found.append(Unmet(need, Obstacle.TOGETHER, tuple(_who_needs(here, marked))))
        elif all(entitled.values()):
            found.append(Unmet(need, Obstacle.TAKEN, tuple(each for group in entitled.values() for each in group)))
        else:
            found.append(Unmet(need, Obstacle.CHANGED))
    return found


def _entitled(table: int, entries: Sequence[Entry], marked: Mapping[str, frozenset[int]]) -> list[Entry]:
    """Who sits at a table because it is theirs or meets a need."""

    def is_entitled(each: Entry) -> bool:
        return each.fixed_table == table or any(table in marked.get(need, ()) for need in each.needs)

    return [each for each in entries if is_entitled(each)]


def _who_needs(entries: Sequence[Entry], marked: Mapping[str, frozenset[int]]) -> list[Entry]:
    return [each for each in entries if any(marked.get(need) for need in each.needs)]

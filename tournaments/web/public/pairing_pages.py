"""Which tables are on which page of a round's pairings: long lists are shown by 200 lines, by name or by table."""

from collections.abc import Sequence
from dataclasses import dataclass

from tournaments.core.names import name_key
from tournaments.models import Entry, Round, Seat
from tournaments.web.shared.match_rows import Names

LINES_A_PAGE = 200
MAX_PAGE = 9999
LETTERS = 3
"""Of a name, in what a page of names is called."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where one entry sits in a round, and what it is called."""

    entry: int
    match: int
    table: int | None
    name: str


@dataclass(frozen=True, slots=True)
class ListPage:
    """A page of the list: its number from 1, the first and last that it holds, the entries and matches on it."""

    number: int
    first: str
    last: str
    entries: frozenset[int]
    matches: frozenset[int]


def places_in(round_: Round, names: Names) -> tuple[Place, ...]:
    """Everybody's place in a round, in one query and without models of every match."""
    rows = Seat.objects.filter(match__round=round_).order_by("match__table_number", "match_id", "order")
    columns = ("entry_id", "match_id", "match__table_number", "entry__name", "entry__number")
    return tuple(
        Place(entry, match, table, names(Entry(pk=entry, name=name, number=number)))
        for entry, match, table, name, number in rows.values_list(*columns)
    )


def pages_of(places: Sequence[Place], by: str, words: str) -> list[ListPage]:
    """The pages of those whose name contains the words, by name, or of their tables; at least one."""
    found = [place for place in places if words.casefold() in place.name.casefold()]
    if by == "name":
        rows = [[place] for place in sorted(found, key=lambda place: name_key(place.name))]
    else:
        tables: dict[tuple[bool, int, int], list[Place]] = {}
        for place in found:
            tables.setdefault((place.table is None, place.table or 0, place.match), []).append(place)
        rows = [tables[key] for key in sorted(tables)]
    cuts = range(0, max(1, len(rows)), LINES_A_PAGE)
    return [_page(number, rows[cut : cut + LINES_A_PAGE], by) for number, cut in enumerate(cuts, 1)]


def page_with(pages: Sequence[ListPage], asked: int | None, entry: int | None) -> ListPage:
    """The page that was asked for by number, else the one with an entry, else the first."""
    if asked is not None:
        return pages[min(asked, len(pages)) - 1]
    return next((page for page in pages if entry in page.entries), pages[0])


def _page(number: int, rows: Sequence[Sequence[Place]], by: str) -> ListPage:
    places = [place for row in rows for place in row]
    first, last = (_called(rows[0][0], by), _called(rows[-1][0], by)) if rows else ("", "")
    entries, matches = frozenset(place.entry for place in places), frozenset(place.match for place in places)
    return ListPage(number, first, last, entries, matches)


def _called(place: Place, by: str) -> str:
    if by == "name":
        return place.name[:LETTERS]
    return "–" if place.table is None else str(place.table)

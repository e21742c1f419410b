"""What was written on a ledger or a board, as its page lists it: the newest first, struck out or not."""

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Entry:
    """An entry in words; `number` is its place among those that count, None for one struck out.

    `by` wrote it, or struck it out. `marks` say what speaks against it, each with the clause it breaks or "". `gains`
    are the points it brought, `note` says what came of it otherwise.
    """

    id: int
    number: int | None
    words: str
    by: str = ""
    marks: tuple[tuple[str, str], ...] = ()
    gains: tuple[str, ...] = ()
    note: str = ""


def newest_first(entries: Iterable[Entry]) -> list[Entry]:
    """The entries as a page lists them."""
    return sorted(entries, key=lambda entry: entry.id, reverse=True)

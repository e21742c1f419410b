"""Lists sorted by their columns with `?sort=name`, or `?sort=-name` the other way: links in the heads, no script."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from accounts.http.requests import ActorRequest

Row = TypeVar("Row")
Columns = Mapping[str, tuple[str, Callable[[Row], Any]]]
"""By the name in the address: the head's words, and what a row is sorted by."""
MAX_UNSORTED = 20
"""Rows up to which a list is taken in at a glance, and its heads are no links."""


@dataclass(frozen=True, slots=True)
class Head:
    """A column's head: its words, where its link leads, "" in a short list, and which way the rows are sorted."""

    label: str
    url: str
    order: str


def sort_rows(
    request: ActorRequest, rows: Iterable[Row], columns: Columns[Row], usual: str, address: str = ""
) -> tuple[list[Row], dict[str, Head]]:
    """The rows as the address asks, and the heads by name; unasked they stay as they come, sorted by `usual`.

    `address` is that of the list, where another page shows it too.
    """
    asked = request.GET.get("sort", usual)
    if asked.removeprefix("-") not in columns:
        asked = usual
    column, is_down = asked.removeprefix("-"), asked.startswith("-")
    found = list(rows) if asked == usual else sorted(rows, key=columns[column][1], reverse=is_down)
    heads = {}
    for name, (label, _key) in columns.items():
        query = request.GET.copy()
        query.pop("page", None)
        query["sort"] = f"-{name}" if name == column and not is_down else name
        order = "" if name != column else "descending" if is_down else "ascending"
        heads[name] = Head(label, f"{address}?{query.urlencode()}" if len(found) > MAX_UNSORTED else "", order)
    return found, heads

"""Rows that were prefetched, held without the query they came by: what is kept for all readers stays small."""

from collections.abc import Iterable, Iterator
from typing import Any

from django.db.models import Model, QuerySet


class LoadedRows:
    """What a related manager's `all()` gives where its rows are prefetched; any other question asks the database."""

    __slots__ = ("_asks", "_rows")

    def __init__(self, rows: Iterable[Model], model: type[Model], field: str, of: Any) -> None:
        """`rows` of `model` are those whose `field` holds the key `of`."""
        self._rows = tuple(rows)
        self._asks = model, field, of

    def __len__(self) -> int:
        return len(self._rows)

    def __iter__(self) -> Iterator[Any]:
        return iter(self._rows)

    def __getitem__(self, place: int | slice) -> Any:
        return self._rows[place]

    def all(self) -> "LoadedRows":
        return self

    def __getattr__(self, name: str) -> Any:
        """What else a query set can do, asked of the database."""
        if name.startswith("_"):
            raise AttributeError(name)
        model, field, of = self._asks
        return getattr(model._default_manager.filter(**{field: of}), name)


def without_queries(rows: Iterable[Model]) -> None:
    """Let go of the query sets that prefetching left in rows, and in what was prefetched with them."""
    for row in rows:
        cache = row.__dict__.get("_prefetched_objects_cache", {})
        for name, found in cache.items():
            if isinstance(found, QuerySet):
                without_queries(found)
                reverse = getattr(type(row), name).rel
                cache[name] = LoadedRows(found, reverse.related_model, reverse.field.name, row.pk)

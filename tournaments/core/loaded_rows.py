"""Rows prefetched for long lists: one query for each relation, and none that a row holds on to."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
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


def load_rows(rows: Sequence[Model], name: str, related: QuerySet[Any]) -> list[Any]:
    """Prefetch what `name` leads to from `rows`, out of `related`; answers all that was found.

    Django makes a query set for every row, which takes as long as loading them all, and as much memory as they do.
    """
    if not rows:
        return []
    reverse = getattr(type(rows[0]), name).rel
    field, owners = reverse.field, {row.pk: row for row in rows}
    found, of = list(related.filter(**{f"{field.name}__in": owners})), defaultdict[Any, list[Model]](list)
    for each in found:
        key = getattr(each, field.attname)
        field.set_cached_value(each, owners[key])
        of[key].append(each)
    for row in rows:
        loaded = LoadedRows(of[row.pk], reverse.related_model, field.name, row.pk)
        row.__dict__.setdefault("_prefetched_objects_cache", {})[name] = loaded
    return found

"""Questions to the database whose SQL is made once: making it from a query set takes longer than asking it."""

from collections.abc import Callable
from copy import copy
from functools import cache, wraps
from typing import Any, TypeVar

from django.db import DEFAULT_DB_ALIAS, connections
from django.db.models import QuerySet
from django.db.models.sql.compiler import SQLCompiler
from django.db.transaction import TransactionManagementError

Row = TypeVar("Row")


def compiled_once(question: Callable[..., QuerySet[Any, Row]]) -> Callable[..., list[Row]]:
    """A question about some keys (ids or texts), answered as a list of what its query set gives.

    `question` is called once, with stand-ins for the keys: it only hands them to lookups for equality, and asks nothing
    else that may differ from call to call. Each call reads the database; nothing but the SQL is kept. Raises
    TransactionManagementError where rows are to be locked outside a transaction, as any query set does, TypeError for
    None and what else is no key.
    """

    @cache
    def compiled(keys: int) -> _Compiled:
        return _Compiled(question(*_stand_ins(keys)))

    @wraps(question)
    def ask(*keys: int | str) -> list[Row]:
        if not all(isinstance(key, int | str) for key in keys):
            raise TypeError(f"{question.__name__} asks for ids or texts")
        return compiled(len(keys)).rows(keys)

    return ask


class _Compiled:
    """A query set with its SQL, the stand-ins among its values, and how columns become values."""

    def __init__(self, asked: QuerySet[Any, Any]) -> None:
        self.asked = asked
        self.compiler: SQLCompiler = asked.query.get_compiler(DEFAULT_DB_ALIAS)
        self.sql, self.values = self.compiler.as_sql()
        self.converters = self.compiler.get_converters([column for column, *_sql in self.compiler.select])

    def rows(self, keys: tuple[int | str, ...]) -> list[Any]:
        """What the query set gives for these keys, asked by Django's own ways but for the making of the SQL."""
        connection = connections[DEFAULT_DB_ALIAS]
        locks = self.asked.query.select_for_update and connection.features.has_select_for_update
        if locks and connection.get_autocommit():
            raise TransactionManagementError("select_for_update cannot be used outside of a transaction.")
        given = {form(at): key for at, key in zip(_stand_ins(len(keys)), keys, strict=True) for form in (int, str)}
        statement = self.sql, tuple(given.get(value, value) for value in self.values)
        compiler, asked = copy(self.compiler), self.asked.all()
        compiler.connection = connection
        vars(compiler).update(as_sql=lambda: statement, get_converters=lambda _columns: self.converters)
        vars(asked.query)["get_compiler"] = lambda *_args, **_kwargs: compiler
        return list(asked)


def _stand_ins(keys: int) -> tuple[int, ...]:
    """For each key a number that no row has; a text among a query's values where the column holds texts."""
    return tuple(range(-1, -1 - keys, -1))

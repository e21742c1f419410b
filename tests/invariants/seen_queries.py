"""What a request asked the database, and whether another state of the database answers it alike.

A request sees the database through its queries alone, so one that only read, and whose queries are answered alike,
is answered alike.
"""

from collections.abc import Callable
from typing import Any

from django.db import connection, transaction
from psycopg import ServerCursor

CLOCK = "SELECT clock_timestamp()"
OF_SAVEPOINTS = ("SAVEPOINT", "RELEASE", "ROLLBACK")

Rows = list[tuple[Any, ...]]


class SeenQueries:
    """An `execute_wrapper` that keeps what a request reads; `only_reads` unless it did anything else."""

    def __init__(self) -> None:
        self.only_reads = True
        self.answers: list[tuple[str, Any, Rows]] = []

    def __call__(self, execute: Callable[..., Any], sql: str, params: Any, many: bool, context: Any) -> Any:
        """Execute a query and keep its answer; one that fails, writes or is fetched in pieces has none."""
        kind = sql.split(None, 1)[0]
        if kind in OF_SAVEPOINTS or sql == CLOCK:
            return execute(sql, params, many, context)
        so_far, self.only_reads = self.only_reads and kind == "SELECT", False
        answer, cursor = execute(sql, params, many, context), context["cursor"].cursor
        if so_far and not isinstance(cursor, ServerCursor):
            self.only_reads = True
            self.answers.append((sql, params, read_rows(cursor)))
        return answer

    def are_answered_alike(self, known: dict[str, Rows]) -> bool:
        """Whether the database says the same now; `known` keeps what it says in this state."""
        return self.only_reads and all(rows == answer_of(sql, params, known) for sql, params, rows in self.answers)


class SeenWrites:
    """An `execute_wrapper` that notes whether anything was asked of the database but to read."""

    def __init__(self) -> None:
        self.any = False

    def __call__(self, execute: Callable[..., Any], sql: str, params: Any, many: bool, context: Any) -> Any:
        """Execute a query and note what kind it is."""
        self.any |= sql.split(None, 1)[0] not in ("SELECT", *OF_SAVEPOINTS)
        return execute(sql, params, many, context)


def read_rows(cursor: Any) -> Rows:
    """All rows of an executed query, which can be fetched again."""
    rows: Rows = cursor.fetchall()
    if rows:
        cursor.scroll(0, mode="absolute")
    return rows


def answer_of(sql: str, params: Any, known: dict[str, Rows]) -> Rows:
    """What the database answers a reading query now."""
    key = f"{sql} {params!r}"
    if key not in known:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(sql, params)
            known[key] = cursor.fetchall()
    return known[key]

"""The flush after a transactional test: past the guards of append-only tables, and beside servers that still read."""

from collections.abc import Sequence

from django.db import OperationalError, transaction
from django.db.backends.base.operations import BaseDatabaseOperations
from psycopg.errors import DeadlockDetected

TRIGGERS = "SELECT name, sql FROM sqlite_master WHERE type = 'trigger' AND name LIKE 'append\\_only\\_%' ESCAPE '\\'"
ATTEMPTS = 5
"""How often a flush may lose to readers: each of them has ended before the next attempt, or has lost itself."""


def flush_without_guards(operations: BaseDatabaseOperations, statements: Sequence[str]) -> None:
    """On SQLite, which deletes row by row: run the statements with the triggers lifted, as no product code can."""
    with transaction.atomic(), operations.connection.cursor() as cursor:
        triggers = cursor.execute(TRIGGERS).fetchall()
        for name, _sql in triggers:
            cursor.execute(f"DROP TRIGGER {name}")
        BaseDatabaseOperations.execute_sql_flush(operations, statements)
        for _name, sql in triggers:
            cursor.execute(sql)


def flush_beside_readers(
    operations: BaseDatabaseOperations, statements: Sequence[str], attempts: int = ATTEMPTS
) -> None:
    """On PostgreSQL: run the statements again where a request of a server that outlives the test made a deadlock.

    TRUNCATE locks every table, one after another, while such a request may hold one and ask for the next.
    """
    for left in reversed(range(attempts)):
        try:
            return BaseDatabaseOperations.execute_sql_flush(operations, statements)
        except OperationalError as error:
            if not left or not isinstance(error.__cause__, DeadlockDetected):
                raise

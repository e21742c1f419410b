"""Takes append-only triggers off for the flush between tests, and puts the very same ones back."""

from collections.abc import Sequence

from django.db import transaction
from django.db.backends.base.operations import BaseDatabaseOperations

TRIGGERS = "SELECT name, sql FROM sqlite_master WHERE type = 'trigger' AND name LIKE 'append\\_only\\_%' ESCAPE '\\'"


def flush_without_guards(operations: BaseDatabaseOperations, statements: Sequence[str]) -> None:
    """Run the statements of a flush with the triggers lifted; production code has no such way."""
    with transaction.atomic(), operations.connection.cursor() as cursor:
        triggers = cursor.execute(TRIGGERS).fetchall()
        for name, _sql in triggers:
            cursor.execute(f"DROP TRIGGER {name}")
        BaseDatabaseOperations.execute_sql_flush(operations, statements)
        for _name, sql in triggers:
            cursor.execute(sql)

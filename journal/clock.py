"""The database's clock: one time for all web hosts and workers."""

from datetime import UTC, datetime

from django.db import connection

_QUERIES = {
    "postgresql": "SELECT clock_timestamp()",
    "sqlite": "SELECT strftime('%Y-%m-%d %H:%M:%f', 'now')",
}


def database_now() -> datetime:
    """The aware UTC time of the database, read anew at each call (not frozen at the start of the transaction)."""
    with connection.cursor() as cursor:
        cursor.execute(_QUERIES[connection.vendor])
        value = cursor.fetchone()[0]
    if isinstance(value, str):
        return datetime.fromisoformat(value).replace(tzinfo=UTC)
    return datetime.astimezone(value, UTC)

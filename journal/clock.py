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
        value: str | datetime = cursor.fetchone()[0]
    return as_time(value)


def as_time(value: str | datetime) -> datetime:
    """A time as either database tells it, aware and in UTC."""
    return datetime.fromisoformat(value).replace(tzinfo=UTC) if isinstance(value, str) else value.astimezone(UTC)

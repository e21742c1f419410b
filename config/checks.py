"""Set-ups that must not start: a database that may lose an acknowledged act, a queue that may lose a task."""

from collections.abc import Sequence
from typing import Any

from django.apps import AppConfig
from django.conf import settings
from django.core.checks import CheckMessage, Error
from django.core.exceptions import ImproperlyConfigured
from django.db import DEFAULT_DB_ALIAS, connection
from django.db.backends.base.base import BaseDatabaseWrapper

SQLITE_PRAGMAS = {"journal_mode": "wal", "synchronous": 2, "foreign_keys": 1, "busy_timeout": 5000}
"""What every SQLite connection must answer: write-ahead log, FULL, enforced foreign keys, 5 s of patience."""

LASTING = ("fsync", "full_page_writes", "synchronous_commit")
"""Settings of PostgreSQL without which a commit may be lost."""
HINTS = {
    **dict.fromkeys(LASTING, "Switch it on: without it an acknowledged result can be lost."),
    "lock_timeout": "A pooler drops what the connection asks for: ALTER ROLE … SET lock_timeout = '3s'.",
}


def unsafe_pragmas(connection: BaseDatabaseWrapper) -> dict[str, object]:
    """The pragmas of an SQLite connection that differ from `SQLITE_PRAGMAS`, with the values found."""
    with connection.cursor() as cursor:
        found = {name: cursor.execute(f"PRAGMA {name}").fetchone()[0] for name in SQLITE_PRAGMAS}
    return {name: value for name, value in found.items() if value != SQLITE_PRAGMAS[name]}


def refuse_unsafe_sqlite(connection: BaseDatabaseWrapper, **kwargs: Any) -> None:
    """Raise ImproperlyConfigured on a new SQLite connection whose settings could lose or tear an acknowledged act."""
    if connection.vendor != "sqlite" or connection.alias != DEFAULT_DB_ALIAS:  # any other is only read (config.copying)
        return
    wrong = unsafe_pragmas(connection)
    if getattr(connection, "transaction_mode", None) != "IMMEDIATE":
        wrong["transaction_mode"] = getattr(connection, "transaction_mode", None)
    if wrong:
        connection.close()
        found = ", ".join(f"{name}={value}" for name, value in wrong.items())
        raise ImproperlyConfigured(
            f"This SQLite database is not safe to use ({found}): "
            "put it on a local disk and use the settings of Doomdesk."
        )


def check_postgres(
    app_configs: Sequence[AppConfig] | None, databases: Sequence[str] | None = None, **kwargs: Any
) -> list[CheckMessage]:
    """Django check of a database: a PostgreSQL that waits for locks without end, or may lose an acknowledged act."""
    if DEFAULT_DB_ALIAS not in (databases or ()) or connection.vendor != "postgresql":
        return []
    names = ["lock_timeout", *(LASTING if settings.DURABLE_COMMITS else ())]
    with connection.cursor() as cursor:
        cursor.execute("SELECT name, setting FROM pg_settings WHERE name = ANY(%s) ORDER BY name", [names])
        found = dict(cursor.fetchall())
    wrong = [name for name, value in found.items() if value in ("0", "off")]
    return [Error(f"{name} is {found[name]} on this database.", hint=HINTS[name], id="config.E002") for name in wrong]


def check_queue(app_configs: Sequence[AppConfig] | None, **kwargs: Any) -> list[CheckMessage]:
    """Django check: the settings without which Celery on Redis loses or doubles tasks."""
    wanted = {
        "CELERY_TASK_ACKS_LATE": True,
        "CELERY_TASK_REJECT_ON_WORKER_LOST": True,
        "CELERY_WORKER_PREFETCH_MULTIPLIER": 1,
        "CELERY_TASK_SERIALIZER": "json",
        "CELERY_ACCEPT_CONTENT": ["json"],
    }
    wrong = [name for name, value in wanted.items() if getattr(settings, name, None) != value]
    if settings.CELERY_BROKER_TRANSPORT_OPTIONS["visibility_timeout"] <= settings.CELERY_TASK_TIME_LIMIT * 2:
        wrong.append("CELERY_TASK_TIME_LIMIT")
    return [Error(f"{name} must keep its safe value.", id="config.E001") for name in wrong]

"""DATABASE_URL and REDIS_URL turned into what Django, its cache and Celery ask for."""

import os
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit, urlunsplit

import dj_database_url
from django.core.exceptions import ImproperlyConfigured

from config.settings.values import number
from launch.places import database_file

SQLITE_OPTIONS = {
    "timeout": 5,
    "transaction_mode": "IMMEDIATE",
    "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA foreign_keys=ON;",
}
ADDRESSES = (
    "The database's address (DATABASE_URL) cannot be read: "
    "write postgresql://USER:PASSWORD@HOST/NAME or sqlite:///PATH, special characters as %XX."
)


def database(url: str, var: Path) -> dict[str, Any]:
    """Django's settings for a database address; the empty one means the embedded SQLite below `var`.

    Raises ImproperlyConfigured, without the address, for it may hold a password.
    """
    if not url:
        return {"ENGINE": "django.db.backends.sqlite3", "NAME": database_file(var), "OPTIONS": SQLITE_OPTIONS}
    try:
        parsed: dict[str, Any] = {**dj_database_url.parse(url)}
    except ValueError:
        raise ImproperlyConfigured(ADDRESSES) from None
    is_sqlite = parsed["ENGINE"].endswith("sqlite3")
    is_known = not parsed["HOST"] if is_sqlite else parsed["ENGINE"].endswith("postgresql")
    if not is_known:
        raise ImproperlyConfigured(ADDRESSES)
    own = SQLITE_OPTIONS if is_sqlite else postgres_options()
    return {**parsed, "OPTIONS": {**parsed.get("OPTIONS", {}), **own}}


def postgres_options() -> dict[str, Any]:
    """A small pool per process (DATABASE_POOL connections), 3 s of patience for locks, UTC."""
    pool: dict[str, Any] = {"min_size": 1, "max_size": number("DATABASE_POOL", 8, least=1), "timeout": 10}
    # While the server is away the pool tries at ever longer intervals. Once it gives up, the next request begins anew.
    pool["reconnect_timeout"] = 10
    return {"pool": pool, "options": "-c lock_timeout=3000 -c timezone=UTC"}


def broker_url(redis_url: str) -> str:
    """The same server as Celery writes it: unix:///PATH?db=N becomes redis+socket:///PATH?virtual_host=N."""
    parts = urlsplit(redis_url)
    if parts.scheme != "unix":
        return redis_url
    return f"redis+socket://{parts.path}?virtual_host={database_number(redis_url)}"


def cache_url(redis_url: str) -> str:
    """The cache's address: REDIS_CACHE_URL, else the next database number, so that clearing it spares the queue."""
    if own := os.environ.get("REDIS_CACHE_URL"):
        database_number(own, "REDIS_CACHE_URL")
        return own
    return with_database(redis_url, database_number(redis_url) + 1)


def database_number(redis_url: str, name: str = "REDIS_URL") -> int:
    """The database number in a redis:// or unix:// address, 0 when it names none; raises ImproperlyConfigured."""
    parts = urlsplit(redis_url)
    named = parse_qs(parts.query).get("db", [""])[0]
    if parts.scheme != "unix":
        named = named or parts.path.strip("/")
    if parts.scheme not in ("redis", "rediss", "unix") or not (named or "0").isdecimal():
        raise ImproperlyConfigured(f"{name} cannot be read: write redis://HOST:PORT/NUMBER or unix:///PATH?db=NUMBER.")
    return int(named or 0)


def with_database(redis_url: str, number: int) -> str:
    """The same address with another database number."""
    parts = urlsplit(redis_url)
    if parts.scheme == "unix":
        return f"unix://{parts.netloc}{parts.path}?db={number}"
    return urlunsplit(parts._replace(path=f"/{number}"))

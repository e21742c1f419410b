"""One transaction a service: nested calls join it, the outermost is tried again when the database asks for it."""

import random
import sqlite3
import time
from collections.abc import Callable
from functools import wraps
from typing import ParamSpec, TypeVar

from django.db import DatabaseError, InterfaceError, OperationalError, connection, transaction
from django.utils.translation import gettext_lazy as _

from rules_engine.errors import Conflict

P = ParamSpec("P")
T = TypeVar("T")

TRIES = 3
_RETRYABLE = {"40001", "40P01"}  # serialisation failure, deadlock
_LOCK_TIMEOUT = "55P03"
_OUTAGES = ("08", "53", "57P")  # connections, resources, an operator who stops the server
_SQLITE_OUTAGES = {sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_CANTOPEN}


def in_transaction(service: Callable[P, T]) -> Callable[P, T]:
    """Run a service in one transaction; nested it joins (behind a savepoint).

    Outermost, the whole service runs again after a serialisation failure or deadlock (PostgreSQL) or a busy database
    (SQLite), 3 tries in all. In vain, or a lock not had within `lock_timeout`: Conflict "busy". All else propagates.
    """

    @wraps(service)
    def run(*args: P.args, **kwargs: P.kwargs) -> T:
        if connection.in_atomic_block:
            with transaction.atomic():
                return service(*args, **kwargs)
        return _run_outermost(lambda: service(*args, **kwargs))

    return run


def is_retryable(error: BaseException) -> bool:
    """True where the same transaction, run again as a whole, may well succeed."""
    return _sqlstate(error) in _RETRYABLE or _is_sqlite_busy(error)


def is_transient(error: BaseException) -> bool:
    """True for what `in_transaction` deals with itself: a retryable error or a lock that was not had in time."""
    return is_retryable(error) or _sqlstate(error) == _LOCK_TIMEOUT


def is_outage(error: BaseException) -> bool:
    """True where the database went away or is out of space, whatever was asked of it."""
    if isinstance(error, InterfaceError):
        return True
    cause = error.__cause__
    if isinstance(cause, sqlite3.Error):
        return getattr(cause, "sqlite_errorcode", 0) & 0xFF in _SQLITE_OUTAGES
    state = _sqlstate(error)
    return isinstance(error, OperationalError) and cause is not None and (state is None or state.startswith(_OUTAGES))


def _run_outermost(service: Callable[[], T]) -> T:
    for attempt in range(1, TRIES + 1):
        try:
            with transaction.atomic():
                return service()
        except DatabaseError as error:
            if not is_transient(error):
                raise
            if attempt == TRIES or not is_retryable(error):
                raise Conflict("busy", _("Somebody else is changing this right now. Please try again.")) from error
        time.sleep(random.uniform(0.01, 0.05) * attempt)  # noqa: S311 - jitter, no secret
    raise AssertionError("unreachable")


def _sqlstate(error: BaseException) -> str | None:
    return getattr(error.__cause__, "sqlstate", None)


def _is_sqlite_busy(error: BaseException) -> bool:
    cause = error.__cause__
    return isinstance(cause, sqlite3.Error) and getattr(cause, "sqlite_errorcode", 0) & 0xFF == sqlite3.SQLITE_BUSY

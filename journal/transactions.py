"""One transaction a service: nested calls join it, the outermost is tried again when the database asks for it."""

import errno
import random
import shutil
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import wraps
from pathlib import Path
from typing import ParamSpec, TypeVar

from django.db import DatabaseError, InterfaceError, OperationalError, connection, transaction
from django.utils.translation import gettext_lazy as _

from rules_engine.errors import Conflict

P = ParamSpec("P")
T = TypeVar("T")

TRIES = 3
_RETRYABLE = {"40001", "40P01"}  # serialisation failure, deadlock
_LOCK_TIMEOUT = "55P03"
_fence: ContextVar[Callable[[], None] | None] = ContextVar("fence", default=None)
_OUTAGES = ("08", "53", "57P")  # connections, resources, an operator who stops the server
_SQLITE_OUTAGES = {sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_CANTOPEN}
_FULL = "53100"
_NO_SPACE = {errno.ENOSPC, errno.EDQUOT}
_ROOM = 1024 * 1024
"""Bytes below which a disk counts as full where SQLite only says that it could not write."""


@contextmanager
def fenced(check: Callable[[], None]) -> Iterator[None]:
    """Have `check` called at the end of every outermost transaction of the block; what it raises takes it all back."""
    token = _fence.set(check)
    try:
        yield
    finally:
        _fence.reset(token)


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
    return _sqlstate(error) in _RETRYABLE or _sqlite_code(error) == sqlite3.SQLITE_BUSY


def is_transient(error: BaseException) -> bool:
    """True for what `in_transaction` deals with itself: a retryable error or a lock that was not had in time."""
    return is_retryable(error) or _sqlstate(error) == _LOCK_TIMEOUT


def is_outage(error: BaseException) -> bool:
    """True where the database went away or is out of space, whatever was asked of it."""
    if isinstance(error, InterfaceError) or is_full(error):
        return True
    if (code := _sqlite_code(error)) is not None:
        return code in _SQLITE_OUTAGES
    state = _sqlstate(error)
    has_cause = error.__cause__ is not None
    return isinstance(error, OperationalError) and has_cause and (state is None or state.startswith(_OUTAGES))


def is_full(error: BaseException) -> bool:
    """True where there is no room left on the disk, the database's or our own."""
    if isinstance(error, OSError):
        return error.errno in _NO_SPACE
    code = _sqlite_code(error)
    is_unsaid = code == sqlite3.SQLITE_IOERR and not _has_room()
    return code == sqlite3.SQLITE_FULL or _sqlstate(error) == _FULL or is_unsaid


def _has_room() -> bool:
    """Whether the disk of the SQLite file has room; asked only after a failed write, which names no reason."""
    return shutil.disk_usage(Path(connection.settings_dict["NAME"]).parent).free >= _ROOM


def _run_outermost(service: Callable[[], T]) -> T:
    for attempt in range(1, TRIES + 1):
        try:
            with transaction.atomic():
                answer = service()
                if (check := _fence.get()) is not None:
                    check()
                return answer
        except DatabaseError as error:
            if not is_transient(error):
                raise
            if attempt == TRIES or not is_retryable(error):
                raise Conflict("busy", _("Another person is changing this right now. Try again.")) from error
        time.sleep(random.uniform(0.01, 0.05) * attempt)  # noqa: S311 - jitter, no secret
    raise AssertionError("unreachable")


def _sqlstate(error: BaseException) -> str | None:
    return getattr(error.__cause__, "sqlstate", None)


def _sqlite_code(error: BaseException) -> int | None:
    """SQLite's primary code, None where another database, or nothing of SQLite, is the cause."""
    cause = error.__cause__
    return getattr(cause, "sqlite_errorcode", 0) & 0xFF if isinstance(cause, sqlite3.Error) else None

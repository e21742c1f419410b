"""Runs the same thing in several processes at once, released together: races that one process would hide."""

import multiprocessing
import time
import traceback
from collections.abc import Callable
from typing import Any

from django.db import connections
from django.db.backends.postgresql.base import DatabaseWrapper

_FORK = multiprocessing.get_context("fork")
_INHERITED: list[Any] = []
SILENT = "no answer"


def race(action: Callable[[int], Any], clients: int, timeout: float = 60) -> list[Any]:
    """What `action(number)` returned in each of `clients` processes, in order; an exception comes back as its text.

    A process that says nothing within `timeout` seconds is killed: `SILENT`. Each process opens its own
    database connections. Use it in tests marked `django_db(transaction=True)` only.
    """
    close_connections()
    barrier = _FORK.Barrier(clients)
    pipes = [_FORK.Pipe(duplex=False) for _number in range(clients)]
    processes = [
        _FORK.Process(target=_run, args=(action, number, barrier, answer))
        for number, (_end, answer) in enumerate(pipes)
    ]
    for process in processes:
        process.start()
    deadline = time.monotonic() + timeout
    found = [end.recv() if end.poll(max(0, deadline - time.monotonic())) else SILENT for end, _answer in pipes]
    for process in processes:
        process.join(1)
        process.kill()
    return found


def close_connections() -> None:
    """Close every connection and pool, so that no process inherits one."""
    for connection in connections.all(initialized_only=True):
        connection.close()
        if hasattr(connection, "close_pool"):
            connection.close_pool()


def _start_afresh() -> None:
    """In a child: use nothing that the parent has open, for a thread of it (a live server's) may have opened it since.

    What is inherited is kept and not closed: that would end the parent's session on the same socket.
    """
    _INHERITED.extend([connections.all(initialized_only=True), dict(DatabaseWrapper._connection_pools)])
    DatabaseWrapper._connection_pools.clear()
    for alias in connections:
        connections[alias] = connections.create_connection(alias)


def _run(action: Callable[[int], Any], number: int, barrier: Any, answers: Any) -> None:
    _start_afresh()
    try:
        barrier.wait(30)
        answer = action(number)
    except Exception:
        answer = traceback.format_exc()
    answers.send(answer)
    close_connections()

"""Runs the same thing in several processes at once, released together: races that one process would hide.

A process is forked, so that it sees what a test prepared and which guard it took out. A fork copies one thread and the
locks of all: it happens only where there is no other thread, in the pass of `./test` for tests that fork.
"""

import multiprocessing
import os
import threading
import time
import traceback
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any

from django.db import connections
from django.db.backends.postgresql.base import DatabaseWrapper

FORK = multiprocessing.get_context("fork")
_INHERITED: list[Any] = []
SILENT = "no answer"
THREADS = (
    "a fork here would copy the locks of {count} other threads: import `race` or `forked` from tests.races in the "
    "module, so that ./test runs it in the pass of tests that fork, and open no browser or live server in it"
)


def race(action: Callable[[int], Any], clients: int, timeout: float = 60) -> list[Any]:
    """What `action(number)` returned in each of `clients` processes, in order; an exception comes back as its text.

    A process that says nothing within `timeout` seconds is killed: `SILENT`. Each process opens its own
    database connections. Use it in tests marked `django_db(transaction=True)` only.
    """
    barrier = FORK.Barrier(clients)
    pipes = [FORK.Pipe(duplex=False) for _number in range(clients)]
    with ExitStack() as stack:
        processes = [
            stack.enter_context(forked(_answer, action, number, barrier, answer))
            for number, (_end, answer) in enumerate(pipes)
        ]
        deadline = time.monotonic() + timeout
        found = [end.recv() if end.poll(max(0, deadline - time.monotonic())) else SILENT for end, _answer in pipes]
        for process in processes:
            process.join(1)
    return found


def goes_wrong(count: Callable[[], int], tries: int = 10) -> bool:
    """Whether the race of a control, run up to `tries` times, lets more than one through: chance may hide it once."""
    return any(count() > 1 for _try in range(tries))


@contextmanager
def forked(target: Callable[..., object], *arguments: object) -> Iterator[BaseProcess]:
    """A process that calls `target(*arguments)` with database connections of its own; killed when the block ends.

    Raises RuntimeError where this process has other threads.
    """
    close_connections()
    require_one_thread()
    process = FORK.Process(target=_run, args=(target, arguments), daemon=True)
    process.start()
    try:
        yield process
    finally:
        process.kill()
        process.join(10)


def require_one_thread(patience: float = 5.0) -> None:
    """Wait `patience` seconds for threads that are ending; raises RuntimeError if others than this one remain."""
    deadline = time.monotonic() + patience
    while (count := _threads() - 1) and time.monotonic() < deadline:
        time.sleep(0.02)
    if count:
        raise RuntimeError(THREADS.format(count=count))


def _threads() -> int:
    """How many threads this process has, those of compiled libraries too where the system tells."""
    tasks = Path("/proc/self/task")
    return len(os.listdir(tasks)) if tasks.exists() else threading.active_count()


def close_connections() -> None:
    """Close every connection and pool, so that no process inherits one."""
    for connection in connections.all(initialized_only=True):
        connection.close()
        if hasattr(connection, "close_pool"):
            connection.close_pool()


def _start_afresh() -> None:
    """In a child: use nothing that the parent has open.

    What is inherited is kept and not closed: that would end the parent's session on the same socket.
    """
    _INHERITED.extend([connections.all(initialized_only=True), dict(DatabaseWrapper._connection_pools)])
    DatabaseWrapper._connection_pools.clear()
    for alias in connections:
        connections[alias] = connections.create_connection(alias)


def _run(target: Callable[..., object], arguments: tuple[object, ...]) -> None:
    _start_afresh()
    target(*arguments)
    close_connections()


def _answer(action: Callable[[int], Any], number: int, barrier: Any, answers: Any) -> None:
    try:
        barrier.wait(30)
        answer = action(number)
    except Exception:
        answer = traceback.format_exc()
    answers.send(answer)

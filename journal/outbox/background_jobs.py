"""The Celery task of this site: each works under a lease on the outbox message that asked for it.

The lease is short and renewed while the work goes on, so that what a killed worker left is begun again soon, however
long it takes. Who lost the lease commits nothing more: it is renewed in every transaction of the work.
"""

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from threading import Event, Thread
from time import monotonic, sleep
from typing import Any
from uuid import UUID

from celery import Task
from django.db import DatabaseError, InterfaceError, connection

from journal.models import OutboxMessage
from journal.outbox.leases import LEASE, Lease, acquire, complete, fail, is_busy, renew
from journal.transactions import fenced, is_outage

logger = logging.getLogger(__name__)

BEAT = LEASE / 4
"""Seconds between two signs of life."""
OUTAGE = 30.0
"""Seconds that a database which went away in the middle of the work is waited for."""
LOOK_AGAIN = 0.5


class Overtaken(Exception):
    """Another worker has taken the work meanwhile: what was done here is taken back."""


class Work(Task):  # type: ignore[type-arg]
    """A task that is done once: begun, ended and failed in the row of its message, whose id is the task's id.

    `followed`: False where its loss is harmless, so that delivery is enough and it costs no writes. A task without a
    message just runs.
    """

    abstract = True
    followed = True

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Run the task; under a lease where a message asked for it."""
        message = _message_id(self.request.id) if self.followed else None
        if message is None:
            return self.run(*args, **kwargs)
        return work_on(message, str(self.request.hostname), lambda: self.run(*args, **kwargs))


class ShortWork(Work):
    """A matter of a moment: done by a web process where there is no worker."""

    abstract = True


class PassingWork(Work):
    """What the next act asks for again: nobody follows it once it is delivered."""

    abstract = True
    followed = False


def work_on(message: UUID, worker: str, job: Callable[[], Any]) -> Any:
    """Do a job under a lease on its message; nothing where the message is done, failed or held by another worker.

    A fault is noted in the message and raised, unless the database was merely busy or gone.
    """
    lease = acquire(message, LEASE, worker)
    if lease is None:
        return None
    try:
        with _signs_of_life(lease), fenced(lambda: _expect_held(lease)):
            answer = job()
    except Overtaken:
        logger.warning("background work %s was given to another worker: nothing of it was stored here", message)
        return None
    except Exception as error:
        _once_back(partial(fail, lease, error))
        if is_busy(error):
            logger.info("background work %s waits: %s", message, error)
            return None
        raise
    if not _once_back(partial(complete, lease)):
        logger.warning("background work %s was given to another worker before it was done here", message)
    return answer


@contextmanager
def _signs_of_life(lease: Lease) -> Iterator[None]:
    """Renew a lease from a thread with a connection of its own, for as long as the block runs."""
    over = Event()
    thread = Thread(target=_renew_until, args=(lease, over), name="signs of life", daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()  # a late sign would undo the pause that `fail` sets


def _renew_until(lease: Lease, over: Event) -> None:
    try:
        while not over.wait(BEAT):
            try:
                if not renew(lease):
                    return
            except (DatabaseError, InterfaceError) as error:  # locked by the work itself (SQLite), or gone for a while
                logger.info("no sign of life for background work %s: %s", lease.message, error)
                connection.close()
    finally:
        connection.close()


def _expect_held(lease: Lease) -> None:
    """Renew the lease in the transaction of the work: from then on nobody can take it before that is committed."""
    if not renew(lease):
        raise Overtaken


def _message_id(task_id: str | None) -> UUID | None:
    """The message of a task, None where no message asked for it."""
    try:
        message = UUID(task_id or "")
    except ValueError:
        return None
    return message if OutboxMessage.objects.filter(pk=message).exists() else None


def _once_back(note: Callable[[], bool]) -> bool:
    """Note how the work went; where the database is gone, as soon as it is back.

    What is not noted looks like a worker that died, and after three of those the job fails.
    """
    end = monotonic() + OUTAGE
    while True:
        if not connection.in_atomic_block:  # a new connection where the fault was the connection's
            connection.close_if_unusable_or_obsolete()
        try:
            return note()
        except (DatabaseError, InterfaceError) as error:
            if not is_outage(error) or monotonic() > end:
                raise
        sleep(LOOK_AGAIN)

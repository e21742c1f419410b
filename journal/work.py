"""The Celery task of this site: each works under a lease on the outbox message that asked for it."""

import logging
from collections.abc import Callable
from typing import Any
from uuid import UUID

from celery import Task
from django.conf import settings
from django.db import connection

from journal.leases import finish, give_up, is_busy, take
from journal.models import OutboxMessage

logger = logging.getLogger(__name__)


class Work(Task):  # type: ignore[type-arg]
    """A task that is done once: begun, ended and failed in the row of its message, whose id is the task's id.

    `lease_seconds`: how long nobody else may begin it; longer than it can take, for then it is taken for lost and given
    to somebody else. `followed`: False where its loss is harmless, so that delivery is enough and it costs no writes.
    A task without a message just runs.
    """

    abstract = True
    lease_seconds = 130.0
    followed = True

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Run the task; under a lease where a message asked for it."""
        message = _message_id(self.request.id) if self.followed else None
        if message is None:
            return self.run(*args, **kwargs)
        return work_on(message, self.lease_seconds, str(self.request.hostname), lambda: self.run(*args, **kwargs))


class ShortWork(Work):
    """A matter of a moment: taken for lost soon, and done by a web process where there is no worker."""

    abstract = True
    lease_seconds: float = settings.LOST_AFTER


class PassingWork(Work):
    """What the next act asks for again: nobody follows it once it is delivered."""

    abstract = True
    followed = False


def work_on(message: UUID, seconds: float, worker: str, job: Callable[[], Any]) -> Any:
    """Do a job under a lease on its message; nothing where the message is done, parked or somebody else's.

    A fault is noted in the message and raised, unless the database was merely busy or gone.
    """
    lease = take(message, seconds, worker)
    if lease is None:
        return None
    try:
        answer = job()
    except Exception as error:
        _close_if_broken()
        give_up(lease, error)
        if is_busy(error):
            logger.info("background work %s waits: %s", message, error)
            return None
        raise
    if not finish(lease):
        logger.warning("background work %s was given to somebody else before it was done here", message)
    return answer


def _message_id(task_id: str | None) -> UUID | None:
    """The message of a task, None where no message asked for it."""
    try:
        message = UUID(task_id or "")
    except ValueError:
        return None
    return message if OutboxMessage.objects.filter(pk=message).exists() else None


def _close_if_broken() -> None:
    """Let the note about a fault have a new connection where the fault was the connection's."""
    if not connection.in_atomic_block:
        connection.close_if_unusable_or_obsolete()

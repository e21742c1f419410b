"""Toy tasks, and messages that ask for them."""

from collections.abc import Callable
from uuid import UUID

from config.celery import app
from journal.clock import database_now
from journal.models import OutboxMessage
from journal.outbox.background_jobs import PassingWork, ShortWork, Work
from journal.outbox.messages import enqueue

DONE: list[str] = []
"""What the toy tasks did, in this process."""
ACTS: dict[str, Callable[[], None]] = {}


def _act(word: str) -> None:
    ACTS.get(word, lambda: None)()
    DONE.append(word)


long_work = app.task(_act, name="toy.long", base=Work, shared=False)
short_work = app.task(_act, name="toy.short", base=ShortWork, shared=False)
passing_work = app.task(_act, name="toy.passing", base=PassingWork, shared=False)


def ask(task: str = "toy.short", word: str = "x", **changes: object) -> OutboxMessage:
    """A message that asks for a toy task."""
    message = enqueue(task, [word], database_now())
    OutboxMessage.objects.filter(pk=message.pk).update(**changes) if changes else None
    return row(message.pk)


def row(message: UUID) -> OutboxMessage:
    return OutboxMessage.objects.get(pk=message)


def deliver(message: OutboxMessage) -> None:
    """What a worker does with a message, in this process; a fault of the task propagates."""
    app.tasks[message.task].apply(args=message.args, task_id=str(message.pk), throw=True)

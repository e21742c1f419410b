"""Asking for background work, in the transaction of the act that needs it."""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID, uuid4

from journal.models import OutboxMessage


def enqueue(
    task: str,
    args: Sequence[int | str],
    now: datetime,
    stream: str = "",
    message_id: UUID | None = None,
    due: datetime | None = None,
) -> OutboxMessage:
    """Ask for background work in the running transaction; `task` is a Celery task name, `args` are ids only.

    `stream` is the event's or sheet's that the work is for: whoever runs it sees the work, and what became of it.
    `message_id` is for who must know the message's id beforehand. Before `due` nobody takes it.
    """
    return OutboxMessage.objects.create(
        id=message_id or uuid4(), task=task, args=list(args), stream=stream, created_at=now, available_at=due or now,
        leased_until=due,
    )  # fmt: skip

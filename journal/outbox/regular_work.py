"""Background work that only the clock asks for: the relay puts it among the rest, once a while for the whole site."""

from uuid import UUID, uuid5

from celery import Celery
from django.conf import settings

from journal.clock import database_now
from journal.models import OutboxMessage

KIND = UUID("5f1c9d0e-6a43-4d0f-9c56-0f3a4a1a7c1e")


def ask_for_regular_work(app: Celery | None = None) -> int:
    """Ask for each task of `REGULAR_WORK` that is due; answers how many were asked for.

    However many relays run, each stretch of time has one message, whose id follows from the two. While the one before
    is not done, as without a worker, no further one piles up.
    """
    now, asked = database_now(), 0
    for task, seconds in settings.REGULAR_WORK.items():
        message = uuid5(KIND, f"{task} {int(now.timestamp() // seconds)}")
        if OutboxMessage.objects.filter(pk=message).exists():
            continue
        if OutboxMessage.objects.filter(stream="", task=task, done_at=None, parked_at=None).exists():
            continue
        row = OutboxMessage(id=message, task=task, created_at=now, available_at=now)
        asked += len(OutboxMessage.objects.bulk_create([row], ignore_conflicts=True))
    return asked

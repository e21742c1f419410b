"""Who does background work: the workers that answer now, and when each was last seen to begin something."""

from collections.abc import Mapping
from datetime import datetime, timedelta

from celery import Celery
from django.core.cache import cache
from django.db.models import Max

from journal.models import OutboxMessage

PING_SECONDS = 1.0
REMEMBERED_SECONDS = 5


def workers_that_answer(app: Celery) -> list[str] | None:
    """The names of the workers that answer within a second, sorted; None where the queue cannot be reached.

    Asked once in a few seconds, however many look.
    """
    found: tuple[list[str] | None] | None = cache.get("workers-that-answer")
    if found is None:
        found = (_ping(app),)
        cache.set("workers-that-answer", found, REMEMBERED_SECONDS)
    return found[0]


def _ping(app: Celery) -> list[str] | None:
    impatient = {"max_retries": 0, "socket_timeout": PING_SECONDS, "socket_connect_timeout": PING_SECONDS}
    try:
        with app.connection_for_write() as broker:
            broker.transport_options = {**(broker.transport_options or {}), **impatient}
            answers = app.control.ping(timeout=PING_SECONDS, connection=broker) or []
    except Exception:  # whatever is wrong with the queue, whoever asks wants to know just that
        return None
    return sorted(name for answer in answers for name in answer)


def seen_workers(now: datetime) -> Mapping[str, datetime]:
    """When each worker, or web process that stood in for one, last began something in the last hour; by name."""
    begun = OutboxMessage.objects.filter(begun_at__gte=now - timedelta(hours=1)).exclude(worker="")
    rows = begun.values("worker").annotate(last=Max("begun_at")).order_by("worker")
    return {row["worker"]: row["last"] for row in rows}

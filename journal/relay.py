"""Hands outbox messages to Celery: at least once, by any number of processes, through outages."""

import logging
from collections.abc import Sequence
from datetime import timedelta
from threading import Event
from time import monotonic
from uuid import UUID

from celery import Celery
from celery.exceptions import QueueNotFound
from django.db import DatabaseError, InterfaceError, connection, transaction
from django.db.models import QuerySet
from kombu import Connection
from kombu.exceptions import EncodeError

from journal.clock import database_now
from journal.models import IdempotencyKey, OutboxMessage

logger = logging.getLogger(__name__)

BATCH = 50
LEASE = timedelta(seconds=30)
PATIENCE = 10.0
"""Seconds a batch may take before the rest is given back: far below the lease, so that no other relay sends it too."""
POLL = 0.25
LONGEST_PAUSE = 5.0
TRIES = 5
KEEP_DELIVERED = timedelta(days=7)
KEEP_ANSWERS = timedelta(days=90)
PRUNE_EVERY = 3600.0
FAULTS = (EncodeError, QueueNotFound, TypeError)
"""What only the message itself can cause; anything else that publishing raises is taken for an outage of the broker."""


class Outage(Exception):
    """The broker did not take a message; the rest waits, and no message is blamed."""


def run_relay(app: Celery, stop: Event) -> None:
    """Relay until `stop` is set: polls every 0.25 s, backs off to 5 s in an outage, prunes hourly."""
    pause, pruned_at = POLL, float("-inf")
    while not stop.wait(pause):
        try:
            while relay_batch(app, stop):
                pass
            if monotonic() - pruned_at > PRUNE_EVERY:
                prune()
                pruned_at = monotonic()
        except (Outage, DatabaseError, InterfaceError, OSError) as error:
            if pause == POLL:
                logger.warning("outage, messages wait: %s", error)
            connection.close()
            pause = min(LONGEST_PAUSE, pause * 2)
            continue
        if pause != POLL:
            logger.warning("outage over")
        pause = POLL


def relay_batch(app: Celery, stop: Event) -> int:
    """Claim what is due, publish it, mark it; answers how many messages were dealt with. Raises Outage."""
    messages = _claim()
    if not messages:
        return 0
    deadline = monotonic() + PATIENCE
    with _connection(app) as broker:
        for count, message in enumerate(messages):
            if stop.is_set() or monotonic() > deadline:
                _give_back(messages[count:])
                return count
            try:
                _publish(app, broker, message)
            except Outage:
                _give_back(messages[count:])
                raise
    return len(messages)


def _connection(app: Celery) -> Connection:
    """A connection of our own, opened at the first message; it gives up after one try, where Celery's takes 6 s."""
    broker = app.connection_for_write()
    broker.transport_options = {**(broker.transport_options or {}), "max_retries": 0}
    return broker


def prune() -> None:
    """Forget delivered messages after a week, and answers to repeated requests after 90 days."""
    now = database_now()
    OutboxMessage.objects.filter(delivered_at__lt=now - KEEP_DELIVERED).delete()
    IdempotencyKey.objects.filter(created_at__lt=now - KEEP_ANSWERS).delete()


def unpark(ids: Sequence[UUID]) -> int:
    """Give parked messages a new set of tries; answers how many they were."""
    parked = OutboxMessage.objects.filter(pk__in=ids).exclude(parked_at=None)
    return parked.update(parked_at=None, attempts=0, available_at=database_now())


def _claim() -> list[OutboxMessage]:
    """Messages that are due, leased to us: if we die, they are due again when the lease ends."""
    now = database_now()
    due = OutboxMessage.objects.filter(available_at__lte=now, delivered_at=None, parked_at=None)
    if not due.exists():  # a glance without any lock: SQLite would take its only write lock below
        return []
    with transaction.atomic():
        skip = connection.features.has_select_for_update_skip_locked
        messages = list(due.select_for_update(skip_locked=skip).order_by("available_at")[:BATCH])
        _of(messages).update(available_at=now + LEASE)
    return messages


def _publish(app: Celery, broker: Connection, message: OutboxMessage) -> None:
    """Send one message and mark it, or count a fault of its own; raises Outage."""
    try:
        task_id = str(message.pk)
        app.send_task(message.task, message.args, task_id=task_id, connection=broker, retry=False, ignore_result=True)
    except FAULTS as error:
        _blame(message, error)
    except Exception as error:
        raise Outage(f"{type(error).__name__}: {error}") from error
    else:
        _of([message]).update(delivered_at=database_now())


def _blame(message: OutboxMessage, error: Exception) -> None:
    """Count a fault of the message itself: later tries, then parked for a person to look at."""
    now = database_now()
    message.attempts += 1
    message.available_at = now + timedelta(seconds=2**message.attempts)
    message.parked_at = now if message.attempts >= TRIES else None
    message.last_error = f"{type(error).__name__}: {error}"[:500]
    message.save(update_fields=["attempts", "available_at", "parked_at", "last_error"])
    logger.warning("outbox message %s (%s) failed: %s", message.pk, message.task, message.last_error)


def _give_back(messages: Sequence[OutboxMessage]) -> None:
    _of(messages).update(available_at=database_now())


def _of(messages: Sequence[OutboxMessage]) -> QuerySet[OutboxMessage]:
    return OutboxMessage.objects.filter(pk__in=[message.pk for message in messages])

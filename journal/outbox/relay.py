"""Hands outbox messages to Celery, and again where they got lost, until each is done: by any number of processes."""

import logging
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from datetime import datetime, timedelta
from threading import Event
from time import monotonic
from typing import Any
from uuid import UUID, uuid5

from celery import Celery
from celery.exceptions import QueueNotFound
from django.conf import settings
from django.db import DatabaseError, InterfaceError, connection, transaction
from django.db.models import F, Max, Q, QuerySet
from kombu import Connection
from kombu.exceptions import ChannelError, EncodeError

from journal.clock import database_now
from journal.models import IdempotencyKey, OutboxMessage
from journal.outbox.leases import fail_lost, is_free
from journal.outbox.queues import messages_by_queue

logger = logging.getLogger(__name__)

REGULAR_WORK_IDS = UUID("5f1c9d0e-6a43-4d0f-9c56-0f3a4a1a7c1e")
BATCH = 50
LOST_AFTER = timedelta(seconds=settings.LOST_AFTER)
"""How long a message is delivered, and begun by nobody, before it may be taken for lost."""
LEASE = LOST_AFTER
"""How long the messages of a relay that was killed wait for another one."""
PATIENCE = settings.LOST_AFTER / 3
"""Seconds a batch may take before the rest is given back: far below the lease, so that no other relay sends it too."""
POLL = 0.25
LONGEST_PAUSE = 5.0
TRIES = 5
KEEP_DONE = timedelta(days=7)
KEEP_ANSWERS = timedelta(days=90)
PRUNE_EVERY = 3600.0
RECOVER_EVERY = 2.0
REGULAR_EVERY = 10.0
RECOVERED_AT_ONCE = 500
FAULTS = (EncodeError, QueueNotFound, TypeError)
"""What only the message itself can cause; anything else that publishing raises is taken for an outage of the broker."""


class Outage(Exception):
    """The broker did not take a message; the rest waits, and no message is blamed."""


def run_relay(app: Celery, stop: Event) -> None:
    """Relay until `stop` is set: polls every 0.25 s, backs off to 5 s in an outage; sends lost ones again, prunes,
    asks for regular work.
    """
    pause = POLL
    chores: dict[Callable[[Celery], object], float] = {
        recover: RECOVER_EVERY,
        prune: PRUNE_EVERY,
        ask_for_regular_work: REGULAR_EVERY,
    }
    due = dict.fromkeys(chores, float("-inf"))
    while not stop.wait(pause):
        try:
            sent = 1
            while sent:
                sent = relay_batch(app, stop)
                for chore, seconds in chores.items():
                    if monotonic() > due[chore]:
                        due[chore] = monotonic() + seconds
                        chore(app)
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
    deadline, waiting = monotonic() + PATIENCE, _deliveries(app, messages)
    with _connection(app) as broker:
        while waiting:
            if stop.is_set() or monotonic() > deadline:
                break
            try:
                _publish(app, broker, waiting[0])
            except Outage:
                _give_back(waiting)
                raise
            waiting.popleft()
    return len(messages) - _give_back(waiting)


def _deliveries(app: Celery, messages: Iterable[OutboxMessage]) -> deque[list[OutboxMessage]]:
    """What is sent, in order, with all the messages that it serves: passing work asked for again is done once.

    Results pour in faster than standings are computed.
    """
    found: dict[object, list[OutboxMessage]] = {}
    for each in messages:
        found.setdefault(each.pk if _is_followed(app, each) else (each.task, *each.args), []).append(each)
    return deque(found.values())


def _connection(app: Celery) -> Connection:
    """A connection of our own, opened at the first message; it gives up after one try, where Celery's takes 6 s."""
    broker = app.connection_for_write()
    broker.transport_options = {**(broker.transport_options or {}), "max_retries": 0}
    return broker


def prune(app: Celery | None = None) -> None:
    """Forget messages a week after they were done, never others, and answers to repeated requests after 90 days."""
    now = database_now()
    OutboxMessage.objects.filter(done_at__lt=now - KEEP_DONE).delete()
    IdempotencyKey.objects.filter(created_at__lt=now - KEEP_ANSWERS).delete()


def recover(app: Celery) -> int:
    """Make due again what was delivered and got lost; answers how many they were. Raises Outage.

    Lost is what a worker began and whose lease ran out (a crashed worker), and what nobody has begun though the queue
    cannot hold it any more (a wiped broker). A long queue is not flooded: what may still stand in it is left alone.
    What was begun too often fails. A wrong guess costs one message that its worker finds taken or done. Each queue
    is judged by itself: a long one does not make another's messages lost, nor keep them.
    """
    count = sum(_recover(app, queue, own) for queue, own in messages_by_queue(app).items())
    if count:
        logger.warning("background work that got lost is sent again: %s message(s)", count)
    return count


def _recover(app: Celery, queue: str, own: Q) -> int:
    now = database_now()
    pending = OutboxMessage.objects.filter(own, done_at=None, parked_at=None, delivered_at__isnull=False)
    died = Q(leased_until__lte=now)
    fail_lost(pending.filter(died))
    overdue = Q(leased_until=None, delivered_at__lt=now - LOST_AFTER)
    lost = pending.filter(died)
    if pending.filter(overdue).exists():
        lost = pending.filter(died | Q(leased_until=None, delivered_at__lt=_queued_since(app, queue, own, now)))
    chosen = list(lost.order_by("created_at").values_list("pk", flat=True)[:RECOVERED_AT_ONCE])
    return lost.filter(pk__in=chosen).update(delivered_at=None, leased_until=None, available_at=now) if chosen else 0


def _queued_since(app: Celery, queue: str, own: Q, now: datetime) -> datetime:
    """What was delivered before this, and not begun, is in the queue no more.

    Where the queue is empty that is everything that was not delivered just now. Else a queue keeps its order: what was
    delivered well before something that has been begun was overtaken by it, and therefore lost.
    """
    if _is_empty(app, queue):
        return now - LOST_AFTER
    begun = OutboxMessage.objects.filter(own, begun_at__gte=now - 20 * LOST_AFTER, delivered_at__lte=F("begun_at"))
    newest: datetime | None = begun.aggregate(newest=Max("delivered_at"))["newest"]
    return (newest or datetime.min.replace(tzinfo=now.tzinfo) + LOST_AFTER) - LOST_AFTER


def _is_empty(app: Celery, queue: str) -> bool:
    try:
        with _connection(app) as broker:
            channel: Any = broker.default_channel
            return bool(channel.queue_declare(queue, passive=True).message_count == 0)
    except ChannelError:  # on Redis an empty queue does not exist
        return True
    except Exception as error:
        raise Outage(f"{type(error).__name__}: {error}") from error


def _claim() -> list[OutboxMessage]:
    """Messages that are due, leased to us: if we die, they are due again when the lease ends."""
    now = database_now()
    due = OutboxMessage.objects.filter(is_free(now), available_at__lte=now, delivered_at=None)
    if not due.exists():  # a glance without any lock: SQLite would take its only write lock below
        return []
    with transaction.atomic():
        skip = connection.features.has_select_for_update_skip_locked
        messages = list(due.select_for_update(skip_locked=skip).order_by("available_at")[:BATCH])
        _of(messages).update(available_at=now + LEASE, leased_until=None)
    return messages


def _publish(app: Celery, broker: Connection, messages: Sequence[OutboxMessage]) -> None:
    """Send what messages alike ask for and mark them, or count a fault of their own; raises Outage."""
    message = messages[-1]
    try:
        task_id = str(message.pk)
        app.send_task(message.task, message.args, task_id=task_id, connection=broker, retry=False, ignore_result=True)
    except FAULTS as error:
        for each in messages:
            _blame(each, error)
    except Exception as error:
        raise Outage(f"{type(error).__name__}: {error}") from error
    else:
        now = database_now()
        _of(messages).update(delivered_at=now, **({} if _is_followed(app, message) else {"done_at": now}))


def _is_followed(app: Celery, message: OutboxMessage) -> bool:
    """Whether delivery is not enough: its task works under a lease and says when it is done."""
    return bool(getattr(app.tasks.get(message.task), "followed", True))


def _blame(message: OutboxMessage, error: Exception) -> None:
    """Count a fault of the message itself: later tries, then it fails and waits for a person."""
    now = database_now()
    message.attempts += 1
    message.available_at = now + timedelta(seconds=2**message.attempts)
    message.parked_at = now if message.attempts >= TRIES else None
    message.last_error = f"{type(error).__name__}: {error}"[:500]
    message.save(update_fields=["attempts", "available_at", "parked_at", "last_error"])
    logger.warning("outbox message %s (%s) failed: %s", message.pk, message.task, message.last_error)


def _give_back(waiting: Iterable[Sequence[OutboxMessage]]) -> int:
    messages = [each for alike in waiting for each in alike]
    return _of(messages).update(available_at=database_now()) if messages else 0


def _of(messages: Sequence[OutboxMessage]) -> QuerySet[OutboxMessage]:
    return OutboxMessage.objects.filter(pk__in=[message.pk for message in messages])


def ask_for_regular_work(app: Celery | None = None) -> int:
    """Ask for each task of `REGULAR_WORK` that is due; answers how many were asked for.

    However many relays run, each stretch of time has one message, whose id follows from the two. While the one before
    is not done, as without a worker, no further one piles up.
    """
    now, asked = database_now(), 0
    for task, seconds in settings.REGULAR_WORK.items():
        message = uuid5(REGULAR_WORK_IDS, f"{task} {int(now.timestamp() // seconds)}")
        if OutboxMessage.objects.filter(pk=message).exists():
            continue
        if OutboxMessage.objects.filter(stream="", task=task, done_at=None, parked_at=None).exists():
            continue
        row = OutboxMessage(id=message, task=task, created_at=now, available_at=now)
        asked += len(OutboxMessage.objects.bulk_create([row], ignore_conflicts=True))
    return asked

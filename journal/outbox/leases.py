"""Who works on an outbox message: taken for a time, done, failed or lost, and failed after three starts in vain."""

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from django.conf import settings
from django.db.models import F, Q, QuerySet

from journal.clock import database_now
from journal.models import OutboxMessage
from journal.transactions import is_outage, is_transient
from rules_engine.errors import DomainError

logger = logging.getLogger(__name__)

LEASE = settings.LOST_AFTER * 2 / 3
"""Seconds that a message is held without a sign of life: lost work is found and sent again within LOST_AFTER."""
STARTS = 3
"""How often a message may be begun without being done before it fails."""
PAUSES = (timedelta(seconds=5), timedelta(seconds=30))
"""How long it rests after its first and its second fault."""
BUSY_PAUSE = timedelta(seconds=5)
DIED = "Whoever worked on it stopped in the middle of it, every time."


@dataclass(frozen=True, slots=True)
class Lease:
    """A message that a worker holds: `starts` and `begun_at` fence off whoever had it before."""

    message: UUID
    starts: int
    begun_at: datetime

    def held(self) -> QuerySet[OutboxMessage]:
        """The message, as long as it is not done and nobody else has taken it."""
        mine = OutboxMessage.objects.filter(pk=self.message, starts=self.starts, begun_at=self.begun_at)
        return mine.filter(done_at=None)


def is_free(now: datetime) -> Q:
    """What may be taken: neither done nor failed, and not held at `now`."""
    return Q(done_at=None, parked_at=None) & (Q(leased_until=None) | Q(leased_until__lte=now))


def is_resting() -> Q:
    """What was given back after a fault and is not due yet, as long as `is_free` does not hold."""
    return Q(available_at=F("leased_until"))


def acquire(message: UUID, seconds: float, worker: str) -> Lease | None:
    """Take a message for some seconds as `worker`; None where it is done, failed or held by another worker.

    One statement decides between several who try at once. What was begun `STARTS` times in vain fails instead.
    """
    now = database_now()
    free = OutboxMessage.objects.filter(is_free(now), pk=message)
    starts = free.values_list("starts", flat=True).first()
    if starts is None:
        return None
    if starts >= STARTS:
        fail_lost(free)
        return None
    lease = Lease(message, starts + 1, now)
    until = now + timedelta(seconds=seconds)
    taken = free.filter(starts=starts).update(starts=starts + 1, begun_at=now, worker=worker, leased_until=until)
    return lease if taken else None


def renew(lease: Lease, seconds: float = LEASE) -> bool:
    """Hold a message for longer, as its work goes on; False where another worker has taken it meanwhile."""
    return bool(lease.held().update(leased_until=database_now() + timedelta(seconds=seconds)))


def complete(lease: Lease) -> bool:
    """Mark a message as done; False, and nothing is changed, where another worker has taken it meanwhile."""
    return bool(lease.held().update(done_at=database_now(), leased_until=None))


def fail(lease: Lease, error: BaseException) -> bool:
    """Give a message back after a fault: it is due again after a pause, or it fails after its last start.

    A database that was merely busy, or gone, is nobody's fault: that start does not count. While it rests
    it is due when its lease ends, and `attempts` tells such starts from those whose worker died. False where another
    worker has it.
    """
    now, busy = database_now(), is_busy(error)
    failed = lease.starts >= STARTS and not busy
    pause = BUSY_PAUSE if busy else PAUSES[min(lease.starts, len(PAUSES)) - 1]
    changes = {
        "starts": lease.starts - busy,
        "attempts": F("attempts") + int(not busy),
        "last_error": f"{type(error).__name__}: {error}"[:500],
        "delivered_at": None,
        "available_at": now + pause,
        "leased_until": now + pause,
        "parked_at": now if failed else None,
    }
    if failed:
        logger.error("background job %s failed: %s", lease.message, changes["last_error"])
    return bool(lease.held().update(**changes))


def is_busy(error: BaseException) -> bool:
    """Whether the same work may well succeed soon: it only found something locked, or the database gone."""
    return (isinstance(error, DomainError) and error.code == "busy") or is_transient(error) or is_outage(error)


def fail_lost(messages: QuerySet[OutboxMessage]) -> int:
    """Fail what was begun often enough and never ended; answers how many they were."""
    lost = messages.filter(starts__gte=STARTS)
    failed = lost.update(parked_at=database_now(), leased_until=None, last_error=DIED)
    if failed:
        logger.error("background jobs failed, they stopped their worker %s times: %s message(s)", STARTS, failed)
    return failed


def retry_failed(ids: Sequence[UUID]) -> int:
    """Retry failed messages; answers how many they were."""
    failed = OutboxMessage.objects.filter(pk__in=ids).exclude(parked_at=None)
    return failed.update(
        parked_at=None, attempts=0, starts=0, delivered_at=None, leased_until=None, available_at=database_now()
    )

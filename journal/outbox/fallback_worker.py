"""Short background work done by a web process where no worker is at work: seen and taken in the database alone."""

import logging
import os
import socket
from datetime import datetime, timedelta
from threading import Event, Thread

from celery import Celery
from django.conf import settings
from django.db import DatabaseError, InterfaceError, OperationalError, close_old_connections, connection
from django.db.models import F, Q, QuerySet

from journal.clock import database_now
from journal.models import OutboxMessage
from journal.outbox.background_jobs import ShortWork, work_on
from journal.outbox.leases import is_free
from journal.outbox.queues import messages_by_queue

logger = logging.getLogger(__name__)

PREFIX = "web-"
"""What the names of stand-ins begin with in the rows of messages; workers have other names."""
HEAD_START = 2.0
"""Seconds that a worker which comes back has before a stand-in takes work that was just asked for."""
AT_ONCE = 20


def start_stand_ins(app: Celery) -> list[Thread]:
    """Watch from threads of this web process, one for each queue; none where `STAND_IN_AFTER` is 0.

    What waits for a slow push service holds up its own thread alone.
    """
    if not settings.STAND_IN_AFTER:
        return []
    app.loader.import_default_modules()
    watches = [FallbackWorker(app, queue).watch for queue in messages_by_queue(app)]
    threads = [Thread(target=watch, args=(Event(),), name="stand-in", daemon=True) for watch in watches]
    for thread in threads:
        thread.start()
    return threads


class FallbackWorker:
    """One web process that does the short work of a queue itself while no worker of that queue does.

    Any number may stand in together, and beside workers: leases see to it that each message is worked on once. It
    needs neither queue nor relay.
    """

    def __init__(self, app: Celery, queue: str = "") -> None:
        self.queue = queue or app.conf.task_default_queue
        self.own = messages_by_queue(app)[self.queue]
        self.after = float(settings.STAND_IN_AFTER)
        self.name = f"{PREFIX}{os.getpid()}@{socket.gethostname()}"
        self.tasks = {name: task for name, task in app.tasks.items() if isinstance(task, ShortWork)}
        self.stands_in = False

    def watch(self, stop: Event) -> None:
        """Look again and again until `stop` is set; an outage of the database is waited out."""
        while not stop.wait(self.after / 5):
            try:
                self.look()
                close_old_connections()
            except (DatabaseError, InterfaceError, OSError) as error:
                logger.info("the stand-in waits: %s", error)
                connection.close()

    def look(self) -> int:
        """Do what waits if no worker has begun anything of late; answers how much was done."""
        now = database_now()
        waiting = self._waiting(now)
        if not (self.stands_in or waiting.exists()):
            return 0
        if self._worker_is_at_work(now):
            self._change(False)
            return 0
        return sum(self._do(message) for message in waiting.order_by("created_at")[:AT_ONCE])

    def _waiting(self, now: datetime) -> QuerySet[OutboxMessage]:
        """Short work that nobody holds; not what may have killed more than one worker: that is for workers only."""
        since = now - timedelta(seconds=min(HEAD_START, self.after) if self.stands_in else self.after)
        harmless = Q(starts__lte=F("attempts") + 1)
        waiting = OutboxMessage.objects.filter(self.own, is_free(now), harmless, created_at__lte=since)
        return waiting.filter(task__in=self.tasks)

    def _worker_is_at_work(self, now: datetime) -> bool:
        begun = OutboxMessage.objects.filter(self.own, begun_at__gt=now - timedelta(seconds=self.after))
        return begun.exclude(worker="").exclude(worker__startswith=PREFIX).exists()

    def _do(self, message: OutboxMessage) -> bool:
        self._change(True)
        task = self.tasks[message.task]
        try:
            work_on(message.pk, self.name, lambda: task.run(*message.args))
        except (OperationalError, InterfaceError):
            raise
        except Exception:
            logger.exception("background work %s (%s) failed", message.pk, message.task)
            return False
        return True

    def _change(self, stands_in: bool) -> None:
        if stands_in and not self.stands_in:
            words = "no worker has begun anything for %g s: %s does short work itself (%s)"
            logger.warning(words, self.after, self.name, self.queue)
        elif self.stands_in and not stands_in:
            logger.warning("a worker is at work again: %s leaves the work to it (%s)", self.name, self.queue)
        self.stands_in = stands_in

"""The site's Celery application as the fault harness runs it: slow tallies and simulations, a poison, and controls.

`DOOMDESK_FAULTS` names the controls: "early_ack", "no_guards", "long_lease", "no_patience".
"""

import os
import random
import time
from contextlib import nullcontext

import django

from config.celery import app

SIMULATION = 4.0
"""Seconds that a chunk of a simulation takes at least."""
LONG_LEASE = 130.0
CONTROLS = set(os.environ.get("DOOMDESK_FAULTS", "").split(","))
if "early_ack" in CONTROLS:
    app.conf.update(task_acks_late=False, task_reject_on_worker_lost=False)
django.setup()

from django.db import transaction  # noqa: E402

from journal.clock import database_now  # noqa: E402
from journal.outbox import background_jobs, leases  # noqa: E402
from journal.outbox.messages import enqueue  # noqa: E402
from scoring import tasks  # noqa: E402
from scoring.models import SheetTally  # noqa: E402
from tournaments import tasks as event_tasks  # noqa: E402


@app.task(name="trust.poison", base=background_jobs.ShortWork)
def poison() -> None:
    """Kill the process that works on it."""
    os._exit(1)


tallier_of = tasks.get_tallier


def slow_tallier(game):
    """The tallier of a game after a moment, so that faults meet tallies half-way."""
    time.sleep(random.uniform(0, 0.1))
    return tallier_of(game)


tasks.get_tallier = slow_tallier
keeper_of = event_tasks.keep_chunk


def keep_later(*args):
    """A simulated chunk kept after some seconds, in which its worker can be killed."""
    time.sleep(SIMULATION)
    keeper_of(*args)


event_tasks.keep_chunk = keep_later


def take_always(message, seconds, worker):
    """A lease for everybody who asks."""
    return leases.Lease(message, 1, database_now())


def store_again(revision, tally, error, now, handoff=""):
    """A tally stored by everybody who has one."""
    with transaction.atomic():
        SheetTally.objects.create(revision=revision, tally=tally, error=error, tallied_at=now)
        enqueue(handoff, [revision.pk], now, revision.sheet.stream)


if "no_guards" in CONTROLS:
    background_jobs.acquire, tasks.store_tally, tasks.outcome_of = take_always, store_again, lambda revision: None

if "long_lease" in CONTROLS:
    background_jobs.LEASE = LONG_LEASE
    background_jobs.renew = lambda lease: leases.renew(lease, LONG_LEASE)
    background_jobs._signs_of_life = lambda lease: nullcontext()

if "no_patience" in CONTROLS:
    background_jobs.OUTAGE = 0

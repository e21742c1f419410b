"""J5: what a killed worker was in the middle of is begun again, by another one, within 15 s, and done once.

Real processes: the relay, two workers, a Valkey of their own, with the waiting times of a real site. The control has
the one long lease that nobody renews: then the work waits for its end.
"""

import os
import signal
import tempfile
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from django.conf import settings

from journal.clock import database_now
from journal.models import OutboxMessage
from tests.invariants.processes import Processes, processes_in, wait_until
from tests.tournaments.factories import NOW, account, next_round, report_all, running
from tournaments.forecast.services import TASK, ask_outlook
from tournaments.models import OutlookChunk, OutlookRun

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.postgresql]
BY = settings.LOST_AFTER
CHUNKS, WORKERS = 4, ("worker1", "worker2")
PATIENCE = 60.0
"""Seconds in which both workers have to be there and at work: a busy machine starts them slowly."""
MARGIN = 8.0
"""Seconds for the work itself, once it is begun again: 4 that the harness adds, the rest for a busy machine."""


def held_by(name: str) -> list[OutboxMessage]:
    """The chunks that a worker is in the middle of."""
    return list(OutboxMessage.objects.filter(task=TASK, worker__startswith=f"{name}@", done_at=None))


def kill_in_the_middle(site: Processes) -> tuple[list[OutboxMessage], datetime]:
    """Kill a worker and all its processes while both simulate; what it held, and when."""
    assert wait_until(lambda: held_by("worker1") and held_by("worker2"), PATIENCE), site.said("worker1")[-3000:]
    os.killpg(site.running["worker1"].pid, signal.SIGKILL)
    killed = database_now()
    site.running["worker1"].wait(10)
    return held_by("worker1"), killed


def simulate_and_kill(monkeypatch, controls: tuple[str, ...] = ()) -> tuple[bool, datetime, list[OutboxMessage]]:
    """Whether a simulation ends in time after one of its workers is killed, when that was, and what it held."""
    monkeypatch.setattr("tournaments.forecast.services.CHUNKS", CHUNKS)
    monkeypatch.setattr("tournaments.forecast.services.SAMPLES", 5)
    tournament = running(8, swiss_rounds=4)
    report_all(next_round(tournament))
    with (
        tempfile.TemporaryDirectory(prefix="dd-site-", dir="/tmp") as name,
        processes_in(Path(name), "broker", "relay", *WORKERS, controls=controls, patience=BY) as site,
    ):
        assert wait_until(lambda: all("ready" in site.said(each) or site.children(each) for each in WORKERS), PATIENCE)
        ask_outlook(account("olive"), tournament, NOW, 7)
        held, killed = kill_in_the_middle(site)
        assert held
        in_time = wait_until(lambda: OutlookChunk.objects.count() == CHUNKS, BY + MARGIN)
        return in_time, killed, held


def test_a_killed_worker_holds_a_simulation_up_for_15_seconds_at_most(monkeypatch):
    in_time, killed, held = simulate_and_kill(monkeypatch)
    assert in_time
    for first in held:
        again = OutboxMessage.objects.get(pk=first.pk)
        assert (again.starts, again.worker.partition("@")[0]) == (2, "worker2")
        assert again.begun_at is not None
        assert again.done_at is not None
        print(f"begun again {again.begun_at - killed} after the kill, done {again.done_at - killed} after it")
        assert again.begun_at - killed < timedelta(seconds=BY)
    assert OutlookRun.objects.count() == 1


@pytest.mark.long
def test_control_with_one_long_lease_it_waits_for_longer(monkeypatch):
    in_time, _killed, held = simulate_and_kill(monkeypatch, ("long_lease",))
    assert not in_time
    assert OutlookChunk.objects.count() == CHUNKS - len(held)
    assert len(held_by("worker1")) == len(held)

"""A simulation is asked for again while a worker keeps a chunk of the one before: the new one stands, whole.

Proof with its control: without the lock of the run before, the chunk that comes in between is left without its run.
"""

import time

import pytest
from django.db import IntegrityError
from django.db.models import QuerySet

from journal.transactions import in_transaction
from tests.races import FORK, forked
from tests.tournaments.factories import NOW, account, event, next_round, running
from tournaments import tasks
from tournaments.forecast import plan_runs
from tournaments.forecast.plan_runs import ask_plan_run, simulate_chunk
from tournaments.forecast.planning import Plan
from tournaments.forecast.services import ask_outlook, renew_outlook
from tournaments.models import OutlookChunk, OutlookRun, PlanChunk, PlanRun

pytestmark = pytest.mark.django_db(transaction=True)
KEPT_FOR = 1.0


def plans():
    held = event(8)
    run = ask_plan_run(held, Plan(8, 3), 50, 7, NOW)
    return lambda: simulate_chunk(str(run.pk), 0), lambda: ask_plan_run(held, Plan(8, 4), 50, 7, NOW)


def outlooks():
    held = running(8, swiss_rounds=4)
    olive, _round = account("olive"), next_round(held)
    run = ask_outlook(olive, held, NOW, 7)
    OutlookRun.objects.update(given={**run.given, "seen": 1})  # so that there is something to renew
    return lambda: tasks.simulate_outlook(run.pk, 0), lambda: renew_outlook(olive, held, NOW, 8)


def replaced_meanwhile(keep, again):
    """Ask again while a chunk is being kept."""
    end, said = FORK.Pipe(duplex=False)

    @in_transaction
    def keep_slowly():
        keep()
        said.send("kept")
        time.sleep(KEPT_FOR)

    with forked(keep_slowly) as worker:
        assert end.poll(30)
        again()
        worker.join(30)


@pytest.fixture(params=[plans, outlooks])
def kind(request, monkeypatch):
    monkeypatch.setattr(plan_runs, "MOST_A_CHUNK", 5)
    return request.param()


def test_the_new_run_stands_and_nothing_of_the_old_is_left(kind):
    replaced_meanwhile(*kind)
    assert PlanRun.objects.count() + OutlookRun.objects.count() == 1
    assert PlanChunk.objects.count() + OutlookChunk.objects.count() == 0


def test_without_the_lock_a_chunk_comes_in_between(kind, monkeypatch):
    keep, again = kind

    def unlocked():
        with monkeypatch.context() as without:
            without.setattr(QuerySet, "select_for_update", lambda self, **_options: self)
            again()

    with pytest.raises(IntegrityError):
        replaced_meanwhile(keep, unlocked)

"""Work under leases: begun once, fenced, given back, parked, sent again; done by web processes where no worker is."""

import sqlite3
import time
from collections.abc import Callable
from contextlib import nullcontext
from datetime import timedelta
from threading import Event

import pytest
from celery import Celery
from django.conf import settings
from django.core.management import call_command
from django.db import OperationalError
from psycopg import OperationalError as PsycopgError
from redis import Redis

from config.celery import app
from journal.clock import database_now
from journal.models import OutboxMessage
from journal.outbox import background_jobs
from journal.outbox.background_jobs import BEAT, Work
from journal.outbox.fallback_worker import FallbackWorker, start_stand_ins
from journal.outbox.leases import BUSY_PAUSE, DIED, LEASE, PAUSES, STARTS, Lease, acquire, complete, fail, retry_failed
from journal.outbox.relay import LOST_AFTER, POLL, RECOVER_EVERY, RECOVERED_AT_ONCE, recover, relay_batch
from journal.transactions import in_transaction
from rules_engine.errors import Conflict
from tests.journal import works
from tests.journal.works import ask, deliver, row
from tests.races import race
from tournaments.notifications.services import PUSH

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]
SECOND = timedelta(seconds=1)


@pytest.fixture(autouse=True)
def done() -> list[str]:
    """What the toy tasks did in this test."""
    works.DONE.clear()
    works.ACTS.clear()
    return works.DONE


@pytest.fixture
def queue(redis_url) -> Redis:
    server = Redis.from_url(redis_url)
    server.delete("celery", "pushes")
    yield server
    server.delete("celery", "pushes")
    server.close()


def broken() -> None:
    raise ValueError("no")


def busy() -> None:
    raise Conflict("busy", "Somebody else is changing this right now.")


def test_every_task_of_the_site_works_under_a_lease():
    app.loader.import_default_modules()
    own = [task for name, task in app.tasks.items() if not name.startswith("celery.")]
    assert own
    assert all(isinstance(task, Work) for task in own)


def test_lost_work_is_found_and_sent_again_within_the_promised_time():
    assert LEASE + RECOVER_EVERY + POLL < settings.LOST_AFTER
    assert 3 * BEAT < LEASE, "two signs of life may get lost"


def hold_for(seconds: float) -> Callable[[], None]:
    """Work that takes a while; what another worker gets meanwhile stands in `TAKEN`."""

    def act() -> None:
        time.sleep(seconds)
        TAKEN.append(acquire(OutboxMessage.objects.get().pk, 15, "another"))

    return act


TAKEN: list[Lease | None] = []


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("kind", ["toy.long", "toy.short"])
@pytest.mark.parametrize("beat", [0.1, 99])
def test_work_that_goes_on_is_not_taken_for_lost(done, kind, beat, monkeypatch):
    """The control: without signs of life another worker takes it."""
    monkeypatch.setattr("journal.outbox.background_jobs.LEASE", 0.5)
    monkeypatch.setattr("journal.outbox.background_jobs.BEAT", beat)
    works.ACTS["x"], _cleared = hold_for(1.2), TAKEN.clear()
    message = ask(kind)
    deliver(message)
    assert [lease is None for lease in TAKEN] == [beat < 1]
    assert (row(message.pk).done_at is not None) == (beat < 1)


def overtaken_at_work() -> None:
    """Another worker takes the work, and only then this one stores something."""
    message = OutboxMessage.objects.get(task="toy.long")
    OutboxMessage.objects.filter(pk=message.pk).update(leased_until=database_now() - SECOND)
    assert acquire(message.pk, 15, "next") is not None
    store_something()


@in_transaction
def store_something() -> None:
    ask("toy.short", "stored")


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("is_fenced", [True, False])
def test_whoever_lost_the_lease_commits_nothing(done, is_fenced, monkeypatch):
    """The control: without the fence both workers store."""
    if not is_fenced:
        monkeypatch.setattr("journal.outbox.background_jobs.fenced", lambda check: nullcontext())
    works.ACTS["x"] = overtaken_at_work
    message = ask("toy.long")
    deliver(message)
    assert OutboxMessage.objects.filter(args=["stored"]).exists() != is_fenced
    found = row(message.pk)
    assert (found.worker, found.done_at, found.starts, found.attempts) == ("next", None, 2, 0)


def test_work_is_done_once_however_often_it_is_delivered(done):
    message = ask()
    for _delivery in range(3):
        deliver(message)
    assert done == ["x"]
    after = row(message.pk)
    assert after.starts == 1
    assert after.done_at is not None
    assert after.leased_until is None
    assert after.begun_at is not None


def test_work_that_nobody_asked_for_in_a_message_just_runs(done):
    app.tasks["toy.short"]("called")
    app.tasks["toy.short"].apply(args=["applied"], throw=True)
    app.tasks["toy.short"].apply(args=["named"], task_id="no-uuid", throw=True)
    assert done == ["called", "applied", "named"]


def test_passing_work_costs_no_writes(done, django_assert_num_queries):
    message = ask("toy.passing")
    with django_assert_num_queries(0):
        deliver(message)
    assert done == ["x"]


def test_what_somebody_holds_nobody_else_begins():
    message = ask()
    assert acquire(message.pk, 15, "one") is not None
    assert acquire(message.pk, 15, "two") is None
    assert row(message.pk).worker == "one"


def test_a_lost_lease_is_taken_over_and_its_old_holder_changes_nothing():
    message = ask()
    first = acquire(message.pk, -1, "stopped")
    second = acquire(message.pk, 15, "next")
    assert (second.starts, row(message.pk).worker) == (2, "next")
    assert not fail(first, ValueError("late"))
    assert not complete(first)
    assert row(message.pk).done_at is None
    assert complete(second)
    assert not complete(first)


def test_a_holder_who_is_late_but_not_replaced_has_done_it():
    lease = acquire(ask(delivered_at=database_now()).pk, -1, "slow")
    recover(app_that_is_not_there())
    assert complete(lease)


@pytest.mark.django_db(transaction=True)
def test_many_at_once_begin_it_once():
    message = ask()
    taken = race(lambda number: acquire(message.pk, 15, f"worker {number}") is not None, 4)
    assert sorted(taken) == [False, False, False, True]
    assert row(message.pk).starts == 1


def test_a_fault_rests_longer_each_time_and_is_parked_the_third_time(done):
    works.ACTS["x"] = broken
    message = ask()
    for pause in PAUSES:
        with pytest.raises(ValueError, match="no"):
            deliver(message)
        found = row(message.pk)
        assert pause - SECOND < found.available_at - database_now() <= pause
        assert (found.parked_at, found.delivered_at, found.last_error) == (None, None, "ValueError: no")
        deliver(message)  # a second copy of it does not cut the rest short
        assert row(message.pk).starts == found.starts
        OutboxMessage.objects.update(available_at=database_now(), leased_until=database_now())
    with pytest.raises(ValueError, match="no"):
        deliver(message)
    assert row(message.pk).parked_at is not None
    deliver(message)
    assert (done, row(message.pk).starts) == ([], STARTS)


def test_a_busy_database_is_nobodys_fault(done):
    works.ACTS["x"] = busy
    message = ask()
    for _try in range(STARTS + 2):
        deliver(message)
        found = row(message.pk)
        assert (found.starts, found.parked_at) == (0, None)
        assert BUSY_PAUSE - SECOND < found.available_at - database_now() <= BUSY_PAUSE
        OutboxMessage.objects.update(available_at=database_now(), leased_until=database_now())
    works.ACTS.clear()
    deliver(message)
    assert done == ["x"]


def gone() -> None:
    """The server hangs up in the middle of the work, as psycopg tells it."""
    raise OperationalError("the connection is lost") from PsycopgError("server closed the connection unexpectedly")


def full() -> None:
    error = sqlite3.OperationalError("database or disk is full")
    error.sqlite_errorcode = sqlite3.SQLITE_FULL
    raise OperationalError(str(error)) from error


@pytest.mark.parametrize("outage", [gone, full])
def test_outages_of_the_database_are_no_crashes(done, outage):
    works.ACTS["x"] = outage
    message = ask()
    for _try in range(STARTS + 2):
        deliver(message)
        found = row(message.pk)
        assert (found.starts, found.attempts, found.parked_at) == (0, 0, None)
        OutboxMessage.objects.update(available_at=database_now(), leased_until=database_now())
    works.ACTS.clear()
    deliver(message)
    assert done == ["x"]


@pytest.mark.parametrize("act", ["fail", "complete"])
@pytest.mark.parametrize("is_waited_for", [True, False])
def test_how_work_went_is_noted_once_the_database_is_back(done, act, is_waited_for, monkeypatch):
    """The control: noted at once or never, work that nobody killed looks like a worker that died."""
    outages = [gone, gone] if is_waited_for else [gone]
    noted = getattr(background_jobs, act)

    def note(*args):
        if outages:
            outages.pop()()
        return noted(*args)

    monkeypatch.setattr(background_jobs, "LOOK_AGAIN", 0)
    monkeypatch.setattr(background_jobs, "OUTAGE", 30 if is_waited_for else -1)
    monkeypatch.setattr(background_jobs, act, note)
    works.ACTS["x"] = gone if act == "fail" else lambda: None
    message = ask()
    with nullcontext() if is_waited_for else pytest.raises(OperationalError):
        deliver(message)
    found = row(message.pk)
    assert (found.leased_until is None or found.leased_until == found.available_at) == is_waited_for
    assert found.starts == (0 if act == "fail" and is_waited_for else 1)


def test_what_was_begun_three_times_and_never_ended_is_parked(done):
    message = ask(starts=STARTS, leased_until=database_now() - SECOND, worker="dead")
    deliver(message)
    found = row(message.pk)
    assert done == []
    assert found.parked_at is not None
    assert found.last_error == DIED


def test_unparked_work_has_all_its_tries_again(done):
    message = ask(starts=STARTS, parked_at=database_now(), delivered_at=database_now())
    assert retry_failed([message.pk]) == 1
    found = row(message.pk)
    assert (found.starts, found.delivered_at) == (0, None)
    deliver(message)
    assert done == ["x"]


def app_that_is_not_there() -> Celery:
    """An application whose queue must not be asked."""
    return Celery("nowhere", broker="redis://127.0.0.1:1/0", set_as_current=False)


def test_work_of_a_dead_worker_is_due_again_when_its_lease_ends():
    now = database_now()
    held = ask(delivered_at=now, starts=1, leased_until=now + SECOND * 10, worker="alive")
    dead = ask(delivered_at=now, starts=1, leased_until=now - SECOND, worker="dead")
    hopeless = ask(delivered_at=now, starts=STARTS, leased_until=now - SECOND, worker="dead")
    assert recover(app_that_is_not_there()) == 1
    assert row(held.pk).delivered_at is not None
    assert row(dead.pk).delivered_at is None
    assert row(hopeless.pk).parked_at is not None


def test_what_a_wiped_queue_lost_is_sent_again(queue):
    long_ago = database_now() - LOST_AFTER - SECOND
    lost, fresh = ask(delivered_at=long_ago), ask(delivered_at=database_now())
    done, failed = ask(delivered_at=long_ago, done_at=long_ago), ask(delivered_at=long_ago, parked_at=long_ago)
    assert recover(app) == 1
    assert row(lost.pk).delivered_at is None
    assert None not in {row(message.pk).delivered_at for message in (fresh, done, failed)}
    assert relay_batch(app, Event()) == 1
    assert recover(app) == 0


def test_a_long_queue_is_not_sent_again(queue):
    long_ago = database_now() - LOST_AFTER * 4
    ask(delivered_at=long_ago)
    queue.lpush("celery", "anything")
    assert recover(app) == 0


def test_pushes_have_a_queue_of_their_own(queue):
    ask(PUSH), ask()
    assert relay_batch(app, Event()) == 2
    assert (queue.llen("celery"), queue.llen("pushes")) == (1, 1)


@pytest.mark.parametrize(("long", "task", "other"), [("pushes", PUSH, "toy.short"), ("celery", "toy.short", PUSH)])
def test_each_queue_is_judged_by_itself(queue, long, task, other):
    """What stands in a long queue is not sent again because the other is empty, nor because its work goes on."""
    now = database_now()
    queue.lpush(long, "anything")
    stands, lost = ask(task, delivered_at=now - LOST_AFTER * 4), ask(other, delivered_at=now - LOST_AFTER * 4)
    ask(other, delivered_at=now - SECOND, begun_at=now, done_at=now, starts=1)
    assert recover(app) == 1
    assert row(stands.pk).delivered_at is not None
    assert row(lost.pk).delivered_at is None


def test_what_was_overtaken_in_a_long_queue_is_lost(queue):
    now = database_now()
    queue.lpush("celery", "anything")
    lost = ask(delivered_at=now - LOST_AFTER * 4)
    waiting = ask(delivered_at=now - LOST_AFTER * 2)
    ask(delivered_at=now - LOST_AFTER * 2, begun_at=now - SECOND, done_at=now, starts=1)
    assert recover(app) == 1
    assert row(lost.pk).delivered_at is None
    assert row(waiting.pk).delivered_at is not None


def test_a_wiped_queue_comes_back_by_portions(queue, monkeypatch):
    monkeypatch.setattr("journal.outbox.relay.RECOVERED_AT_ONCE", 2)
    for _number in range(3):
        ask(delivered_at=database_now() - LOST_AFTER * 2)
    assert RECOVERED_AT_ONCE == 500
    assert (recover(app), recover(app), recover(app)) == (2, 1, 0)


def test_delivery_is_enough_for_passing_work(queue):
    passing, followed = ask("toy.passing"), ask()
    assert relay_batch(app, Event()) == 2
    assert row(passing.pk).done_at is not None
    assert row(followed.pk).done_at is None


def test_the_relay_sends_nothing_that_is_done_or_held(queue):
    ask(done_at=database_now())
    ask(leased_until=database_now() + SECOND * 10, worker="web-1@desk", starts=1)
    assert relay_batch(app, Event()) == 0


def test_the_command_knows_which_work_is_passing(queue):
    message = ask("tournaments.refresh_standings")
    call_command("relay", once=True)
    assert row(message.pk).done_at is not None


def waiting(seconds: float = 16, **changes: object) -> OutboxMessage:
    """Short work that waits for so long."""
    return ask(created_at=database_now() - SECOND * seconds, **changes)


def test_a_web_process_does_short_work_that_waits_for_a_worker(done):
    message = waiting()
    assert FallbackWorker(app).look() == 1
    assert done == ["x"]
    assert row(message.pk).worker.startswith("web-")


@pytest.mark.parametrize(
    "changes",
    [
        {"seconds": 5},
        {"task": "toy.long"},
        {"task": "toy.passing"},
        {"done_at": database_now},
        {"parked_at": database_now},
        {"leased_until": lambda: database_now() + SECOND},
        {"starts": 2, "worker": "died"},
    ],
    ids=lambda changes: next(iter(changes)),
)
def test_a_web_process_leaves_alone_what_is_not_for_it(done, changes):
    waiting(**{name: value() if callable(value) else value for name, value in changes.items()})
    assert FallbackWorker(app).look() == 0
    assert done == []


def test_a_web_process_tries_again_what_failed_in_order(done):
    waiting(starts=2, attempts=2, worker="worker-1@desk")
    assert FallbackWorker(app).look() == 1


def test_a_web_process_leaves_the_work_to_a_living_worker(done):
    waiting()
    ask(begun_at=database_now() - SECOND * 5, done_at=database_now(), worker="worker-1@desk")
    assert FallbackWorker(app).look() == 0


def test_other_web_processes_are_no_workers(done):
    waiting()
    ask(begun_at=database_now() - SECOND * 5, done_at=database_now(), worker="web-1@desk")
    assert FallbackWorker(app).look() == 1


def test_standing_in_is_told_once_and_ends_with_the_first_worker(done, caplog):
    stand_in = FallbackWorker(app)
    waiting()
    stand_in.look()
    waiting(3, args=["soon"])
    stand_in.look()
    assert done == ["x", "soon"]
    ask(begun_at=database_now(), done_at=database_now(), worker="worker-1@desk")
    stand_in.look()
    stand_in.look()
    assert [record.message.split(":")[0] for record in caplog.records] == [
        "no worker has begun anything for 15 s",
        "a worker is at work again",
    ]


def test_a_fault_under_a_web_process_is_noted_and_the_next_goes_on(done):
    works.ACTS["bad"] = broken
    bad = waiting(args=["bad"])
    waiting(args=["good"])
    assert FallbackWorker(app).look() == 1
    assert done == ["good"]
    assert row(bad.pk).last_error == "ValueError: no"


def test_standing_in_can_be_switched_off(settings):
    settings.STAND_IN_AFTER = 0
    assert start_stand_ins(app) == []


def test_a_web_process_stands_in_for_each_queue_by_itself(done):
    """A worker that pushes is none for sheets, and the other way round; and who stands in for one leaves the other."""
    sheet, push = waiting(), waiting(task=PUSH, args=[0, 0])
    ask(PUSH, begun_at=database_now() - SECOND, done_at=database_now(), worker="push-worker-1@desk")
    assert (FallbackWorker(app).look(), FallbackWorker(app, "pushes").look()) == (1, 0)
    assert row(sheet.pk).done_at
    OutboxMessage.objects.exclude(pk=push.pk).delete()
    ask(begun_at=database_now() - SECOND, done_at=database_now(), worker="worker-1@desk")
    assert (FallbackWorker(app).look(), FallbackWorker(app, "pushes").look()) == (0, 1)
    assert row(push.pk).done_at

"""The relay against a real queue, and against queues that are closed, stalled or gone."""

import json
import os
import signal
import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from multiprocessing.process import BaseProcess
from threading import Event

import pytest
from celery import Celery
from django.core.management import call_command
from django.db import connection
from redis import Redis

from config.celery import app as site
from journal.clock import database_now
from journal.models import IdempotencyKey, OutboxMessage
from journal.outbox.leases import retry_failed
from journal.outbox.messages import enqueue
from journal.outbox.relay import LEASE, TRIES, Outage, prune, relay_batch, run_relay
from tests.journal import works
from tests.races import forked, race

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]


def app_at(url: str) -> Celery:
    app = Celery("relay-test", set_as_current=False)
    app.config_from_object("django.conf:settings", namespace="CELERY")
    app.conf.broker_url = url
    return app


@pytest.fixture
def queue(redis_url) -> Iterator[Redis]:
    server = Redis.from_url(redis_url)
    server.delete("celery")
    yield server
    server.delete("celery")
    server.close()


@pytest.fixture
def app(queue, settings) -> Celery:
    return app_at(settings.CELERY_BROKER_URL)


@contextmanager
def stalled_server() -> Iterator[str]:
    """A server that takes connections and never says a word."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        yield f"redis://127.0.0.1:{listener.getsockname()[1]}/0"


def closed_url() -> str:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return f"redis://127.0.0.1:{listener.getsockname()[1]}/0"


def ask(count: int = 1, **changes: object) -> list[OutboxMessage]:
    messages = [enqueue("toy.act", [number], database_now()) for number in range(count)]
    OutboxMessage.objects.filter(pk__in=[message.pk for message in messages]).update(**changes) if changes else None
    return messages


def queued(queue: Redis) -> list[str]:
    """Ids of the tasks in the queue, oldest first."""
    return [json.loads(raw)["headers"]["id"] for raw in reversed(queue.lrange("celery", 0, -1))]


def wait_until(true, seconds: float) -> bool:
    end = time.monotonic() + seconds
    while not true() and time.monotonic() < end:
        time.sleep(0.02)
    return bool(true())


def test_messages_reach_the_queue_once_in_order_under_their_own_ids(app, queue):
    messages = ask(3)
    assert relay_batch(app, Event()) == 3
    assert relay_batch(app, Event()) == 0
    assert queued(queue) == [str(message.pk) for message in messages]
    assert not OutboxMessage.objects.filter(delivered_at=None).exists()


def test_the_queue_gets_the_task_and_its_arguments(app, queue):
    enqueue("toy.act", [7, "x"], database_now())
    relay_batch(app, Event())
    sent = json.loads(queue.lrange("celery", 0, -1)[0])
    assert sent["headers"]["task"] == "toy.act"
    assert sent["headers"]["argsrepr"] == "[7, 'x']"


def test_passing_work_asked_for_again_is_sent_once_for_all_who_asked(queue):
    """With its control: of work that somebody follows, each message is sent."""
    passing = [works.ask("toy.passing", word) for word in "xyxx"]
    followed = [works.ask("toy.short", "x") for _message in range(2)]
    assert relay_batch(site, Event()) == 6
    assert queued(queue) == [str(each.pk) for each in (passing[3], passing[1], *followed)]
    assert not OutboxMessage.objects.filter(delivered_at=None).exists()
    assert set(OutboxMessage.objects.filter(done_at=None)) == set(followed)


def test_a_message_due_later_waits(app, queue):
    ask(1, available_at=database_now() + timedelta(minutes=1))
    assert relay_batch(app, Event()) == 0


def test_a_closed_broker_delays_and_blames_nobody():
    ask(3)
    started = time.monotonic()
    with pytest.raises(Outage):
        relay_batch(app_at(closed_url()), Event())
    assert time.monotonic() - started < 2
    due = OutboxMessage.objects.filter(available_at__lte=database_now(), delivered_at=None, attempts=0, parked_at=None)
    assert due.count() == 3


def test_a_stalled_broker_costs_no_more_than_the_socket_timeouts():
    ask(3)
    started = time.monotonic()
    with stalled_server() as url, pytest.raises(Outage):
        relay_batch(app_at(url), Event())
    assert time.monotonic() - started < 5
    assert OutboxMessage.objects.filter(attempts=0, parked_at=None, delivered_at=None).count() == 3


def test_no_outage_however_long_parks_a_message():
    ask(1)
    for _try in range(TRIES + 2):
        with pytest.raises(Outage):
            relay_batch(app_at(closed_url()), Event())
    assert OutboxMessage.objects.get().parked_at is None


def test_a_message_at_fault_is_parked_and_the_others_flow(app, queue):
    [bad] = ask(1, args={"not": "a list"})
    ask(2)
    for _try in range(TRIES):
        relay_batch(app, Event())
        OutboxMessage.objects.filter(pk=bad.pk).update(available_at=database_now())
    bad.refresh_from_db()
    assert (bad.attempts, bad.delivered_at) == (TRIES, None)
    assert bad.parked_at is not None
    assert "TypeError" in bad.last_error
    assert len(queued(queue)) == 2
    assert relay_batch(app, Event()) == 0


def test_an_unparked_message_gets_new_tries(app, queue):
    [message] = ask(1, parked_at=database_now(), attempts=TRIES)
    assert retry_failed([message.pk]) == 1
    assert relay_batch(app, Event()) == 1
    assert queued(queue) == [str(message.pk)]


def test_messages_of_a_killed_relay_are_due_again_when_its_lease_ends(app, queue):
    [message] = ask(1, available_at=database_now() + LEASE)
    assert relay_batch(app, Event()) == 0
    OutboxMessage.objects.update(available_at=database_now())
    assert relay_batch(app, Event()) == 1
    assert queued(queue) == [str(message.pk)]


def test_a_relay_told_to_stop_gives_its_messages_back(app, queue):
    ask(2)
    stop = Event()
    stop.set()
    assert relay_batch(app, stop) == 0
    assert OutboxMessage.objects.filter(available_at__lte=database_now()).count() == 2


def test_prune_forgets_what_is_long_done_only():
    now = database_now()
    ask(1, delivered_at=now - timedelta(days=8), done_at=now - timedelta(days=8))
    kept = {message.pk for message in ask(1, done_at=now - timedelta(days=6))}
    kept |= {message.pk for message in ask(1, delivered_at=now - timedelta(days=30))}
    kept |= {message.pk for message in ask(1, created_at=now - timedelta(days=30))}
    IdempotencyKey.objects.create(scope="user:1", key="old")
    IdempotencyKey.objects.update(created_at=now - timedelta(days=91))
    IdempotencyKey.objects.create(scope="user:1", key="new")
    prune()
    assert set(OutboxMessage.objects.values_list("pk", flat=True)) == kept
    assert [row.key for row in IdempotencyKey.objects.all()] == ["new"]


@pytest.mark.django_db(transaction=True)
def test_several_relays_deliver_each_message_once(app, queue):
    messages = ask(120)

    def drain(number: int) -> int:
        return sum(iter(lambda: relay_batch(app, Event()), 0))

    assert sum(race(drain, 3)) == 120
    assert sorted(queued(queue)) == sorted(str(message.pk) for message in messages)


@contextmanager
def relay_process(broker_url: str) -> Iterator[BaseProcess]:
    """The command itself in a process of its own."""

    def run() -> None:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        Celery("relay-test").config_from_object(
            {"broker_url": broker_url, "broker_transport_options": {"socket_timeout": 2}}
        )
        call_command("relay")

    with forked(run) as process:
        yield process


def stop_time(process: BaseProcess, number: int) -> float:
    started = time.monotonic()
    os.kill(process.pid, number)
    process.join(10)
    return time.monotonic() - started


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_the_command_picks_up_new_messages_at_once_and_ends_when_told(queue, settings, number):
    with relay_process(settings.CELERY_BROKER_URL) as process:
        ask(1)
        assert wait_until(lambda: len(queued(queue)) == 1, 5)
        started = time.monotonic()
        ask(1)
        assert wait_until(lambda: len(queued(queue)) == 2, 5)
        assert time.monotonic() - started < 0.5
        assert stop_time(process, number) < 1
        assert process.exitcode == 0


@pytest.mark.django_db(transaction=True)
def test_the_command_lives_through_a_broker_that_is_not_there():
    with relay_process(closed_url()) as process:
        ask(1)
        time.sleep(1.5)
        assert process.is_alive()
        assert stop_time(process, signal.SIGTERM) < 3
        assert process.exitcode == 0


@pytest.mark.django_db(transaction=True)
def test_nothing_is_lost_when_relays_are_killed(queue, settings, app):
    messages = {str(message.pk) for message in ask(60)}
    for _kill in range(3):
        with relay_process(settings.CELERY_BROKER_URL) as process:
            time.sleep(0.35)
            os.kill(process.pid, signal.SIGKILL)
            process.join(5)
    OutboxMessage.objects.filter(delivered_at=None).update(available_at=database_now())
    while relay_batch(app, Event()):
        pass
    assert set(queued(queue)) == messages


@pytest.mark.django_db(transaction=True)
def test_a_database_outage_is_waited_out(app, queue, monkeypatch):
    """The first glance meets a closed connection; the relay goes on with a new one."""
    stop = Event()
    ask(1)
    connection.connection.close()

    def stop_when_done(seconds: float) -> bool:
        time.sleep(min(seconds, 0.05))
        return bool(queue.llen("celery"))

    monkeypatch.setattr(stop, "wait", stop_when_done)
    run_relay(app, stop)
    assert len(queued(queue)) == 1


def test_once_delivers_what_is_due(queue, settings):
    ask(2)
    call_command("relay", once=True)
    assert len(queued(queue)) == 2

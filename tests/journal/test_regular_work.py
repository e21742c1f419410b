"""Work that the clock asks for: once a stretch of time for the whole site, and never a pile."""

from datetime import timedelta

import pytest

from journal.clock import database_now
from journal.models import OutboxMessage
from journal.outbox import relay
from journal.outbox.relay import ask_for_regular_work
from tests.races import race

pytestmark = pytest.mark.django_db
TASK = "toy.regular"


@pytest.fixture(autouse=True)
def clock(settings, monkeypatch):
    """Every ten minutes; the time is the test's."""
    settings.REGULAR_WORK = {TASK: 600}
    times = [database_now().replace(minute=0, second=5, microsecond=0)]
    monkeypatch.setattr(relay, "database_now", lambda: times[-1])
    return times


def asked():
    return OutboxMessage.objects.filter(task=TASK)


def test_each_stretch_of_time_asks_once(clock):
    assert [ask_for_regular_work() for _ in range(3)] == [1, 0, 0]
    asked().update(done_at=clock[-1])
    clock.append(clock[-1] + timedelta(seconds=590))
    assert ask_for_regular_work() == 0
    clock.append(clock[-1] + timedelta(seconds=10))
    assert ask_for_regular_work() == 1
    assert asked().count() == 2


def test_nothing_piles_up_without_a_worker(clock):
    ask_for_regular_work()
    for _ in range(5):
        clock.append(clock[-1] + timedelta(seconds=600))
        assert ask_for_regular_work() == 0
    asked().update(parked_at=clock[-1])  # what failed for good holds up nothing
    assert ask_for_regular_work() == 1


@pytest.mark.django_db(transaction=True)
def test_relays_that_ask_at_once_ask_once():
    race(lambda number: ask_for_regular_work(), 4)
    assert asked().count() == 1


def test_a_site_without_regular_work_asks_for_none(settings):
    settings.REGULAR_WORK = {}
    assert (ask_for_regular_work(), asked().exists()) == (0, False)

"""J1: a broker that takes connections and answers nobody costs no request more than 0.3 s, and most nothing."""

import signal
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.core.cache import cache, caches

from journal.live import breaker
from journal.live.notices import ChangeNotice
from tests.invariants.processes import Processes, processes_in

MOST = 0.3


@pytest.fixture
def stalled(settings) -> Iterator[Processes]:
    """A Valkey of our own that both cache and telling talk to; SIGSTOP stops it in its tracks."""
    with tempfile.TemporaryDirectory(prefix="dd-site-", dir="/tmp") as name, processes_in(Path(name), "broker") as site:
        url = f"unix://{site.socket}?db="
        settings.REDIS_URL = f"{url}0"
        settings.CACHES = {"default": {**settings.CACHES["default"], "LOCATION": f"{url}1"}}
        request()
        yield site
        site.signal("broker", signal.SIGCONT)
    caches["default"]._memory.clear()


def request() -> float:
    """Seconds that one request spends on the broker: a throttle's counters, a sign-in limit's, two tellings."""
    begun = time.monotonic()
    cache.get("throttle")
    cache.set("throttle", [1], 60)
    cache.add("limit", 1, 60)
    cache.incr("limit")
    for ear in ("room", "staff"):
        ChangeNotice("event-1", ear)()
    return time.monotonic() - begun


def test_a_stalled_broker_costs_a_request_its_patience_and_the_next_ones_nothing(stalled, monkeypatch):
    monkeypatch.setattr(breaker, "PAUSE", 1.0)
    stalled.signal("broker", signal.SIGSTOP)
    took = []
    for _pause in range(3):
        took.append([request() for _request in range(10)])
        time.sleep(1.1)
    assert max(map(max, took)) < MOST
    assert max(max(each[1:]) for each in took) < 0.05, "one request tries for all"


def test_with_the_old_patience_a_request_costs_more(stalled, monkeypatch, settings):
    """The control: a second of patience, a second try, and no word from one to the other."""
    monkeypatch.setattr(breaker.Breaker, "allows", lambda self: True)
    settings.CACHES = {
        "default": {**settings.CACHES["default"], "OPTIONS": {"SOCKET_CONNECT_TIMEOUT": 1, "SOCKET_TIMEOUT": 1}}
    }
    stalled.signal("broker", signal.SIGSTOP)
    assert request() > MOST


def test_the_broker_is_asked_again_once_it_answers(stalled, monkeypatch):
    monkeypatch.setattr(breaker, "PAUSE", 0.5)
    cache.set("kept", "there", 60)
    stalled.signal("broker", signal.SIGSTOP)
    assert cache.get("kept") is None
    stalled.signal("broker", signal.SIGCONT)
    time.sleep(0.6)
    assert cache.get("kept") == "there"

"""Listeners are told once a transaction, after it is stored, and never at the cost of the act."""

import socket
import time
from collections.abc import Iterator

import pytest
from django.db import transaction

from journal.clock import database_now
from journal.ledger.services import record
from journal.live.breaker import PATIENCE
from journal.live.notices import ChangeNotice, channel_of, heard_on, prefix

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]


def act(stream: str = "event-1", **ear: str) -> None:
    record(stream, "report", "user:1", "judge", database_now(), {}, **ear)


def test_a_transaction_tells_once_a_stream_and_ear_and_staff_unless_told_otherwise(django_capture_on_commit_callbacks):
    with django_capture_on_commit_callbacks() as told:
        act(), act(), act(ear="room"), act("event-2"), act(ear="room")
    assert told == [ChangeNotice("event-1", "staff"), ChangeNotice("event-1", "room"), ChangeNotice("event-2", "staff")]


def test_what_is_taken_back_is_not_told_and_what_comes_after_is(django_capture_on_commit_callbacks):
    with django_capture_on_commit_callbacks() as told:
        with transaction.atomic():
            act()
            transaction.set_rollback(True)
        act()
    assert told == [ChangeNotice("event-1", "staff")]


def test_a_channel_names_its_stream_and_ear():
    assert heard_on(channel_of("event:7", "room")) == ("event:7", "room")
    assert heard_on(prefix() + "nobody:event") == ("event", "staff")


@pytest.fixture
def stalled() -> Iterator[str]:
    """The address of a server that takes every connection and never says a word."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield f"redis://127.0.0.1:{server.getsockname()[1]}/0"


def test_a_stalled_redis_costs_one_act_its_patience_and_the_next_nothing(stalled, settings):
    settings.REDIS_URL = stalled
    took = []
    for _time in range(3):
        begun = time.monotonic()
        ChangeNotice("event-1", "room")()
        took.append(time.monotonic() - begun)
    assert took[0] < PATIENCE + 0.5  # a busy machine; without the patience it is as long as Redis is silent
    assert max(took[1:]) < PATIENCE / 2

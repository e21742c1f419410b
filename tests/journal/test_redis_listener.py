"""The ear of a process: its marks change with every word, and it says so when it hears nothing."""

import socket
from contextlib import suppress
from threading import Thread

import pytest
from redis.exceptions import RedisError

from journal.live.notices import ChangeNotice, channel_of
from journal.live.redis_listener import ANY, RedisListener
from tests.invariants.processes import wait_until


class Enough(Exception):
    """Ends an ear."""


def test_what_is_told_on_redis_changes_the_mark_of_its_stream(redis_url):
    listener, told = RedisListener(redis_url), []

    def tell(stream: str, ear: str, about: int | None) -> None:
        told.append((stream, ear, about))
        if stream == "event:last":
            raise Enough

    def listen() -> None:
        with suppress(Enough):
            listener.listen()

    listener.follow(tell)
    assert not listener.is_connected
    thread = Thread(target=listen, daemon=True)
    thread.start()
    assert wait_until(lambda: listener.is_connected, 10)
    before, other, of_any = listener.version_of("event:1"), listener.version_of("event:2"), listener.version_of(ANY)
    ChangeNotice("event:1", "staff")()
    assert wait_until(lambda: listener.version_of("event:1") != before, 10)
    assert listener.version_of("event:2") == other
    assert listener.version_of(ANY) != of_any
    ChangeNotice("event:last", "room", 7)()
    thread.join(10)
    assert told == [("event:1", "staff", None), ("event:last", "room", 7)]
    assert not listener.is_connected
    assert listener.version_of("event:1") is None


def test_a_new_connection_makes_every_mark_another_for_words_may_be_missed_in_between():
    listener = RedisListener("redis://nowhere")
    listener._take({"type": "psubscribe"})
    first = listener.version_of("event:1")
    listener._turn_deaf()
    assert listener.version_of("event:1") is None
    listener._take({"type": "psubscribe"})
    assert listener.version_of("event:1") not in (None, first)


def test_who_left_is_told_no_longer():
    listener, told = RedisListener("redis://nowhere"), []

    def tell(stream: str, ear: str, about: int | None) -> None:
        told.append(stream)

    for act in (listener.follow, listener.leave):
        act(tell)
        listener._take({"type": "pmessage", "channel": channel_of("event:1", "room").encode(), "data": b"changed"})
    assert told == ["event:1"]


def test_a_redis_that_says_nothing_is_none():
    with socket.create_server(("127.0.0.1", 0)) as server:
        listener = RedisListener(f"redis://127.0.0.1:{server.getsockname()[1]}/0")
        with pytest.raises((RedisError, OSError)):
            listener._listen_once()
        assert not listener.is_connected

"""The Redis listener of a web process: one thread that follows every stream.

What may be built on it: while `version_of` a stream stays the same, no notice of the stream reached this
process. That is a promise about notices, not about what is stored: a notice takes some milliseconds, and a process
that cannot reach Redis tells nobody. Who must see the newest state asks the database.
"""

import logging
import time
from collections import Counter
from collections.abc import Callable
from threading import Lock, Thread
from typing import Any

from django.conf import settings
from redis import Redis
from redis.backoff import NoBackoff
from redis.exceptions import RedisError
from redis.retry import Retry

from journal.live.notices import Audience, heard_on, prefix

logger = logging.getLogger(__name__)

Mark = tuple[int, int]
"""The number of the connection to Redis, and how often the stream was heard of."""
Follower = Callable[[str, Audience, int | None], None]
ANY = ""
"""Stands for all streams together where a mark is asked for."""
SILENCE = 1.0
"""Seconds without a word after which Redis is asked whether it is there, and those that it has to answer."""
PAUSE = 2.0
"""Seconds before another try with a Redis that went away."""


class RedisListener:
    """What a process has heard. Any thread may ask; one thread listens."""

    def __init__(self, url: str) -> None:
        self._url, self._is_connected, self._connections = url, False, 0
        self._heard: Counter[str] = Counter()
        self._followers: set[Follower] = set()
        self._lock = Lock()

    @property
    def is_connected(self) -> bool:
        """Whether anything is heard at the moment."""
        return self._is_connected

    def version_of(self, stream: str) -> Mark | None:
        """What another call has to answer for nothing to have been heard in between; None while not connected."""
        with self._lock:
            return (self._connections, self._heard[stream]) if self._is_connected else None

    def follow(self, tell: Follower) -> None:
        """Have a function called, from the thread that listens, with stream, ear and match of all that is heard."""
        with self._lock:
            self._followers = self._followers | {tell}

    def leave(self, tell: Follower) -> None:
        with self._lock:
            self._followers = self._followers - {tell}

    def listen(self) -> None:
        """Listen for ever, and try again where Redis went away."""
        while True:
            try:
                self._listen_once()
            except (RedisError, OSError) as error:
                logger.info("no word from Redis: %s", error)
            finally:
                self._turn_deaf()
            time.sleep(PAUSE)

    def _listen_once(self) -> None:
        """Listen until Redis goes away, or says nothing when it is asked."""
        patience = {"socket_connect_timeout": SILENCE, "socket_timeout": SILENCE}
        client = Redis.from_url(self._url, **patience, retry=Retry(NoBackoff(), 0))
        with client, client.pubsub() as ear:  # type: ignore[no-untyped-call]
            ear.psubscribe(f"{prefix()}*")
            is_asked = False
            while True:
                message = ear.get_message(timeout=SILENCE)
                if message is not None:
                    is_asked = False
                    self._take(message)
                elif is_asked:
                    raise TimeoutError("no sign of life")
                else:
                    is_asked = True
                    ear.ping()

    def _take(self, message: dict[str, Any]) -> None:
        if message["type"] == "psubscribe":
            with self._lock:
                self._is_connected, self._connections = True, self._connections + 1
        elif message["type"] == "pmessage":
            stream, ear = heard_on(message["channel"].decode())
            about = int(message["data"]) if message["data"].isdigit() else None
            with self._lock:
                self._heard.update((stream, ANY))
                followers = self._followers
            for tell in followers:
                tell(stream, ear, about)

    def _turn_deaf(self) -> None:
        with self._lock:
            self._is_connected = False


_listener: RedisListener | None = None


def start_listening() -> RedisListener:
    """Listen from a thread of this web process from now on; the process's one listener where there is one already."""
    global _listener
    if _listener is None:
        _listener = RedisListener(settings.REDIS_URL)
        Thread(target=_listener.listen, name="redis-listener", daemon=True).start()
    return _listener


def version_of(stream: str) -> Mark | None:
    """The mark of a stream, or of `ANY`, in this process; None where it does not listen, or hears nothing."""
    return _listener.version_of(stream) if _listener is not None else None

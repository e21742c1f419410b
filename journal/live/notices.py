"""Tells whoever listens that a stream changed: on Redis, after the commit, and never at the cost of the act itself."""

from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from django.conf import settings
from django.db import connection, transaction
from redis import Redis
from redis.backoff import NoBackoff
from redis.exceptions import RedisError
from redis.retry import Retry

from journal.live.breaker import PATIENCE, breaker_of

Audience = Literal["room", "staff"]
"""Who is notified: the whole room of what everybody may see, the staff of everything else too."""
PREFIX = "doomdesk:live:"


@dataclass(frozen=True, slots=True)
class ChangeNotice:
    """One stream that changed, and who is to know; called once its transaction is committed.

    `about` is the part of the stream that it is of interest to, by id; None for all.
    """

    stream: str
    ear: Audience
    about: int | None = None

    def __call__(self) -> None:
        _speaker(settings.REDIS_URL).publish(channel_of(self.stream, self.ear), self.about)


def tell_after_commit(stream: str, ear: Audience, about: int | None = None) -> None:
    """Notify listeners that the stream changed once the running transaction is committed: once, however many acts.

    A savepoint that is rolled back takes its notice with it. Listeners who miss a notice look for themselves, late.
    """
    notice, active = ChangeNotice(stream, ear, about), set(connection.savepoint_ids)
    if not any(asked[1] == notice and set(asked[0]) <= active for asked in connection.run_on_commit):
        transaction.on_commit(notice, robust=True)


def channel_of(stream: str, ear: Audience) -> str:
    """The channel of a stream; messages do not know database numbers, so the name holds ours."""
    return f"{prefix()}{ear}:{stream}"


def heard_on(channel: str) -> tuple[str, Audience]:
    """The stream and the ear of a channel that this site publishes on."""
    ear, _colon, stream = channel.removeprefix(prefix()).partition(":")
    return stream, "room" if ear == "room" else "staff"


def prefix() -> str:
    """What the channels of this site begin with."""
    return f"{PREFIX}{settings.REDIS_URL.rpartition('=')[2].rpartition('/')[2]}:"


class Publisher:
    """This process's way to Redis, which falls silent for a while when Redis does."""

    def __init__(self, url: str) -> None:
        self._breaker = breaker_of(url)
        patience = {"socket_timeout": PATIENCE, "socket_connect_timeout": PATIENCE}
        self._client = Redis.from_url(url, **patience, retry=Retry(NoBackoff(), 0))

    def publish(self, channel: str, about: int | None) -> None:
        """Say that something happened, and what it is `about`; nobody hears it where Redis is away."""
        if not self._breaker.allows():
            return
        try:
            self._client.publish(channel, "changed" if about is None else about)
        except (RedisError, OSError):
            self._breaker.note_failure()
        else:
            self._breaker.note_answer()


@lru_cache(maxsize=2)
def _speaker(url: str) -> Publisher:
    return Publisher(url)

"""A cache whose failure nobody notices: Redis while it answers, this process's own memory while it does not."""

import hashlib
from functools import cache as once
from typing import Any

from django.core.cache.backends.base import DEFAULT_TIMEOUT, BaseCache
from django.core.cache.backends.locmem import LocMemCache
from django_redis.cache import RedisCache
from redis.backoff import NoBackoff
from redis.exceptions import ConnectionError as Refused
from redis.exceptions import RedisError
from redis.retry import Retry

from journal.live.breaker import breaker_of
from launch.places import ROOT

PACKAGES = ("accounts", "config", "decks", "journal", "rules_engine", "scoring", "tournaments")
"""Folders whose code and data decide what is kept in the cache."""
DECIDING = (".csv", ".py", ".toml")


@once
def code_digest() -> str:
    """A digest of this program: what another version left in Redis may mean something else, or be of no class of ours.

    Reads 4 MB, 0.1 s once in a process.
    """
    whole = hashlib.sha256()
    for path in sorted(path for package in PACKAGES for path in (ROOT / package).rglob("*.*")):
        if path.suffix in DECIDING:
            whole.update(path.read_bytes())
    return whole.hexdigest()[:12]


def key_of_this_code(key: str, prefix: str, version: int) -> str:
    """Django's `KEY_FUNCTION`: nothing is shared by two versions of the program, while one takes the other's place."""
    return f"{prefix}:{code_digest()}:{version}:{key}"


class SturdyCache(BaseCache):
    """Counters of sign-in limits and throttles go on, per process, without Redis; nothing else may depend on them."""

    def __init__(self, server: str, params: dict[str, Any]) -> None:
        super().__init__(params)
        once_more = Retry(NoBackoff(), 1, (Refused,))  # a connection that was closed meanwhile, never one that stalls
        options = {**params.get("OPTIONS", {}), "CONNECTION_POOL_KWARGS": {"retry": once_more}}
        self._breaker = breaker_of(server)
        self._redis = RedisCache(server, {**params, "OPTIONS": options})
        self._memory = LocMemCache("sturdy", {name: value for name, value in params.items() if name != "OPTIONS"})

    def _ask(self, method: str, *args: Any, **kwargs: Any) -> Any:
        if self._breaker.allows():
            try:
                answer = getattr(self._redis, method)(*args, **kwargs)
            except (RedisError, OSError):
                self._breaker.note_failure()
            else:
                self._breaker.note_answer()
                return answer
        return getattr(self._memory, method)(*args, **kwargs)

    def get(self, key: Any, default: Any = None, version: int | None = None) -> Any:
        """The value, or `default`."""
        return self._ask("get", key, default, version=version)

    def set(self, key: Any, value: Any, timeout: Any = DEFAULT_TIMEOUT, version: int | None = None) -> None:
        """Keep a value for `timeout` seconds."""
        self._ask("set", key, value, timeout, version=version)

    def add(self, key: Any, value: Any, timeout: Any = DEFAULT_TIMEOUT, version: int | None = None) -> bool:
        """Keep a value unless there is one; answers whether it was kept."""
        return bool(self._ask("add", key, value, timeout, version=version))

    def incr(self, key: Any, delta: int = 1, version: int | None = None) -> int:
        """Count up in one step; ValueError without a value."""
        return int(self._ask("incr", key, delta, version=version))

    def touch(self, key: Any, timeout: Any = DEFAULT_TIMEOUT, version: int | None = None) -> bool:
        """Keep a value longer."""
        return bool(self._ask("touch", key, timeout, version=version))

    def delete(self, key: Any, version: int | None = None) -> bool:
        """Forget a value; answers whether there was one."""
        return bool(self._ask("delete", key, version=version))

    def clear(self) -> None:
        """Forget everything, here and there."""
        self._memory.clear()
        self._ask("clear")

    def close(self, **kwargs: Any) -> None:
        """Give the connection back at the end of a request."""
        self._redis.close(**kwargs)

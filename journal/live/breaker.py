"""Spares requests a Redis that does not answer: whoever of this process finds it out tells all others."""

from functools import lru_cache
from threading import Lock
from time import monotonic
from urllib.parse import urlsplit

PATIENCE = 0.2
"""Seconds that a Redis has to answer a request: with 0.1 s to spare for a promise of 0.3 s."""
PAUSE = 5.0
"""Seconds for which nobody in this process asks a Redis that failed; one request then tries for all."""


class Breaker:
    """Whether one server may be asked. Any thread may use it."""

    def __init__(self) -> None:
        self._until = 0.0
        self._lock = Lock()

    def allows(self) -> bool:
        """Whether the caller may ask; after a pause one caller may, and the others once that one was answered."""
        if not self._until:
            return True
        with self._lock:
            if monotonic() < self._until:
                return False
            self._until = monotonic() + PAUSE
            return True

    def note_failure(self) -> None:
        """It did not answer, or not in time."""
        self._until = monotonic() + PAUSE

    def note_answer(self) -> None:
        self._until = 0.0


def breaker_of(url: str) -> Breaker:
    """The breaker of the server at an address, whichever of its databases it names."""
    parts = urlsplit(url)
    return _breaker(parts.netloc, parts.path if parts.scheme == "unix" else "")


@lru_cache(maxsize=8)
def _breaker(host: str, path: str) -> Breaker:
    return Breaker()

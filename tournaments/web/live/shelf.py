"""What a process keeps: found by its key, good while the parts that it shows have the same versions, built by one."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from threading import Event, Lock
from time import monotonic
from typing import Generic, TypeVar

from django.conf import settings

T = TypeVar("T")

PATIENCE_SECONDS = 2
"""For how long a request waits for what another one is building, before it builds it itself."""
MAX_BEHIND_SECONDS = 3
"""How old a thing may be that is shown while its successor is being built."""
SHARE = 10
"""What takes a second to build is shown for so many, up to the limit above: a dear list takes no more of a process."""


@dataclass(frozen=True, slots=True)
class Kept(Generic[T]):
    """Something built: of which versions, up to which entry of the log, and when it was done (`time.monotonic`).

    `took` is the seconds for which it was built.
    """

    what: T
    versions: tuple[str, ...]
    sequence: int
    built: float
    took: float = 0.0


class Shelf(Generic[T]):
    """So many things at most, each good for `seconds`. Any thread may use it."""

    def __init__(self, most: int, seconds: float) -> None:
        """Nothing is kept yet."""
        self._most, self._seconds = most, seconds
        self._kept: dict[object, Kept[T]] = {}
        self.builds: dict[object, Event] = {}
        self._lock = Lock()

    def clear(self) -> None:
        """Keep nothing any more."""
        with self._lock:
            self._kept.clear()

    def find(
        self,
        key: object,
        versions: tuple[str, ...],
        may_wait: Callable[[Kept[T]], bool],
        build: Callable[[], Kept[T] | None],
    ) -> Kept[T] | None:
        """What is kept under a key, built where nothing of these versions is; None where what was built cannot be kept.

        Whoever `may_wait` for the newest is given the one before it for `settings.PAGE_HOLD_SECONDS` (longer where it
        is dear), and while a person builds: however much happens, it is built once in that time.
        """
        if (kept := self._good(key, versions, may_wait)) is not None:
            return kept
        with self._one_build(key):
            if (kept := self._good(key, versions, may_wait)) is not None:  # whoever we waited for has kept it
                return kept
            begun, made = monotonic(), build()
            if made is not None:
                self._keep(key, replace(made, took=monotonic() - begun))
            return made

    def _good(self, key: object, versions: tuple[str, ...], may_wait: Callable[[Kept[T]], bool]) -> Kept[T] | None:
        kept = self._kept.get(key)
        if kept is None:
            return None
        age, hold = monotonic() - kept.built, settings.PAGE_HOLD_SECONDS
        if kept.versions == versions and age < self._seconds:
            return kept
        limit = hold
        if hold:
            limit = MAX_BEHIND_SECONDS if key in self.builds else min(MAX_BEHIND_SECONDS, max(hold, SHARE * kept.took))
        return kept if age < limit and may_wait(kept) else None

    def _keep(self, key: object, made: Kept[T]) -> None:
        """What nobody is shown any more goes, and of too many the oldest."""
        with self._lock:
            self._kept.pop(key, None)
            while self._kept:
                oldest = next(iter(self._kept))
                is_shown = monotonic() - self._kept[oldest].built < max(self._seconds, MAX_BEHIND_SECONDS)
                if is_shown and len(self._kept) < self._most:
                    break
                del self._kept[oldest]
            self._kept[key] = made

    @contextmanager
    def _one_build(self, key: object) -> Iterator[None]:
        """Be the one who builds this, or come after whoever does; too slow or failed builds hold nobody up."""
        mine = Event()
        build = self.builds.setdefault(key, mine)
        if build is not mine:
            build.wait(PATIENCE_SECONDS)
            yield
            return
        try:
            yield
        finally:
            del self.builds[key]
            mine.set()

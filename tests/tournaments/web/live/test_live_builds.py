"""One build for all who ask for the same at once, and one a second for all who may wait; nobody waits for ever."""

from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import nullcontext
from threading import Event, Lock
from time import monotonic, sleep

import pytest

from tournaments.web.live import shelf
from tournaments.web.live.shelf import Kept, Shelf

READERS = 8


class Builds:
    """A thing whose building takes until it is let go, and how often that was begun."""

    def __init__(self, pool: ThreadPoolExecutor) -> None:
        self.pool, self.begun, self.go, self.fails = pool, 0, Event(), False
        self.shelf: Shelf[str] = Shelf(most=5, seconds=60)
        self._lock = Lock()

    def ask(self, version: str = "7", key: str = "pairings", *, may_wait: bool = False) -> Future[Kept[str] | None]:
        def build() -> Kept[str] | None:
            with self._lock:
                self.begun += 1
            assert self.go.wait(10)
            if self.fails:
                raise ValueError
            return Kept(f"{key} at {version}", (version,), int(version), monotonic())

        return self.pool.submit(self.shelf.find, key, (version,), lambda old: may_wait, build)

    def get(self, version: str, *, may_wait: bool = False) -> str:
        found = self.ask(version, may_wait=may_wait).result(10)
        assert found is not None
        return found.what

    def wait_for(self, begun: int, seconds: float = 5) -> bool:
        """Whether so many builds were begun in that time."""
        end = monotonic() + seconds
        while self.begun < begun and monotonic() < end:
            sleep(0.005)
        return self.begun >= begun


@pytest.fixture
def builds(monkeypatch) -> Iterator[Builds]:
    monkeypatch.setattr(shelf, "PATIENCE_SECONDS", 8)
    with ThreadPoolExecutor(READERS) as pool:
        made = Builds(pool)
        yield made
        made.go.set()
    assert not made.shelf.builds


def asked_at_once(builds: Builds) -> int:
    """How many builds it takes to answer all readers."""
    asked = [builds.ask() for _ in range(READERS)]
    builds.wait_for(READERS, seconds=0.5)
    builds.go.set()
    assert {each.result(10).what for each in asked} == {"pairings at 7"}
    return builds.begun


def test_what_is_asked_for_by_many_at_once_is_built_once(builds):
    assert asked_at_once(builds) == 1


def test_without_the_wait_each_of_them_builds_it(builds, monkeypatch):
    monkeypatch.setattr(Shelf, "_one_build", lambda *given: nullcontext())
    assert asked_at_once(builds) > 1


def test_nobody_waits_for_something_else(builds):
    first = builds.ask()
    assert builds.wait_for(1)
    second = builds.ask(key="standings")
    assert builds.wait_for(2)
    builds.go.set()
    assert (first.result(10).what, second.result(10).what) == ("pairings at 7", "standings at 7")


def test_a_build_that_fails_leaves_the_others_to_build_it_themselves(builds):
    builds.fails = True
    asked = [builds.ask(), builds.ask()]
    assert builds.wait_for(1)
    builds.go.set()
    assert all(isinstance(each.exception(10), ValueError) for each in asked)
    assert builds.begun == 2


def test_patience_ends(builds, monkeypatch):
    monkeypatch.setattr(shelf, "PATIENCE_SECONDS", 0.01)
    builds.ask(), builds.ask()
    assert builds.wait_for(2)


def test_whoever_may_wait_is_shown_the_one_before_for_a_second(builds, settings):
    settings.PAGE_HOLD_SECONDS = 60
    builds.go.set()
    assert builds.get("7") == "pairings at 7"
    assert builds.get("8", may_wait=True) == "pairings at 7"
    assert builds.get("8") == "pairings at 8", "whoever did something sees it"
    settings.PAGE_HOLD_SECONDS = 0
    assert builds.get("9", may_wait=True) == "pairings at 9", "the control: nothing is held"


def test_while_somebody_builds_others_read_what_there_was_and_not_for_long(builds, settings, monkeypatch):
    settings.PAGE_HOLD_SECONDS = 0.001
    builds.go.set()
    builds.get("7")
    builds.go.clear()
    sleep(0.01)
    builder = builds.ask("8")
    assert builds.wait_for(2)
    assert builds.get("8", may_wait=True) == "pairings at 7"
    monkeypatch.setattr(shelf, "MAX_BEHIND_SECONDS", 0.001)
    late = builds.ask("8", may_wait=True)
    sleep(0.05)
    assert not late.done()
    builds.go.set()
    assert builder.result(10).what == late.result(10).what == "pairings at 8"
    assert builds.begun == 2


def test_what_nobody_is_shown_any_more_is_not_held(builds, monkeypatch):
    builds.go.set()
    builds.shelf = Shelf(most=5, seconds=0.05)
    builds.ask(key="a").result(10)
    sleep(0.06)
    builds.ask(key="b").result(10)
    assert list(builds.shelf._kept) == ["a", "b"], "the one before may be shown while its successor is being built"
    monkeypatch.setattr(shelf, "MAX_BEHIND_SECONDS", 0.05)
    builds.ask(key="c").result(10)
    assert "a" not in builds.shelf._kept


def test_of_too_many_the_oldest_goes(builds):
    builds.go.set()
    for key in "abcdef":
        builds.ask(key=key).result(10)
    assert len(builds.shelf._kept) == 5
    assert "a" not in builds.shelf._kept

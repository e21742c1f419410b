"""One build for all who ask for the same page at once; nobody waits for another's page, or for ever."""

from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import nullcontext
from threading import Event, Lock
from time import monotonic, sleep
from types import SimpleNamespace

import pytest
from django.http import HttpRequest, HttpResponse
from django.test import RequestFactory

from accounts.actors import ANONYMOUS, Actor
from accounts.models import Person
from tournaments.web.live import page_cache

READERS = 8


class Builds:
    """A page whose building takes until it is let go, and how often that was begun."""

    def __init__(self, pool: ThreadPoolExecutor) -> None:
        self.pool, self.begun, self.go, self.answer = pool, 0, Event(), lambda: HttpResponse("pairings")
        self._lock = Lock()
        self._page = page_cache.cached_page(self._view)

    def _view(self, request: HttpRequest, tournament: object) -> HttpResponse:
        with self._lock:
            self.begun += 1
        assert self.go.wait(10)
        return self.answer()

    def ask(self, head: str = "7", actor: Actor = ANONYMOUS) -> Future[HttpResponse]:
        request = RequestFactory().get("/pairings/")
        request.actor = actor
        event = SimpleNamespace(slug="cup", stream="s", head=head, state="running", visibility="public", mark=None)
        return self.pool.submit(self._page, request, event)

    def wait_for(self, begun: int, seconds: float = 5) -> bool:
        """Whether so many builds were begun in that time."""
        end = monotonic() + seconds
        while self.begun < begun and monotonic() < end:
            sleep(0.005)
        return self.begun >= begun


@pytest.fixture
def builds(monkeypatch) -> Iterator[Builds]:
    monkeypatch.setattr(page_cache, "find_event", lambda actor, slug: None)
    monkeypatch.setattr(page_cache, "roles_of", lambda actor, tournament: set())
    monkeypatch.setattr(page_cache, "BUILD_PATIENCE_SECONDS", 8)
    page_cache.forget_pages()
    with ThreadPoolExecutor(READERS) as pool:
        made = Builds(pool)
        yield made
        made.go.set()
    page_cache.forget_pages()
    assert not page_cache._builds


def asked_at_once(builds: Builds) -> int:
    """How many builds it takes to answer all readers of one page."""
    asked = [builds.ask() for _ in range(READERS)]
    builds.wait_for(READERS, seconds=0.5)
    builds.go.set()
    assert [each.result(10).content for each in asked] == [b"pairings"] * READERS
    return builds.begun


def test_a_page_asked_for_by_many_at_once_is_built_once(builds):
    assert asked_at_once(builds) == 1


def test_without_the_wait_each_of_them_builds_it(builds, monkeypatch):
    monkeypatch.setattr(page_cache, "_one_build", nullcontext)
    assert asked_at_once(builds) > 1


@pytest.mark.parametrize("other", [{"head": "8"}, {"actor": Actor(None, Person(pk=5, name="Ada"), "link")}])
def test_nobody_waits_for_a_page_of_another_viewer_or_from_before_an_act(builds, other):
    first = builds.ask()
    assert builds.wait_for(1)
    second = builds.ask(**other)
    assert builds.wait_for(2)
    builds.go.set()
    assert first.result(10).content == second.result(10).content == b"pairings"


def fail() -> HttpResponse:
    raise ValueError


@pytest.mark.parametrize("answer", [fail, lambda: HttpResponse("moved", status=302)], ids=["failed", "not kept"])
def test_a_build_that_gives_nothing_to_keep_leaves_the_others_to_build_it_themselves(
    builds, answer: Callable[[], HttpResponse]
):
    builds.answer = answer
    asked = [builds.ask(), builds.ask()]
    assert builds.wait_for(1)
    builds.go.set()
    assert all(each.exception(10) or each.result().status_code == 302 for each in asked)
    assert builds.begun == 2


def test_patience_ends(builds, monkeypatch):
    monkeypatch.setattr(page_cache, "BUILD_PATIENCE_SECONDS", 0.01)
    builds.ask(), builds.ask()
    assert builds.wait_for(2)

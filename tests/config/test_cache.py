"""The cache with a real Redis, and with one that is closed or stalled: nobody may be refused for it."""

import socket
import time

import pytest
from django.core.cache import cache, caches
from django.test import Client

from accounts.models import User
from config.cache import code_digest
from journal.live.breaker import _breaker, breaker_of

PASSWORD = "quite a long one 7"


@pytest.fixture(autouse=True)
def awake():
    _breaker.cache_clear()
    yield
    _breaker.cache_clear()


@pytest.fixture
def broken(settings):
    """Points the cache at a server that takes connections and never answers."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        url = f"redis://127.0.0.1:{listener.getsockname()[1]}/0"
        settings.CACHES = {"default": {**settings.CACHES["default"], "LOCATION": url}}
        yield
    caches["default"]._memory.clear()


def exercise() -> list[object]:
    cache.clear()
    steps: list[object] = [cache.get("a", "none"), cache.add("a", 1, 60), cache.add("a", 2, 60), cache.incr("a")]
    cache.set("b", {"x": [1]}, 60)
    steps += [cache.get("b"), cache.touch("b", 60), cache.delete("b"), cache.get("b"), cache.get_many(["a", "b"])]
    return steps


EXPECTED = ["none", True, False, 2, {"x": [1]}, True, True, None, {"a": 2}]


def test_with_redis(redis_url):
    assert exercise() == EXPECTED
    assert breaker_of(redis_url).allows()


def test_nothing_is_read_that_another_version_of_the_program_left(redis_url, monkeypatch):
    cache.set("standings", "as they were kept then", 60)
    with monkeypatch.context() as patch:
        patch.setattr("config.cache.code_digest", lambda: "of the version before")
        assert cache.get("standings") is None
        cache.set("standings", "of before", 60)
    assert cache.get("standings") == "as they were kept then"


def test_digest_of_the_program_changes_with_what_it_is(monkeypatch, tmp_path):
    (tmp_path / "scoring").mkdir()
    (tmp_path / "scoring" / "points.py").write_text("WIN = 3")
    monkeypatch.setattr("config.cache.ROOT", tmp_path)
    before = code_digest.__wrapped__()
    (tmp_path / "scoring" / "points.py").write_text("WIN = 2")
    assert code_digest.__wrapped__() != before


def test_without_redis_and_after_one_timeout_only(broken):
    started = time.monotonic()
    assert exercise() == EXPECTED
    assert time.monotonic() - started < 3


def test_incr_of_nothing_is_a_value_error(broken):
    with pytest.raises(ValueError, match="nothing"):
        cache.incr("nothing")


@pytest.mark.django_db
@pytest.mark.urls("tests.config.toy_urls")
def test_signing_in_and_the_limit_on_guessing_work_without_redis(broken):
    User.objects.create_user("ada", password=PASSWORD)
    assert Client().post("/accounts/login/", {"login": "ada", "password": PASSWORD}).status_code == 302
    guesses = [Client().post("/accounts/login/", {"login": "ada", "password": "wrong"}) for _guess in range(12)]
    assert (guesses[0].status_code, b"password" in guesses[0].content) == (200, True)
    assert b"Too many" in guesses[-1].content


def test_redis_is_asked_again_after_the_pause(redis_url):
    breaker_of(redis_url).note_failure()
    cache.set("a", "memory", 60)
    breaker_of(redis_url).note_answer()
    cache.set("a", "redis", 60)
    assert cache.get("a") == "redis"

"""Visitors' pages told again without a question: only while nothing was heard, and Redis is there to be heard."""

from collections.abc import Iterator

import pytest

from journal.live import redis_listener
from journal.live.notices import channel_of
from journal.live.redis_listener import RedisListener
from tests.tournaments.factories import NOW, account, next_round, running, score, table
from tests.tournaments.web.live.test_live_cache import queries
from tests.tournaments.web.visitors import browser, guest, page, url
from tournaments.events.services.settings import update_settings
from tournaments.models import Tournament
from tournaments.results.services.reports import report_result
from tournaments.web.live import page_cache

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]


class Audience:
    """The ear of a process, told by hand what Redis would say."""

    def __init__(self, heard: RedisListener) -> None:
        self.heard = heard

    def connect(self) -> None:
        self.heard._take({"type": "psubscribe"})

    def lose(self) -> None:
        self.heard._turn_deaf()

    def hear(self, stream: str, ear: str = "room") -> None:
        self.heard._take({"type": "pmessage", "channel": channel_of(stream, ear).encode(), "data": b"changed"})


@pytest.fixture
def ear(monkeypatch) -> Iterator[Audience]:
    page_cache.forget_pages()
    heard = RedisListener("redis://nowhere")
    monkeypatch.setattr(redis_listener, "_listener", heard)
    ear = Audience(heard)
    ear.connect()
    yield ear
    page_cache.forget_pages()


@pytest.fixture
def tournament() -> Tournament:
    tournament = running(4)
    next_round(tournament)
    return tournament


@pytest.mark.parametrize("path", ["", "pairings/", "standings/", "bracket/", "wall/?show=pairings,standings"])
def test_a_visitor_is_told_again_without_a_question(ear, tournament, path):
    visitor, address = browser(), url(tournament, path)
    assert queries(visitor, address) > 1
    assert queries(visitor, address) == 0


@pytest.mark.parametrize("who", ["room", "staff"])
def test_a_word_of_the_event_has_the_database_asked(ear, tournament, who):
    visitor, address = browser(), url(tournament, "pairings/")
    page(visitor, address)
    ear.hear("event:of-somebody-else", who)
    assert queries(visitor, address) == 0
    ear.hear(tournament.stream, who)
    assert queries(visitor, address) == 1
    assert queries(visitor, address) == 0


def test_a_result_that_was_heard_of_shows_and_one_that_was_not_does_not_yet(ear, tournament):
    match, visitor, address = table(tournament.stages.get().rounds.get()), browser(), url(tournament, "pairings/")
    page(visitor, address)
    report_result(account("olive"), match, score(2, 0), NOW)
    assert "2–0" not in page(visitor, address), "the control: nothing was heard of it"
    ear.hear(tournament.stream)
    assert "2–0" in page(visitor, address)


def test_the_limit_has_the_database_asked(ear, tournament, monkeypatch):
    monkeypatch.setattr(page_cache, "VISITOR_CACHE_SECONDS", -1)
    visitor, address = browser(), url(tournament, "pairings/")
    page(visitor, address)
    assert queries(visitor, address) == 1


def test_without_redis_the_database_is_asked_and_what_was_missed_is_never_told(ear, tournament):
    visitor, address = browser(), url(tournament, "pairings/")
    page(visitor, address)
    ear.lose()
    assert queries(visitor, address) == 1
    ear.connect()
    assert queries(visitor, address) == 1
    assert queries(visitor, address) == 0


def test_what_is_heard_while_the_page_is_made_has_the_database_asked_again(ear, tournament, monkeypatch):
    visitor, address, find = browser(), url(tournament, "pairings/"), page_cache.find_event_head

    def find_and_hear(*given):
        found = find(*given)
        ear.hear(tournament.stream)
        return found

    monkeypatch.setattr(page_cache, "find_event_head", find_and_hear)
    page(visitor, address)
    assert queries(visitor, address) == 1


def test_a_hidden_event_is_hidden_once_heard_of(ear, tournament):
    visitor = browser()
    page(visitor, url(tournament))
    update_settings(account("olive"), tournament, {"visibility": "private"}, NOW)
    ear.hear(tournament.stream)
    assert visitor.get(url(tournament)).status_code == 404


def test_whoever_acts_and_scripts_that_were_told_have_the_database_asked(ear, tournament):
    visitor, ada, address = browser(), guest(tournament, "Ada"), url(tournament, "pairings/")
    page(visitor, address), page(ada, address)
    assert queries(ada, address) > 1
    left = browser()
    left.cookies["sessionid"] = "of-a-session-that-ended"
    assert queries(left, address) > 0
    report_result(account("olive"), table(tournament.stages.get().rounds.get()), score(2, 0), NOW)
    assert "2–0" in visitor.get(address, headers={"X-Live": "1"}).content.decode()
    assert "2–0" in page(ada, address)
    assert "2–0" in page(left, address)

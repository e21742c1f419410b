"""An open page that is told only what results of others change is what a fresh one is, after every act."""

import re
from collections.abc import Callable, Iterator

import pytest
from django.test import Client

from tests.tournaments.factories import NOW, account, entry, event, next_round, running, score
from tests.tournaments.web.visitors import browser, guest, url
from tournaments.entries.services.attendance import drop_entry
from tournaments.entries.services.entries import change_entry
from tournaments.events.services.events import start_tournament
from tournaments.models import Match, Penalty, Round, Stage, Tournament
from tournaments.penalties.services import give_penalty
from tournaments.results.services.corrections import correct_result
from tournaments.results.services.reports import report_result
from tournaments.room.services.announcements import post_announcement
from tournaments.room.services.clocks import give_extra_time
from tournaments.structure.services.stage_drafts import StageDraft
from tournaments.structure.services.stages import set_stages
from tournaments.web.live import page_cache, tags

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]

PASSES = re.compile(
    r'(?<=name="csrfmiddlewaretoken" value=")[^"]*|(?<=name="idempotency_key" value=")[^"]*|(?<=data-etag=")[^"]*'
    r"|\d\d:\d\d:\d\d|\d{4}-\d\d-\d\dT[^\"]*|(?<=data-clock-left)[^<]*|\s+"
)
"""Tokens, ages and what a clock says."""
PIECE = re.compile(r'<(\w+)[^>]*?\bid="([\w-]+)" data-live[^>]*>')


def pieces(html: str) -> Iterator[tuple[str, int, int]]:
    """The id of each piece with `data-live`, and from where to where it stands."""
    for found in PIECE.finditer(html):
        depth, name = 0, found[1]
        for each in re.compile(rf"<(/?){name}\b").finditer(html, found.start()):
            depth += -1 if each[1] else 1
            if not depth:
                yield found[2], found.start(), html.index(">", each.end()) + 1
                break


class Follower:
    """A page that is open, as static/live.js keeps it."""

    def __init__(self, client: Client, address: str) -> None:
        self.client, self.address = client, address
        self.html, self.etag, self.parts = "", "", 0
        self.ask()

    def ask(self) -> int:
        """How many bytes come when it asks again."""
        headers = {"HTTP_X_LIVE": "1", **({"HTTP_IF_NONE_MATCH": self.etag} if self.etag else {})}
        answer = self.client.get(self.address, **headers)
        assert answer.status_code in (200, 304), self.address
        self.etag = answer.headers["ETag"]
        if answer.status_code == 304:
            return 0
        if "X-Part" in answer.headers:
            self.parts += 1
            self.put_in(answer.content.decode())
        else:
            self.html = answer.content.decode()
        return len(answer.content)

    def put_in(self, part: str) -> None:
        """The pieces of a part, each in the place of the one with its id."""
        fresh = {of: part[start:end] for of, start, end in pieces(part)}
        assert fresh
        for of, text in fresh.items():
            for start, end in [(start, end) for each, start, end in pieces(self.html) if each == of]:
                self.html = self.html[:start] + text + self.html[end:]

    def is_right(self) -> bool:
        """Whether it shows what a fresh page does."""
        page_cache.forget_pages()
        return PASSES.sub(" ", self.html) == PASSES.sub(" ", self.client.get(self.address).content.decode())


@pytest.fixture
def held() -> Tournament:
    tournament = running(8)
    next_round(tournament)
    return tournament


def newest(held: Tournament) -> Round:
    """The round being played."""
    return Round.objects.filter(stage__tournament=held, superseded_at=None).latest("number")


def own_of(held: Tournament) -> Match:
    """The match in which Ada sits."""
    return newest(held).matches.get(seats__entry__name="Ada")


def others_of(held: Tournament) -> list[Match]:
    """Those in which she does not."""
    return list(newest(held).matches.exclude(seats__entry__name="Ada").order_by("table_number"))


def acts_of(held: Tournament) -> Iterator[tuple[bool, Callable[[], object]]]:
    """Acts in their order, each with whether it is a result of others than Ada; each is asked for after the last."""
    olive = account("olive")
    own, (first, second, third) = own_of(held), others_of(held)
    yield True, lambda: report_result(olive, first, score(2, 0), NOW)
    yield True, lambda: correct_result(olive, first, score(0, 2), "typed wrong", NOW)
    yield False, lambda: report_result(olive, own, score(2, 1), NOW)
    yield True, lambda: report_result(olive, second, score(1, 1), NOW)
    yield False, lambda: correct_result(olive, own, score(0, 2), "typed wrong", NOW)
    yield False, lambda: post_announcement(olive, held, "Lunch at one", NOW)
    yield False, lambda: report_result(olive, third, score(2, 0), NOW)  # ends the round: its clock goes
    rival = own.seats.exclude(entry__name="Ada").get().entry
    yield False, lambda: change_entry(olive, rival, NOW, name="Zora")
    yield False, lambda: give_penalty(olive, entry(held, "Ada"), Penalty.Kind.WARNING, "Slow play", NOW)
    yield False, lambda: next_round(held, 2)
    first, second, third = others_of(held)
    yield False, lambda: drop_entry(olive, first.seats.get(order=1).entry, NOW)
    yield False, lambda: give_extra_time(olive, third, 180, "deck check", NOW)
    yield True, lambda: report_result(olive, second, score(2, 0), NOW)
    yield False, lambda: report_result(olive, own_of(held), score(2, 0), NOW)
    yield False, lambda: report_result(olive, third, score(2, 0), NOW)


def followed(held: Tournament) -> list[tuple[bool, Follower, int, bool]]:
    """After each act, for each open page: whether it was a result of others, the page, bytes, whether it is right."""
    ada, visitor = guest(held, "Ada"), browser()
    open_pages = [Follower(ada, url(held, "my/"))]
    asked = [url(held, "pairings/"), url(held, "pairings/?round=1")]
    open_pages += [Follower(each, address) for each in (ada, visitor) for address in asked]
    seen = []
    for of_others, act in acts_of(held):
        act()
        seen += [(of_others, each, each.ask(), each.is_right()) for each in open_pages]
    return seen


def test_an_open_page_is_what_a_fresh_one_is_after_every_act(held):
    seen = followed(held)
    assert [each.address for _of_others, each, _bytes, is_right in seen if not is_right] == []
    in_part = {each.address: each.parts for _of_others, each, _bytes, _is_right in seen}
    results = sum(of_others for of_others, each, _bytes, _is_right in seen if "/my/" in each.address)
    assert min(in_part.values()) >= results - 2  # a result may change nothing, and one of another round changes no list


def test_results_of_others_cost_the_own_match_a_few_hundred_bytes(held):
    told = [size for of_others, each, size, _right in followed(held) if of_others and "/my/" in each.address]
    assert 0 < max(told) < 2_000


def test_without_what_is_its_own_a_page_misses_something(held, monkeypatch):
    """The control: an open page that takes whatever happens for results of others."""
    monkeypatch.setattr(page_cache, "_own_of", lambda *_given: "same")
    assert not all(is_right for _of_others, _each, _bytes, is_right in followed(held))


def test_a_page_is_told_whole_now_and_then(held, monkeypatch):
    ada = Follower(guest(held, "Ada"), url(held, "my/"))
    for match, parts in zip(others_of(held), (1, 2, 2), strict=True):
        report_result(account("olive"), match, score(2, 0), NOW)
        ada.ask()
        assert ada.parts == parts
        if parts == 2:
            monkeypatch.setattr(tags, "WHOLE_SECONDS", 0)


def test_nobody_is_told_a_part_of_anothers_page(held):
    """A tag names its viewer: with another's, the own page comes whole."""
    ada, ben = (Follower(guest(held, name), url(held, "pairings/")) for name in ("Ada", "Ben"))
    ben.etag = ada.etag
    report_result(account("olive"), others_of(held)[0], score(2, 0), NOW)
    ben.ask()
    assert (ben.parts, ben.is_right()) == (0, True)


@pytest.mark.parametrize("built", ["9" * 5000, "-1", "٣", "1.5"])
def test_whatever_is_sent_as_a_tag_the_page_comes_whole(held, built):
    ada = Follower(guest(held, "Ada"), url(held, "my/"))
    ada.etag = f'{ada.etag.rpartition(".")[0]}.{built}"'
    answer = ada.client.get(ada.address, HTTP_X_LIVE="1", HTTP_IF_NONE_MATCH=ada.etag)
    assert (answer.status_code, "X-Part" in answer.headers) == (200, False)


def test_in_a_bracket_results_of_others_change_more_than_ranks():
    olive, held = account("olive"), event(8)
    set_stages(olive, held, [StageDraft(kind=Stage.Kind.SINGLE_ELIMINATION)], NOW)
    next_round(start_tournament(olive, held, NOW))
    ada = Follower(guest(held, "Ada"), url(held, "my/"))
    for match in others_of(held):
        report_result(account("olive"), match, score(2, 0), NOW)
        ada.ask()
    assert (ada.parts, ada.is_right()) == (0, True)

"""The desk's mark of an agreement whose two sides one browser at one address gave within a minute."""

from datetime import timedelta

import pytest
from django.test import Client

from accounts.actors import Actor
from accounts.identity.selectors import actor_of_link
from accounts.identity.services import issue_personal_link
from accounts.models import PersonalLink
from tests.tournaments.factories import NOW, account, next_round, running, score, table
from tests.tournaments.table_phones import phone, say, seats_at, tokens_of
from tests.tournaments.web.visitors import browser, guest, page, text_of, url
from tournaments.models import Match, ResultReport, Seat, Tournament
from tournaments.results import selectors as reports
from tournaments.results.services.reports import confirm_report, report_result
from tournaments.web.live.page_cache import forget_pages

pytestmark = pytest.mark.django_db

HERE = {"REMOTE_ADDR": "192.0.2.1", "HTTP_USER_AGENT": "phone of Ada"}
ELSEWHERE = {
    "another browser": {**HERE, "HTTP_USER_AGENT": "phone of Ben"},
    "another address": {**HERE, "REMOTE_ADDR": "192.0.2.2"},
}
MARK = "both from one phone"
NOTICE = "Two reports came from the same browser and address within a minute."


@pytest.fixture
def held() -> Tournament:
    return running(table_reports="agreed")


@pytest.fixture
def match(held) -> Match:
    return table(next_round(held))


def agree(held: Tournament, match: Match, *, other: dict[str, str]) -> None:
    """Ada reports by the own link; Ben agrees by his, in a private window of the same phone unless told otherwise."""
    one, two = seats_at(match)
    ada, ben = guest(held, one.entry.name, Client(**HERE)), guest(held, two.entry.name, Client(**other))
    ada.post(url(held, "my/"), {"act": "report", "match": match.pk, "score": "2-0-0"})
    ben.post(url(held, "my/"), {"act": "confirm", "match": match.pk, "report": ResultReport.objects.get().pk})
    match.refresh_from_db()
    assert match.state == Match.State.DONE


def on_the_phone(seat: Seat) -> Actor:
    """Who plays there, by a personal link on one phone."""
    person = seat.entry.members.get().person
    issue_personal_link(person, account("olive"), NOW)
    return actor_of_link(PersonalLink.objects.get(person=person), "a phone")


def marks(held: Tournament, match: Match) -> tuple[bool, bool]:
    """Whether the desk's line and the match's page say so."""
    olive = browser(account("olive"))
    at_match = text_of(page(olive, url(held, f"match/{match.pk}/")))
    return MARK in text_of(page(olive, url(held, "desk/"))), NOTICE in at_match


def test_both_links_on_one_phone_are_marked_and_count(held, match, monkeypatch):
    agree(held, match, other=HERE)
    assert marks(held, match) == (True, True)
    monkeypatch.setattr(reports, "ONE_PHONE", timedelta(seconds=-1))
    forget_pages()
    assert marks(held, match) == (False, False), "the control"


@pytest.mark.parametrize("where", ELSEWHERE)
def test_two_phones_are_not_marked(held, match, where):
    agree(held, match, other=ELSEWHERE[where])
    assert marks(held, match) == (False, False)


@pytest.mark.parametrize(("seconds", "marked"), [(60, True), (61, False)])
def test_one_phone_is_marked_within_a_minute(held, match, seconds, marked):
    first, second = seats_at(match)
    report = report_result(on_the_phone(first), match, score(2, 0), NOW, seat=first).report
    confirm_report(on_the_phone(second), report, NOW + timedelta(seconds=seconds), seat=second)
    assert marks(held, match) == (marked, marked)


def test_two_private_windows_that_scanned_the_code_are_marked(held, match):
    token = tokens_of(held)[1]
    windows = [phone(token), phone(token)]
    for window, seat in zip(windows, seats_at(match), strict=True):
        say(window, match, "claim", seat=seat.pk)
    say(windows[0], match, "report", score="2-0-0")
    assert marks(held, match) == (False, False)
    say(windows[1], match, "agree", report=ResultReport.objects.get().pk)
    assert marks(held, match) == (True, True)


def test_a_player_who_speaks_twice_and_staff_who_agree_are_not_marked(held, match):
    ada = guest(held, seats_at(match)[0].entry.name, Client(**HERE))
    for told in ("2-0-0", "2-1-0"):
        ada.post(url(held, "my/"), {"act": "report", "match": match.pk, "score": told})
    desk = browser(account("olive"))
    desk.defaults.update(HERE)
    desk.post(url(held, "desk/"), {"act": "confirm", "report": ResultReport.objects.latest("number").pk})
    match.refresh_from_db()
    assert match.state == Match.State.DONE
    assert marks(held, match) == (False, False)

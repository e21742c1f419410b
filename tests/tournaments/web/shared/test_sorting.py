"""Lists sort by links in the heads of their columns once they pass 20 rows, and keep what else is asked of them."""

import re

import pytest
from django.test import RequestFactory

from tests.tournaments.factories import NOW, account, entry, event, next_round, running
from tests.tournaments.web.visitors import browser, url
from tournaments.penalties.services import give_penalty
from tournaments.web.shared.sorting import MAX_UNSORTED, sort_rows

pytestmark = pytest.mark.django_db
NAMES = {"name": ("Player", str.casefold), "length": ("Length", len)}


def asked(query, rows, usual="name"):
    return sort_rows(RequestFactory().get(f"/?{query}"), rows, NAMES, usual)


def test_rows_stay_as_they_come_until_another_order_is_asked():
    rows = ["ada", "Zoe", "Li"]
    assert asked("", rows)[0] == asked("sort=nonsense", rows)[0] == rows
    assert asked("sort=length", rows)[0] == ["Li", "ada", "Zoe"]
    assert asked("sort=-length", rows)[0] == ["ada", "Zoe", "Li"]
    assert asked("sort=-name", rows)[0] == ["Zoe", "Li", "ada"]


def test_heads_are_links_in_a_long_list_alone_and_keep_the_filter():
    rows = [f"Player {number:02}" for number in range(MAX_UNSORTED + 1)]
    assert {head.url for head in asked("q=x", rows[1:])[1].values()} == {""}
    heads = asked("q=x&page=2&sort=-name", rows)[1]
    assert (heads["name"].order, heads["name"].url) == ("descending", "?q=x&sort=name")
    assert (heads["length"].order, heads["length"].url) == ("", "?q=x&sort=length")


def test_every_list_sorts_by_each_of_its_columns_and_says_so():
    tournament = running(44, also_judge=True)
    for number in range(1, 23):
        given = tournament.entries.get(number=number)
        give_penalty(account("olive"), given, "warning", f"Slow play {number}", NOW)
    round_ = next_round(tournament)
    olive = browser(account("olive"))
    for rest in ("manage/entries/", "manage/decks/", "manage/penalties/", f"manage/rounds/{round_.pk}/tables/"):
        first = olive.get(url(tournament, rest)).content.decode()
        heads = re.findall(r'<a class="sort" href="([^"]*)"', first)
        assert (rest, len(heads) >= 4, first.count("aria-sort")) == (rest, True, 1)
        for head in heads:
            address = url(tournament, rest) + head.replace("&amp;", "&")[head.index("?") :]
            page = olive.get(address)
            assert (page.status_code, page.content.decode().count("aria-sort=")) == (200, 1), head


def test_entries_come_back_as_they_were_sorted():
    tournament = event(21)
    olive = browser(account("olive"))
    ada = entry(tournament, "Ada")
    answer = olive.post(
        url(tournament, f"manage/entries/{ada.number}/check-in/"), {"sort": "-number", "idempotency_key": "k1"}
    )
    assert "sort=-number" in answer.headers["Location"]


def test_visitors_find_and_sort_the_players_of_a_long_list():
    tournament = event(22)
    page = browser().get(url(tournament, "?sort=number&q=ad")).content.decode()
    assert '<b aria-current="true">By number</b>' in page
    assert re.findall(r'class="called"[^>]*>([^<]*)<', page) == ["Ada"]
    assert "By number" not in browser().get(url(event(3, name="Small"))).content.decode()

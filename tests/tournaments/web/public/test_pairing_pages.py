"""A long list of pairings comes page by page: each line once, the viewer's own page first."""

import re

import pytest

from tests.tournaments.factories import NOW, account, name_of, next_round, running, score, table
from tests.tournaments.web.visitors import browser, guest, page, text_of, url
from tournaments.results.services.reports import report_result
from tournaments.web.public import pairing_pages
from tournaments.web.public.pairing_pages import Place, page_with, pages_of

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]
PLAYERS = 11


@pytest.fixture
def held(monkeypatch):
    """An event whose list is long already."""
    monkeypatch.setattr(pairing_pages, "LINES_A_PAGE", 4)
    tournament = running(PLAYERS)
    return next_round(tournament)


def listed(html: str, by: str) -> list[str]:
    """What the lines of a page are about: names, or numbers of tables."""
    rows = html[html.index(f'class="pairs by-{by}"') :].split("<tr")[2:]
    heads = (text_of(re.search(r"<th.*?</th>", row, re.DOTALL)[0]) for row in rows)
    return [head.strip() for head in heads]


@pytest.mark.parametrize("by", ["name", "table"])
def test_each_line_is_on_one_page(held, by):
    client, address = browser(), url(held.stage.tournament, "pairings/")
    pages = [listed(page(client, address, by=by, page=str(number)), by) for number in (1, 2, 3)]
    lines = [line for each in pages for line in each]
    assert max(map(len, pages)) <= 4
    assert len(lines) == len(set(lines)) == (PLAYERS if by == "name" else (PLAYERS + 1) // 2) or by == "table"
    if by == "name":
        assert lines == sorted((name_of(number) for number in range(PLAYERS)), key=str.casefold)
    beyond = listed(page(client, address, by=by, page="99"), by)
    assert beyond == next(each for each in reversed(pages) if each)


def test_a_player_sees_the_own_page_first(held):
    address = url(held.stage.tournament, "pairings/")
    shown = {}
    for name in (name_of(0), name_of(9), name_of(5)):
        html = page(guest(held.stage.tournament, name), address)
        shown[name] = listed(html, "name")
        assert name in shown[name]
        assert name in re.search(r'class="me">.*?</tr>', html, re.DOTALL)[0]
    assert shown[name_of(0)] != shown[name_of(9)], "the control: not everybody is shown the same page"
    assert name_of(9) not in listed(page(browser(), address), "name"), "the control: visitors see the first page"


def test_a_search_finds_names_of_every_page(held):
    html = page(browser(), url(held.stage.tournament, "pairings/"), q=name_of(9)[:3])
    assert name_of(9) in listed(html, "name")
    assert 'id="pages"' not in html


def test_a_result_changes_the_page_it_is_on(held):
    client, address = browser(), url(held.stage.tournament, "pairings/")
    match = table(held, 2)
    name = match.seats.first().entry.name
    number = next(str(n) for n in (1, 2, 3) if name in listed(page(client, address, page=str(n)), "name"))
    report_result(account("olive"), match, score(2, 1), NOW)
    html = page(client, address, page=number)
    line = next(row for row in html.split("<tr") if f">{name}</a>" in row.partition("</th>")[0])
    assert 'class="score"' in line


def test_a_short_list_has_no_pages(held, monkeypatch):
    monkeypatch.setattr(pairing_pages, "LINES_A_PAGE", 200)
    assert 'id="pages"' not in page(browser(), url(held.stage.tournament, "pairings/"))


def test_pages_are_called_by_what_they_hold():
    places = [Place(number, number // 2, number // 2 + 1, name) for number, name in enumerate(("Zoë", "Ada", "Émile"))]
    (only,) = pages_of(places, "name", "")
    assert (only.first, only.last) == ("Ada", "Zoë")
    (tables,) = pages_of(places, "table", "")
    assert (tables.first, tables.last) == ("1", "2")
    assert page_with([only], 7, None) is only
    assert pages_of([], "name", "")[0].matches == frozenset()

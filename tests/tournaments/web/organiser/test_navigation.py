"""The bar of an event: short for everybody, and each place in bar and menu opens for whoever is shown it."""

import re

import pytest
from django.test import Client

from tests.tournaments.factories import NOW, account, event, next_round, staff
from tests.tournaments.web.visitors import browser, page, url
from tournaments.entries.services.entries import sign_up
from tournaments.events.services.events import start_tournament
from tournaments.models import Role

pytestmark = pytest.mark.django_db
MAX_IN_BAR = 6
BARS = {
    "olive": ["Now", "Desk", "Entries", "Rounds", "Standings"],
    "juno": ["Now", "Desk", "Floor", "Decks", "Penalties"],
    "kit": ["Now", "Desk", "Entries", "Pairings", "Standings"],
    "ada": ["My match", "Event", "Pairings", "Standings"],
    "": ["Event", "Pairings", "Standings", "Statistics"],
}
OFFICIALS = {"Announcements"}
ORGANISERS = {"Settings", "Stages", "Staff", "Webhooks", "Background jobs"}


@pytest.fixture(scope="module")
def held(shared_db):
    tournament = event(3)
    ada = account("ada")
    sign_up(ada, tournament, ada.person, NOW)
    staff(tournament, "juno", Role.Name.JUDGE)
    staff(tournament, "kit", Role.Name.SCOREKEEPER)
    tournament = start_tournament(account("olive"), tournament, NOW)
    next_round(tournament)
    return tournament


def client(name):
    return browser(account(name)) if name else Client()


def bar_and_menu(html):
    """The links of both, each as (address, words)."""
    bar = html[html.index('<div class="places">') :].partition("</div>")[0]
    menu = html[html.index('class="menu more">') :].partition("</details>")[0] if 'class="menu more">' in html else ""
    return tuple(re.findall(r'<a href="([^"]+)"[^>]*>\s*([^<]+?)\s*</a>', part) for part in (bar, menu))


@pytest.mark.parametrize("name", BARS)
def test_bar_is_short_and_every_place_opens(held, name):
    somebody = client(name)
    bar, menu = bar_and_menu(page(somebody, url(held, "desk/" if name in ("olive", "juno", "kit") else "standings/")))
    assert [words for _address, words in bar] == BARS[name]
    assert len(bar) <= MAX_IN_BAR
    assert len({address for address, _words in (*bar, *menu)}) == len(bar) + len(menu)
    for address, words in (*bar, *menu):
        assert somebody.get(address, follow=True).status_code == 200, words


def test_menus_hold_what_their_readers_may_do(held):
    listed = {name: {words for _address, words in bar_and_menu(page(client(name), url(held)))[1]} for name in BARS}
    assert listed["olive"] >= OFFICIALS | ORGANISERS | {"Log", "Table codes", "Print", "Screens"}
    assert listed["juno"] & (OFFICIALS | ORGANISERS | {"Log"}) == OFFICIALS | {"Log"}
    assert listed["kit"].isdisjoint(OFFICIALS | ORGANISERS | {"Log"})
    assert listed["ada"].isdisjoint(OFFICIALS | ORGANISERS | {"Log", "Table codes", "Print"})
    assert listed[""] == set()


def test_nothing_moves_from_one_page_to_the_next(held):
    olive = client("olive")
    on_desk, on_log = page(olive, url(held, "desk/")), page(olive, url(held, "manage/log/"))
    assert bar_and_menu(on_log) == bar_and_menu(on_desk)
    assert rail(on_log) == rail(on_desk)
    menu_of_log = on_log[on_log.index('class="menu more"') :].partition("</details>")[0]
    assert 'class="holds-page"' in menu_of_log
    assert menu_of_log.count('aria-current="page">Log<') == 1
    assert 'class="holds-page"' not in on_desk


def rail(html):
    """The groups of the rail, each as (title, its words)."""
    inside = html[html.index('<nav class="rail"') :].partition("</nav>")[0]
    sections = re.findall(r'<section aria-label="([^"]+)">(.*?)</section>', inside, re.DOTALL)
    return [(title, re.findall(r"<a [^>]*>\s*([^<]+?)\s*</a>", body)) for title, body in sections]


@pytest.mark.parametrize("name", ["olive", "juno", "kit"])
def test_rail_of_the_staff_holds_what_bar_and_menu_hold_in_four_groups(held, name):
    html = page(client(name), url(held, "desk/"))
    groups = rail(html)
    assert [title for title, _words in groups] == [
        title for title in ("Run", "Room", "Public", "Set up") if title in dict(groups)
    ]
    in_rail = [words for _title, places in groups for words in places]
    assert sorted(in_rail) == sorted(words for part in bar_and_menu(html) for _address, words in part)
    inside = html[html.index('<nav class="rail"') :].partition("</nav>")[0]
    assert inside.count('aria-current="page">Desk<') == 1
    assert inside.count("aria-current") == 1


@pytest.mark.parametrize("name", ["ada", ""])
def test_players_and_visitors_have_one_menu_on_phones_and_the_same_in_the_rail(held, name):
    html = page(client(name), url(held, "standings/"))
    on_phone = html[html.index("on-phone") :].partition("</details>")[0]
    words = re.findall(r"<a [^>]*>\s*([^<]+?)\s*</a>", on_phone)
    pages = [words for part in bar_and_menu(html) for _address, words in part]
    assert sorted(words) == sorted(pages if name else [*pages, "Sign in"])
    assert rail(html) == [("Public", [each for each in words if each != "Sign in"])]
    assert on_phone.count('aria-current="page">Standings<') == 1

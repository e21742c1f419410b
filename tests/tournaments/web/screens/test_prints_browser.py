"""What the printer makes of pairings: few pages for many players, whatever their names."""

import re

import pytest

from journal.clock import database_now
from tests.tournaments.factories import account, event, next_round
from tests.tournaments.web.visitors import browser as client_of
from tournaments.entries.services.entries import EntryDraft, register_walk_ins
from tournaments.events.services.events import start_tournament

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
NAMES = ("Ada Lindqvist", "Cem Aydın", "Ivo Castellanos-Montenegro", "Maximiliane von Hohenstein-Ravensburg", "Jo Li")
PAGES = {16: {"": 1, "large": 1}, 120: {"": 2, "large": 4}, 300: {"": 5, "large": 8}}
"""At most so many sheets of A4 for so many players, in the usual size and in large print, in a wide font."""


@pytest.mark.parametrize("players", PAGES)
def test_pairings_by_name_take_few_pages(browser, live_server, players):
    held, olive, now = event(), account("olive"), database_now()
    drafts = [EntryDraft(f"{NAMES[number % len(NAMES)]} {number}") for number in range(players)]
    register_walk_ins(olive, held, drafts, now)
    next_round(start_tournament(olive, held, now))
    session = client_of(olive).cookies["sessionid"].value
    context = browser.new_context()
    context.add_cookies([{"name": "sessionid", "value": session, "url": live_server.url}])
    page = context.new_page()
    for size, most in PAGES[players].items():
        page.goto(f"{live_server.url}/e/{held.slug}/print/pairings/?size={size}")
        assert page.locator(".paper th[scope=row]").count() == players
        printed = page.pdf(format="A4")
        pages = len(re.findall(rb"/Type\s*/Page\b", printed))
        assert 0 < pages <= most, size
    context.close()

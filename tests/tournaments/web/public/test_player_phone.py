"""What a player played, on a phone: 48 px an event and a meeting on the profile, and 48 px a match at the event."""

import pytest
from playwright.sync_api import expect

from accounts.identity.services import set_profile_shown
from tests.tournaments.factories import NOW, account, event, next_round, report_all
from tournaments.entries.services.entries import EntryDraft, register_walk_ins, sign_up
from tournaments.events.services.events import finish_tournament, start_tournament

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
NAMES = ("Ben Kowalski", "Ivo Castellanos-Montenegro", "Hana Mori", "Jo Li", "Pia Ščerbić")
LONG = "Internationale Deutsche Meisterschaft 2026, Qualifikationsturnier Leipzig"
EVENTS = ".cols > :first-child tbody tr"
HEIGHTS = "rows => [...document.querySelectorAll(rows)].map(row => row.getBoundingClientRect().height)"


@pytest.fixture
def played():
    """Ada's event of three rounds, finished, and her profile shown."""
    ada, olive, held = account("ada"), account("olive"), event(swiss_rounds=3)
    register_walk_ins(olive, held, [EntryDraft(name) for name in NAMES], NOW)
    sign_up(ada, held, ada.person, NOW)
    start_tournament(olive, held, NOW)
    for _ in range(3):
        report_all(next_round(held), 2, 1)
    set_profile_shown(ada.user, ada, NOW, shown=True)
    return finish_tournament(olive, held, NOW)


@pytest.mark.parametrize("language", ["en", "de", "fr"])
@pytest.mark.parametrize("width", [360, 390])
def test_a_meeting_is_48_px_high(browser, live_server, played, width, language):
    context = browser.new_context(viewport={"width": width, "height": 640}, locale=language)
    page = context.new_page()
    profile = f"/players/{account('ada').person.public_id}/"
    for path, rows in ((profile, "[id^=against] tbody tr"), (f"/e/{played.slug}/player/6/", "#record tbody tr")):
        page.goto(live_server.url + path)
        heights = page.evaluate(HEIGHTS, rows)
        assert len(heights) == 3
        assert max(heights) <= 49, "48 and the line between"
        assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
    expect(page.locator("tbody .why a").first).to_be_hidden()
    page.locator("#values > summary").press("Enter")
    expect(page.locator("tbody .why a").first).to_be_visible()
    expect(page.locator("tbody .points").first).to_be_visible()
    assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
    context.close()


def height_of(page):
    """How high the row of the one event is."""
    (height,) = page.evaluate(HEIGHTS, EVENTS)
    return height


@pytest.mark.parametrize("language", ["en", "de", "fr"])
def test_an_event_is_48_px_high_and_a_long_name_takes_the_whole_line(browser, live_server, played, language):
    context = browser.new_context(viewport={"width": 360, "height": 640}, locale=language)
    page = context.new_page()
    profile = f"{live_server.url}/players/{account('ada').person.public_id}/"
    page.goto(profile)
    assert height_of(page) <= 49
    page.locator(f"{EVENTS} .told").first.evaluate("cell => { cell.textContent = '120 of 300' }")
    assert height_of(page) <= 49
    type(played).objects.update(name=LONG)
    page.goto(profile)
    expect(page.locator(f"{EVENTS} .title a")).to_have_text(LONG)
    assert height_of(page) <= 49 + 2 * 20, "two lines more"
    assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
    context.close()

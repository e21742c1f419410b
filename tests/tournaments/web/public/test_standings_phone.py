"""Lists on a phone: a player is 48 px high in standings and pairings, tiebreakers and reasons on demand."""

import pytest
from playwright.sync_api import expect

from tests.tournaments.factories import next_round, report_all, running

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
HEIGHTS = """() => [...document.querySelectorAll('.brief tbody tr, .pairs tbody tr')]
    .map(row => row.getBoundingClientRect().height)"""


@pytest.mark.parametrize("width", [360, 390])
def test_one_line_a_player_and_all_values_on_demand(browser, live_server, width):
    held = running(12, swiss_rounds=3)
    report_all(next_round(held), 2, 0)
    context = browser.new_context(viewport={"width": width, "height": 640})
    page = context.new_page()
    page.goto(f"{live_server.url}/e/{held.slug}/standings/")
    heights = page.evaluate(HEIGHTS)
    assert len(heights) == 12
    assert max(heights) <= 48
    expect(page.locator("thead .record")).to_be_visible()
    expect(page.locator("tbody .value").first).to_be_hidden()
    page.locator("#values > summary").press("Enter")
    expect(page.locator("tbody .value").first).to_be_visible()
    expect(page.locator("tbody .why a").first).to_be_visible()
    assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
    context.close()


@pytest.mark.parametrize("by", ["name", "table"])
@pytest.mark.parametrize("width", [360, 390])
def test_a_pairing_is_48_px_high_and_says_its_reasons_on_demand(browser, live_server, width, by):
    held = running(12, swiss_rounds=3)
    next_round(held)
    context = browser.new_context(viewport={"width": width, "height": 640})
    page = context.new_page()
    page.goto(f"{live_server.url}/e/{held.slug}/pairings/?by={by}")
    heights = page.evaluate(HEIGHTS)
    assert len(heights) == (12 if by == "name" else 6)
    assert max(heights) <= 49, "48 and the line between"
    expect(page.locator("tbody .why a").first).to_be_hidden()
    page.locator("#values > summary").press("Enter")
    expect(page.locator("tbody .why a").first).to_be_visible()
    assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
    context.close()

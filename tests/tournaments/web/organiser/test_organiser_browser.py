"""The organiser's pages in a real browser without scripts: narrow phones, fingers, and forms that arrive."""

import pytest
from playwright.sync_api import Page

from tests.tournaments.factories import account, event, next_round, running
from tests.tournaments.web.organiser.test_organiser import manage

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
LONG = "Maximiliane Friederike von Hohenstein-Ravensburg zu Oberkirchenschwarzwald-Unterfeldkirchen am See"
SMALL = """() => [...document.querySelectorAll('button, .button, input, select, textarea, nav a, .choice, summary')]
    .filter(node => !['checkbox', 'radio', 'hidden'].includes(node.type) && node.checkVisibility())
    .filter(node => { const box = node.getBoundingClientRect(); return box.height < 43.5 || box.width < 43.5 })
    .map(node => node.outerHTML.slice(0, 90))"""

IN_SIGHT = """() => {
    const box = document.querySelector('.menu.on-phone > summary').getBoundingClientRect();
    return box.width > 0 && box.left >= 0 && box.right <= innerWidth;
}"""


def test_pages_fit_a_phone_and_its_fingers(phone: Page) -> None:
    tournament = running(5, name=LONG, place=LONG, swiss_rounds=3)
    tournament.entries.filter(number=1).update(name=LONG)
    next_round(tournament)
    for page in ("", "settings/", "entries/", "rounds/", "staff/", "decks/", "log/"):
        phone.goto(manage(tournament, page))
        assert phone.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0, page
        assert phone.evaluate(SMALL) == [], page
        assert phone.evaluate(IN_SIGHT), page


def test_event_is_made_filled_and_started_by_pressing(phone: Page) -> None:
    account("olive")
    phone.goto("/new/")
    phone.get_by_label("Name", exact=True).fill("Autumn Doom Cup")
    phone.get_by_role("button", name="Create event").click()
    phone.get_by_role("button", name="Open registration").click()
    phone.get_by_role("link", name="Add players").click()
    phone.locator("#add > summary").click()
    phone.get_by_label("Names, one per line").fill(f"Ada; Lantern\n{'x' * 130}\nBen")
    phone.get_by_role("button", name="Preview").click()
    phone.get_by_role("button", name="Enter 2 players").click()
    assert phone.get_by_label("Names, one per line").input_value() == "x" * 130
    phone.get_by_text("Pages", exact=True).click()
    phone.get_by_role("link", name="Now", exact=True).click()
    phone.get_by_role("button", name="Start now").click()
    phone.get_by_role("button", name="Pair round 1").click()
    phone.get_by_role("button", name="Publish round 1").click()
    phone.get_by_role("button", name="Start the clock").click()
    phone.get_by_text("Round 1 is missing 1 result").first.wait_for()


def test_invitation_and_personal_link_arrive(phone: Page) -> None:
    """Their forms must send an origin, or the CSRF check refuses them."""
    tournament = event(1)
    phone.goto(manage(tournament, "staff/"))
    for _press in range(2):
        phone.get_by_role("button", name="Create link").click()
        assert "/join/" in phone.locator("code.copy").inner_text()
    phone.goto(phone.locator("code.copy").inner_text())
    phone.get_by_role("button", name="Accept as olive").click()
    phone.goto(manage(tournament, "entries/"))
    phone.locator("main details.more > summary").click()
    phone.get_by_role("button", name="Personal link…").click()
    assert "/p/" in phone.locator("code.copy").inner_text()

"""From the poster to the deck in a minute, in a real browser: a phone for its owner, a tablet for everybody."""

from time import monotonic

import pytest
from playwright.sync_api import Error, Page, expect

from decks.services.catalogues import load_catalogues
from journal.clock import database_now
from rules_engine.systems import get_system
from tests.tournaments.factories import account, entry, event
from tests.tournaments.web.visitors import browser as client_of
from tournaments.entries.selectors.door import door_token
from tournaments.entries.services.door import open_door
from tournaments.management.demo import sample_decklist

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
KEY_MS = 60
"""A quick thumb."""
LONG = "Maximiliane Wolfeschlegelsteinhausenbergerdorff von Hohenstein-Ravensburg zu Oberwald am See"


def type_name(page: Page, name: str) -> None:
    page.get_by_label("Your name").press_sequentially(name, delay=KEY_MS)
    page.get_by_role("button", name="Continue").click()


def is_clipped(page: Page) -> bool:
    return bool(page.evaluate("document.documentElement.scrollWidth > innerWidth"))


def test_door_to_deck_in_a_minute_and_a_tablet_that_forgets(opened, live_server) -> None:
    load_catalogues(database_now(), [get_system("doom_pile")])
    held = event(2, check_in=True)
    code = open_door(account("olive"), held, database_now())
    address = f"{live_server.url}/d/{door_token(code)}/"

    phone, began = opened(360, {}), monotonic()
    phone.goto(address)
    type_name(phone, LONG)
    expect(phone.get_by_text("checked in")).to_be_visible()
    assert not is_clipped(phone)
    phone.get_by_role("link", name="Register a deck").click()
    phone.locator("textarea").first.fill(sample_decklist(copies=2))
    phone.get_by_role("button", name="Register").first.click()
    expect(phone.get_by_text("Legal", exact=False).first).to_be_visible()
    assert monotonic() - began <= 60
    newcomer = entry(held, LONG)
    assert newcomer.checked_in_at is not None
    assert newcomer.members.get().deck_version_id is not None

    tablet = opened(768, {})
    tablet.goto(f"{address}kiosk/")
    type_name(tablet, "Ada")
    tablet.get_by_role("button", name="That's me").click()
    desk = opened(1280, client_of(account("olive")).cookies)
    desk.goto(f"{live_server.url}/e/{held.slug}/manage/entries/")
    desk.get_by_role("button", name="Confirm Ada").click()
    desk.get_by_text("Confirmed: Ada.").wait_for()
    tablet.reload()
    tablet.get_by_role("button", name="Get my personal link").click()
    expect(tablet.get_by_role("img", name="QR code of the personal link of Ada")).to_be_visible()
    tablet.get_by_role("link", name="Done").click()
    expect(tablet.get_by_label("Your name")).to_have_value("")
    assert {cookie["name"] for cookie in tablet.context.cookies()} <= {"csrftoken"}
    with pytest.raises(Error, match="ERR_CACHE_MISS"):  # the answer with the link is kept nowhere
        tablet.go_back()

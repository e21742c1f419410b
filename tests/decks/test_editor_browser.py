"""The deck editor in a browser: three typos corrected from the suggestions, a card added by keyboard, saved, judged."""

import re

import pytest
from playwright.sync_api import Browser, Page, expect

from decks.models import DeckVersion
from decks.services.catalogues import load_catalogues
from journal.clock import database_now
from rules_engine.systems import get_system
from tests.decks.owners import begun, browser_of

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

TROOPER = ("doomtrooper", "second-edition")
TYPOS = {"AGENT NICK MICHAELS": "AGENT NIK MICHAELS", "NARROW ESCAPE!": "NARROW ESCPAE!"}
TYPOS |= {"PRESIDENT CHARLES W. COLDING": "PRESIDENT CHARLS W. COLDING"}


@pytest.fixture
def deck():
    load_catalogues(database_now())
    return begun("ada", "Imperial", TROOPER)


def list_of_59() -> str:
    """59 Doomtrooper cards in 12 names, three of them misspelt."""
    fixed = get_system("doomtrooper").get_format("second-edition").constraints
    sets = next(each.sets for each in fixed if hasattr(each, "sets"))
    cards = [each for each in get_system("doomtrooper").shipped_cards if each.set_slug in sets]
    plain = [each.name for each in cards if not each.fields.get("deck_limit") and each.name not in TYPOS]
    names = [*TYPOS.values(), *(name for name in plain if name != "SPIRIT OF NATHANIEL")]
    return "\n".join(f"{4 if number == 11 else 5} {name}" for number, name in enumerate(names[:12]))


def opened(browser: Browser, live_server, deck, width: int, scripts: bool = True) -> tuple[Page, list[str]]:
    context = browser.new_context(viewport={"width": width, "height": 844}, java_script_enabled=scripts)
    cookies = browser_of("ada").cookies
    context.add_cookies([{"name": key, "value": each.value, "url": live_server.url} for key, each in cookies.items()])
    page, complaints = context.new_page(), []
    page.on("console", lambda message: complaints.append(message.text))
    page.goto(f"{live_server.url}/decks/{deck.public_id}/")
    return page, complaints


def tab_to(page: Page, wanted: str) -> None:
    """Go on by the tabulator key until the element with this id has the focus."""
    for _ in range(60):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.id") == wanted:
            return
    pytest.fail(f"{wanted} is not reached by keyboard")


@pytest.mark.parametrize("width", [390, 1280])
def test_list_with_three_typos_is_corrected_filled_up_and_saved(browser, live_server, deck, width):
    page, complaints = opened(browser, live_server, deck, width)
    page.fill("#id_text", list_of_59())
    expect(page.locator("#unread")).to_have_text("3 lines were not understood")
    for left in (2, 1, 0):
        page.locator(".suggestions button").first.click()
        expect(page.locator(".suggestions")).to_have_count(left)
    expect(page.locator("#result")).to_contain_text("59 of 60+")
    page.focus("#id_q")
    page.keyboard.type("spirit of nath")
    expect(page.locator("#put-main-spirit-of-nathaniel")).to_be_visible()
    tab_to(page, "put-main-spirit-of-nathaniel")
    page.keyboard.press("Enter")
    expect(page.locator("#id_text")).to_have_value(re.compile(r"1 SPIRIT OF NATHANIEL"))
    expect(page.locator("#put-main-spirit-of-nathaniel")).to_be_focused()
    expect(page.locator("#result")).to_contain_text("60 of 60+")
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.locator(".notices")).to_contain_text("Saved as version 1.")
    expect(page.locator("#result .state").first).to_have_text("Legal")
    assert DeckVersion.objects.get().decklist.counts() == {"main": 60}
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") == 0
    assert complaints == []


def test_typing_on_is_not_disturbed_by_the_verdict(browser, live_server, deck):
    page, _complaints = opened(browser, live_server, deck, 1280)
    page.focus("#id_text")
    page.keyboard.type("3 NARROW ESCAPE!\n")
    expect(page.locator("#result")).to_contain_text("3 of 60+")
    page.keyboard.type("2 AGENT NICK MICHAELS")
    expect(page.locator("#id_text")).to_be_focused()
    expect(page.locator("#id_text")).to_have_value("3 NARROW ESCAPE!\n2 AGENT NICK MICHAELS")
    expect(page.locator("#result")).to_contain_text("5 of 60+")


def test_enter_in_the_search_finds_without_scripts_and_keeps_the_text(browser, live_server, deck):
    page, _complaints = opened(browser, live_server, deck, 390, scripts=False)
    page.fill("#id_text", "3 NARROW ESCPAE!")
    page.fill("#id_q", "spirit of nath")
    page.press("#id_q", "Enter")
    page.locator("#put-main-spirit-of-nathaniel").click()
    expect(page.locator("#id_text")).to_have_value("3 NARROW ESCPAE!\n1 SPIRIT OF NATHANIEL\n")
    expect(page.locator("#put-main-spirit-of-nathaniel")).to_be_in_viewport()

"""The boards on a small phone: the usual moves of a turn and the way to take the last one back are on the first screen,
however many cards lie below."""

import re
from itertools import pairwise

import pytest
from django.test import Client
from playwright.sync_api import Browser, Page

from scoring.games.doomlings.tally.cards import traits
from tests.scoring.web import test_dead_or_destroyed, test_doom_pile_sheet, test_doomlings_pages, test_doomtrooper
from tests.scoring.web.test_doom_pile_sheet import make
from tests.scoring.web.test_tables_browser import fits

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

FOUR = ("Ada", "Ben", "Cem", "Dora")


def doomlings() -> tuple[Client, str]:
    """Four players with six traits each, Ada at turn."""
    sheet = test_doomlings_pages.begun(*FOUR)
    client, root = test_doomlings_pages.phone(sheet, "all"), test_doomlings_pages.root(sheet)
    make(client, root, "start", player="Ada")
    for place, name in enumerate([name for name, each in traits().items() if not each.dominant][:24]):
        make(client, root, "play", name=name, player=FOUR[place % 4])
    return client, root


def doom_pile() -> tuple[Client, str]:
    """Four players with five cards each, Ada at turn."""
    client, root = test_doom_pile_sheet.begun("\n".join(FOUR))
    make(client, root, "start", player="Ada")
    for place in range(20):
        test_doom_pile_sheet.played(client, root, "Ash Ledger", 5, FOUR[place % 4])
    return client, root


def dead_or_destroyed() -> tuple[Client, str]:
    """The necromancer's second turn, in which all moves are open."""
    client, root = test_dead_or_destroyed.begun()
    make(client, root, "start", necromancer="Ada")
    for target in ("crypt", "crypt", "battlefield"):
        make(client, root, "summon", at=1, to=target, card="other", pay="")
    make(client, root, "pass")
    make(client, root, "pass")
    return client, root


def doomtrooper() -> tuple[Client, str]:
    """Four players with five warriors each, Ada at turn."""
    client, root = test_doomtrooper.begun(names="\n".join(FOUR))
    for place in range(20):
        test_doomtrooper.add(client, root, "muster", player=FOUR[place % 4], name="Agent Nick Michaels", value="0")
    test_doomtrooper.add(client, root, "turn")
    return client, root


MOVES = {
    doomtrooper: ["Turn of Ben", "Ada meditates: +1"],
    doomlings: ["Play a trait", "Stabilize and end the turn"],
    doom_pile: ["Play a card", "End the turn"],
    dead_or_destroyed: ["Raise Dead: summon", "Leave the Crypt", "Attack and end the turn", "Cycle and Sap", "Shuffle"],
}


def on_phone(browser: Browser, address: str, client: Client, path: str, *, scripts: bool = True) -> Page:
    context = browser.new_context(viewport={"width": 360, "height": 640}, has_touch=True, java_script_enabled=scripts)
    context.add_cookies([{"name": name, "value": each.value, "url": address} for name, each in client.cookies.items()])
    page = context.new_page()
    page.goto(f"{address}{path}" + ("" if "doomtrooper" in path else "play/board/"))
    return page


@pytest.mark.parametrize("board", MOVES, ids=lambda board: board.__name__)
def test_usual_moves_and_take_back_are_on_the_first_screen_of_a_small_phone(browser, live_server, board):
    page = on_phone(browser, live_server.url, *board())
    assert page.locator("#board").bounding_box()["y"] <= 80, "the bar is all of the head"
    back = page.locator("#last-act").get_by_role("button", name="Take back").bounding_box()
    assert back["y"] + back["height"] <= 640
    for name in MOVES[board]:
        words = re.compile(rf"^\s*{re.escape(name)}\s*$")
        box = page.locator("#board :is(summary, button)", has_text=words).first.bounding_box()
        assert box is not None
        assert box["y"] + box["height"] <= 640, (name, box)
    fits(page)
    heads = page.locator("h1, h2, h3").evaluate_all("nodes => nodes.map(node => Number(node.tagName[1]))")
    assert heads[0] == 1
    assert all(after - before <= 1 for before, after in pairwise(heads)), heads


@pytest.mark.parametrize("language", ["en", "de", "fr"])
def test_no_label_of_a_zone_is_broken_within_a_word(browser, live_server, language):
    client, root = doomlings()
    client.cookies["django_language"] = language
    page = on_phone(browser, live_server.url, client, root)
    broken = page.locator(".zones dt").evaluate_all("""nodes => nodes.filter(node => {
        const lines = document.createRange();
        lines.selectNodeContents(node);
        return lines.getClientRects().length > node.textContent.trim().split(/\\s+/).length;
    }).map(node => node.textContent)""")
    assert broken == []


def test_without_scripts_a_folded_move_is_made_and_the_cards_of_others_unfold(browser, live_server):
    page = on_phone(browser, live_server.url, *dead_or_destroyed(), scripts=False)
    page.locator("summary", has_text="Leave the Crypt").click()
    page.get_by_role("button", name="Leave the Crypt").click()
    assert "From the Crypt to the Battlefield: 2" in page.locator("#acts li").first.inner_text()
    page = on_phone(browser, live_server.url, *doom_pile(), scripts=False)
    assert not page.locator("#card-3").is_visible()
    page.locator("summary", has_text="5 cards").first.click()
    assert page.locator("#card-3").is_visible()
    assert page.locator("#card-2").is_visible(), "Ada is at turn"

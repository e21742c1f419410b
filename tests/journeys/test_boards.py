"""The boards of the four games on the phones of a table, in real browsers: two with a player each and a shared one.

Every phone follows; a network that is cut around a move loses none and makes none twice; a hand that one phone notes
is on no other's page.
"""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from scoring.models import ScoreSheet, SheetPart
from scoring.sheets.ledgers import live_acts
from scoring.sheets.web import boards
from tests.invariants.cuts import CutProxy

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

PHONE = {"width": 360, "height": 640}
SECRET = "Zanzibar"
BOARDS = {
    "doom_pile": ("draw_count", "Draw cards"),
    "doomlings": ("discard_count", "Set the discard pile"),
    "dead_or_destroyed": ("adjust_count", "Move cards by hand"),
}
"""For each game with hands a move that stays possible, by a field of it and its button, both under “Something else”."""


@pytest.fixture
def network(live_server) -> Iterator[CutProxy]:
    """The site behind a network that can be cut."""
    proxy = CutProxy(live_server.thread.port)
    yield proxy
    proxy.close()


@pytest.fixture
def phones(browser: Browser, network: CutProxy) -> Iterator[list[Page]]:
    """The phones of Ada and of Ben, and one that everybody shares."""
    contexts = [browser.new_context(viewport=PHONE, has_touch=True, base_url=network.address) for _phone in range(3)]
    yield [context.new_page() for context in contexts]
    for context in contexts:
        context.close()


def sit_down(phones: list[Page], game: str) -> ScoreSheet:
    """A table of Ada and Ben without an event, each phone saying whose it is."""
    first = phones[0]
    first.goto(f"/scores/{game}/")
    first.fill("#id_names", "Ada\nBen")
    first.get_by_role("button", name="Begin the sheet").click()
    first.get_by_role("heading", name="Who are you?").wait_for()
    address = first.url
    for phone, who in zip(phones, ("Ada", "Ben", "This phone writes for everybody"), strict=True):
        phone.goto(address)
        phone.get_by_role("button", name=who, exact=True).click()
    return ScoreSheet.objects.get()


def open_boards(phones: list[Page], sheet: ScoreSheet) -> None:
    """The board on every phone; Ada's begins the game."""
    for phone in phones:
        phone.goto(f"/scores/{sheet.game}/{sheet.key}/play/board/")
    phones[0].get_by_role("button", name="Begin the game").click()
    for phone in phones:
        expect(phone.locator("#board .acts li")).to_have_count(1)


def moves(sheet: ScoreSheet, called: str = "board") -> int:
    content = SheetPart.objects.get(sheet=sheet, place=0).content
    return len(live_acts(content["board"] if called == "board" else content))


def press(phone: Page, name: str, *, is_cut: bool = False) -> None:
    """The button is pressed; with the network cut the browser says that nothing came back."""
    button = phone.get_by_role("button", name=name, exact=True).first
    if not is_cut:
        with phone.expect_navigation():
            button.click()
        return
    button.click(no_wait_after=True)
    phone.wait_for_function("location.href.startsWith('chrome-error:')", timeout=20_000)


def move(phone: Page, game: str, *, is_cut: bool = False) -> None:
    """Something that the rules of the game allow at any time."""
    field, button = BOARDS[game]
    phone.get_by_text("Something else", exact=True).click()
    phone.fill(f"#{field}", "1")
    press(phone, button, is_cut=is_cut)


@pytest.mark.parametrize("game", BOARDS)
def test_three_phones_follow_a_board_and_a_cut_network_loses_and_doubles_no_move(phones, network, game):
    ada, ben, shared = phones
    sheet = sit_down(phones, game)
    open_boards(phones, sheet)
    for where in ("before", "during", "after"):
        before = moves(sheet)
        network.cut = where
        move(ben, game, is_cut=True)
        network.cut = ""
        assert moves(sheet) == before + (where == "after"), where
        ben.goto(f"/scores/{game}/{sheet.key}/play/board/")
        expect(ben.locator("#board .acts li")).to_have_count(moves(sheet))
        if where != "after":
            move(ben, game)
        assert moves(sheet) == before + 1
        for phone in (ada, shared):
            expect(phone.locator("#board .acts li")).to_have_count(before + 1, timeout=15_000)
    move(shared, game)
    expect(ada.locator("#board .acts li")).to_have_count(5, timeout=15_000)
    assert ada.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0


@pytest.mark.parametrize("game", [*BOARDS, "doomtrooper"])
def test_a_board_that_the_network_has_left_behind_says_so_until_it_follows_again(phones, game):
    ada, ben = phones[:2]
    sheet = sit_down(phones, game)
    page = "" if game == "doomtrooper" else "play/board/"
    for phone in (ada, ben):
        phone.goto(f"/scores/{game}/{sheet.key}/{page}")
    notes = [phone.get_by_text("No connection: this board may be old.") for phone in (ada, ben)]
    for note in notes:
        expect(note).to_be_hidden()
    for phone, note in zip((ada, ben), notes, strict=True):
        phone.context.set_offline(True)
        expect(note).to_be_visible(timeout=15_000)
    for phone, note in zip((ada, ben), notes, strict=True):
        phone.context.set_offline(False)
        expect(note).to_be_hidden(timeout=15_000)


@pytest.mark.parametrize("game", BOARDS)
def test_a_hand_is_on_its_own_phone_and_on_no_other(phones, network, game, monkeypatch):
    ada, ben, shared = phones
    sheet = sit_down(phones, game)
    open_boards(phones, sheet)
    ben.goto(ben.url.partition("#")[0])
    ben.locator("#hand #id_name").fill(SECRET)
    ben.get_by_role("button", name="Add to your hand").click()
    expect(ben.locator("#hand")).to_contain_text(SECRET)
    move(shared, game)
    for phone in (ada, shared):
        expect(phone.locator("#board .acts li")).to_have_count(2, timeout=15_000)
        assert SECRET not in phone.content()
        phone.reload()
        assert SECRET not in phone.content()
    expect(ben.locator("#hand")).to_contain_text(SECRET)
    # The control: a hand that the table kept would be found on the other phone.
    if game != "dead_or_destroyed":
        monkeypatch.setattr(boards, "hand_of", lambda *_given: [SECRET])
        ada.reload()
        assert SECRET in ada.content()


def test_a_ledger_of_doomtrooper_on_three_phones_and_a_cut_network(phones, network):
    ada, ben, shared = phones
    sheet = sit_down(phones, "doomtrooper")
    for phone in phones:
        phone.goto(f"/scores/doomtrooper/{sheet.key}/")
    for number, where in enumerate(("before", "during", "after")):
        network.cut = where
        turn = f"Turn of {('Ada', 'Ben')[number % 2]}"
        press(ben, turn, is_cut=True)
        network.cut = ""
        assert moves(sheet, "acts") == number + (where == "after"), where
        ben.goto(f"/scores/doomtrooper/{sheet.key}/")
        if where != "after":
            press(ben, turn)
        assert moves(sheet, "acts") == number + 1
        for phone in (ada, shared):
            expect(phone.locator("#acts li")).to_have_count(number + 1, timeout=15_000)

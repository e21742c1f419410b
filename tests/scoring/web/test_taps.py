"""A table of six on one phone: what it takes to write everything down beyond typing the names of cards."""

import re

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from scoring.games.doomlings.tally import tally
from scoring.games.doomlings.tally.cards import traits
from scoring.models import ScoreSheet
from scoring.sheets.forms.sheets import filed_content
from scoring.tasks import tally_sheet

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

MAX_TAPS = 60
PEOPLE = ("Ada", "Ben", "Cem", "Dora", "Emil", "Fay")
DOMINANTS = ("Sentience", "Faith", "Apex Predator", "Echolocation", "Immunity", "Pack Behavior")
WANT_NAMES_OF_THE_HAND = {"Boredom", "Brave", "Saudade"}


class Finger:
    """Counts every tap and every key that is no letter of a card's name."""

    def __init__(self, page: Page) -> None:
        self.page, self.taps = page, 0

    def tap(self, target: Locator) -> None:
        target.tap()
        self.taps += 1

    def choose(self, target: Locator, value: str) -> None:
        """A select takes two: one opens it, one chooses."""
        target.select_option(value)
        self.taps += 2

    def press(self, key: str) -> None:
        self.page.keyboard.press(key)
        self.taps += 1


def piles() -> list[list[str]]:
    """Six piles of twelve different traits of the box, one dominant each."""
    plain = [
        each.name
        for each in traits().values()
        if each.set == "classic" and each.name == each.base and not each.dominant
        if each.name not in WANT_NAMES_OF_THE_HAND
    ]
    return [[*plain[place * 11 :][:11], dominant] for place, dominant in enumerate(DOMINANTS)]


def radio(page: Page, name: str, value: str) -> Locator:
    return page.locator(f"label:has(input[name='{name}'][value='{value}'])")


def test_table_of_six_takes_at_most_sixty_taps(browser: Browser, live_server) -> None:
    context = browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True)
    page, complaints = context.new_page(), []
    page.on("console", lambda message: complaints.append(message.text) if "Security" in message.text else None)
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.goto(f"{live_server.url}/scores/doomlings/")
    finger = Finger(page)

    finger.tap(page.get_by_label("Players in turn order"))
    for name in PEOPLE[:-1]:
        page.keyboard.type(name)
        finger.press("Enter")
    page.keyboard.type(PEOPLE[-1])
    finger.tap(page.get_by_role("button", name="Begin the sheet"))
    finger.tap(page.get_by_role("button", name="This phone writes for everybody"))
    finger.choose(page.get_by_label("The third catastrophe"), "Algal Superbloom")
    finger.tap(page.get_by_role("button", name="Save, then Ada"))
    for place, (name, pile) in enumerate(zip(PEOPLE, piles(), strict=True), 1):
        expect(page.get_by_role("heading", name=name, exact=True)).to_be_visible()
        expect(page.locator("#id_traits_add")).to_be_focused()
        page.keyboard.type("".join(pile))
        expect(page.locator(".pile-sum").first).to_contain_text("Cards: 12,")
        finger.tap(radio(page, "hand_size", str(place)))
        finger.tap(radio(page, "gene_pool", str(place + 1)))
        if "Sentience" in pile:
            finger.tap(radio(page, "ask-choices-sentience", "blue"))
        if "Faith" in pile:
            finger.tap(radio(page, "ask-choices-faith-from", "red"))
            finger.tap(radio(page, "ask-choices-faith-to", "green"))
        finger.tap(page.get_by_role("button", name=re.compile("Save")))
    finger.tap(page.get_by_role("button", name="File the sheet"))
    expect(page.locator("#tally")).to_contain_text("Adding up")

    sheet = ScoreSheet.objects.get()
    assert [player["traits"] for player in filed_content(sheet)["players"]] == piles()
    assert filed_content(sheet)["players"][1]["choices"] == {"Faith": {"from": "red", "to": "green"}}
    revision = sheet.revisions.get()
    tally_sheet(revision.pk, "")
    expect(page.locator("#tally .outcome")).to_have_text(", ".join(tally(revision.content)["winners"]))
    page.locator("details.lines summary").first.tap()
    page.evaluate("htmx.ajax('GET', location.pathname, {target: '#tally', select: '#tally', swap: 'outerHTML'})")
    expect(page.locator("details.lines[open]")).to_have_count(1)  # what is read stays open while signatures come
    assert finger.taps <= MAX_TAPS
    print(f"taps: {finger.taps}")
    assert complaints == []
    context.close()

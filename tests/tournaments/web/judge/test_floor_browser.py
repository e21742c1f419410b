"""A judge's taps on a phone, counted: 2 for a result, 4 for a penalty, 2 for both decks; no page is too wide for it."""

import re
from datetime import timedelta

import pytest
from django.conf import settings
from playwright.sync_api import Browser, Page, expect

from decks.services.catalogues import load_catalogues
from journal.clock import database_now
from journal.models import LedgerEntry
from tests.tournaments.factories import NOW, account, next_round, running, staff, table
from tests.tournaments.web.organiser.test_organiser import browser as signed_in
from tournaments.decks.services.decks import replace_deck
from tournaments.management.demo import sample_decklist
from tournaments.models import Match, Penalty, Role
from tournaments.room.services.calls import call_judge
from tournaments.room.services.clocks import start_clock

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


class Phone:
    """A phone held in one hand; it counts what is tapped."""

    def __init__(self, page: Page) -> None:
        self.page, self.taps = page, 0

    def tap(self, css: str) -> None:
        """One tap, on something large enough for a thumb."""
        target = self.page.locator(css).first
        box = target.bounding_box()
        assert box is not None
        assert min(box["width"], box["height"]) >= 44, css
        opens = css.startswith(("label", "summary"))
        if opens:
            target.tap()
        else:
            with self.page.expect_navigation():
                target.tap()
        self.taps += 1
        assert self.page.evaluate("document.documentElement.scrollWidth") <= 390, css


@pytest.fixture
def match() -> Match:
    tournament = running(4)
    staff(tournament, "juno", Role.Name.JUDGE)
    match = table(next_round(tournament))
    load_catalogues(NOW)
    for seat in match.seats.all():
        replace_deck(account("juno"), seat.member, "Deck", sample_decklist(copies=3), "came late", NOW)
    return match


@pytest.fixture
def phone(browser: Browser, live_server, match: Match) -> Phone:
    """Juno's phone on the map of tables."""
    cookie = signed_in("juno").cookies[settings.SESSION_COOKIE_NAME].value
    context = browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True, java_script_enabled=False)
    context.add_cookies([{"name": settings.SESSION_COOKIE_NAME, "value": cookie, "url": live_server.url}])
    page = context.new_page()
    page.goto(f"{live_server.url}/e/{match.round.stage.tournament.slug}/floor/")
    return Phone(page)


def test_judge_needs_few_taps_in_the_dark_without_any_script(phone: Phone, match: Match) -> None:
    page, home = phone.page, phone.page.url

    phone.tap(".tile >> nth=0")
    phone.tap("button[value='2-1-0']")
    assert phone.taps == 2
    match.refresh_from_db()
    assert match.state == Match.State.DONE
    assert page.get_by_role("heading", name="Correct the result").is_visible()
    phone.tap("a:has-text('Tables')")
    assert page.url == home

    phone.taps = 0
    phone.tap(".tile >> nth=0")
    phone.tap("a:has-text('Penalty:')")
    phone.tap("label:has-text('Slow play')")
    phone.tap("button:has-text('Give the penalty')")
    assert phone.taps == 4
    assert Penalty.objects.get().infraction == "Slow play"

    page.goto(home)
    phone.taps = 0
    phone.tap(".tile >> nth=0")
    phone.tap("button:has-text('side by side')")
    assert phone.taps == 2
    boxes = [each.bounding_box() for each in page.locator(".side-by-side > section").all()]
    assert len({box["y"] for box in boxes if box}) == 1
    assert LedgerEntry.objects.filter(act="deck.read").count() == 2

    assert scheme_of(page) == "dark"
    page.goto(home)
    phone.tap("a:text-is('Light')")
    phone.tap(".tile >> nth=0")
    assert scheme_of(page) == "light"


def test_how_long_a_call_waits_is_counted_beside_a_running_clock(browser: Browser, phone: Phone, match: Match) -> None:
    now = database_now()
    start_clock(account("olive"), match.round, now)
    call_judge(account("olive"), match, "rules", "", now - timedelta(minutes=3, seconds=10))
    context = browser.new_context(storage_state=phone.page.context.storage_state())
    page, errors = context.new_page(), list[str]()
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.goto(phone.page.url + "calls/")
    expect(page.locator("[data-clock-left]").first).to_have_text(re.compile(r"\d+:\d\d"))
    page.locator(".waited").evaluate("each => { each.textContent = 'as of the page' }")
    expect(page.locator(".waited")).to_have_text("3 min")
    assert errors == []
    context.close()


def scheme_of(page: Page) -> str:
    return str(page.evaluate("getComputedStyle(document.documentElement).colorScheme"))

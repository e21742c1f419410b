"""Results typed at the desk as fast as a script can, on a slow network, against a real server: none lost or wrong."""

import random
import time
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, Page

from tests.journeys.shop import LAPTOP, Shop, open_shop
from tests.tournaments.cast import NOW, account, next_round, running, score, staff, table
from tests.tournaments.web.visitors import browser as client_of
from tournaments.models import Match, Role, Round, Tournament
from tournaments.services.results import report_result

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True), pytest.mark.postgresql]
GAMES = {"1": (2, 0), "2": (2, 1), "3": (1, 1), "4": (1, 2), "5": (0, 2)}
SLOW = {"offline": False, "latency": 300, "downloadThroughput": -1, "uploadThroughput": -1}
OFFLINE = {**SLOW, "offline": True}
NOT_STORED = "[...document.querySelectorAll('#shelf [data-group=kept] li b')].map(each => each.textContent)"


@pytest.fixture(scope="module")
def shop(django_db_setup: None) -> Iterator[Shop]:
    """A broker and a web server on the database of the tests."""
    with open_shop("broker", "web") as shop:
        yield shop


class Desk:
    """Kit's browser at the desk of a round, with the network of a bad day; `pressed` counts keys."""

    def __init__(self, browser: Browser, shop: Shop, tournament: Tournament) -> None:
        kit = staff(tournament, "kit", Role.Name.SCOREKEEPER)
        self.context = browser.new_context(viewport=LAPTOP, base_url=shop.root, locale="en-GB")
        cookies = client_of(kit).cookies.items()
        self.context.add_cookies([{"name": key, "value": each.value, "url": shop.root} for key, each in cookies])
        self.page: Page = self.context.new_page()
        self.errors: list[str] = []
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.address, self.pressed = f"/e/{tournament.slug}/desk/", 0
        self.open()

    def open(self) -> None:
        self.page.goto(self.address)
        self.page.wait_for_selector("#entry[data-ready]")
        self.wire = self.context.new_cdp_session(self.page)
        self.wire.send("Network.enable")

    def network(self, conditions: dict[str, object]) -> None:
        self.wire.send("Network.emulateNetworkConditions", conditions)

    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)
            self.pressed += 1

    def type_result(self, number: int, code: str) -> None:
        self.press(*str(number), "Enter", code, "Enter")

    def pending(self) -> int:
        return int(self.page.evaluate("doomdesk.desk.pending()"))

    def comes_true(self, told: Callable[[], object], seconds: float = 30) -> bool:
        """Whether something comes true in time, while the page goes on."""
        end = time.monotonic() + seconds
        while not (found := told()) and time.monotonic() < end:
            self.page.wait_for_timeout(50)
        return bool(found)

    def drain(self, seconds: float = 30) -> bool:
        """Whether nothing waits any more."""
        return self.comes_true(lambda: not self.pending(), seconds)


def stored_in(round_: Round) -> dict[int, tuple[int, ...]]:
    """Games by seat order of every table with a result."""
    found = Match.objects.filter(round=round_, standing_report__isnull=False).select_related("standing_report")
    return {
        match.table_number: tuple(
            match.standing_report.seat_results.order_by("seat__order").values_list("games_won", flat=True)
        )
        for match in found
        if match.table_number
    }


@pytest.mark.parametrize("tables", [12, pytest.param(200, marks=pytest.mark.long)])
def test_results_typed_as_fast_as_a_script_can_are_all_stored(browser: Browser, shop: Shop, tables: int) -> None:
    tournament = running(2 * tables)
    round_ = next_round(tournament)
    desk = Desk(browser, shop, tournament)
    desk.network(SLOW)
    chance = random.Random(tables)
    plan = {number: chance.choice("12345") for number in chance.sample(range(1, tables + 1), tables)}
    for number, code in plan.items():
        desk.type_result(number, code)
    assert desk.pressed == sum(len(str(number)) + 1 for number in plan) + 2 * tables
    assert desk.drain(30 + tables * 3)
    assert stored_in(round_) == {number: GAMES[code] for number, code in plan.items()}
    assert desk.errors == []
    desk.context.close()


def test_what_is_not_stored_survives_a_reload_and_waits_for_a_press(browser: Browser, shop: Shop) -> None:
    tournament = running(8)
    round_ = next_round(tournament)
    desk = Desk(browser, shop, tournament)
    desk.network(OFFLINE)
    desk.type_result(2, "4")
    desk.type_result(3, "1")
    assert desk.comes_true(lambda: desk.page.evaluate(NOT_STORED) == ["Table 2 · 1–2", "Table 3 · 2–0"])
    desk.network({**SLOW, "latency": 0})
    desk.open()
    desk.page.wait_for_timeout(1000)
    assert stored_in(round_) == {}
    assert desk.page.evaluate(NOT_STORED) == ["Table 2 · 1–2", "Table 3 · 2–0"]
    desk.page.get_by_role("button", name="Send them now").click()
    assert desk.drain()
    assert stored_in(round_) == {2: (1, 2), 3: (2, 0)}
    desk.context.close()


def test_a_table_with_a_result_is_never_stored_over(browser: Browser, shop: Shop) -> None:
    tournament = running(8)
    round_ = next_round(tournament)
    desk = Desk(browser, shop, tournament)
    desk.type_result(1, "1")
    assert desk.drain()
    desk.press("1", "Enter")
    assert "2–0" in desk.page.inner_text("#found")
    desk.press("5", "Enter")
    report_result(account("olive"), table(round_, 2), score(0, 2), NOW)
    desk.type_result(2, "1")
    refused = desk.page.locator("#shelf [data-group=refused] li")
    assert desk.comes_true(lambda: refused.count() == 2)
    assert "already" in refused.nth(1).inner_text() or "has a result" in refused.nth(1).inner_text()
    assert stored_in(round_) == {1: (2, 0), 2: (0, 2)}
    desk.page.reload()
    assert refused.count() == 2
    refused.first.get_by_role("button", name="Dealt with").click()
    assert refused.count() == 1
    desk.context.close()

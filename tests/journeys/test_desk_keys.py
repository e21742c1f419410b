"""Results typed at the desk as fast as a script can, on a slow network, against a real server: none lost or wrong."""

import random
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from journal.clock import database_now
from scoring.standings.presets import PRESETS
from scoring.standings.records import ScoringPolicy
from tests.journeys.shop import LAPTOP, Shop, open_shop
from tests.tournaments.factories import NOW, account, next_round, running, score, staff, table
from tests.tournaments.web.visitors import browser as client_of
from tournaments.models import Match, Role, Round, Tournament
from tournaments.results.services.reports import report_result
from tournaments.room.services.announcements import post_announcement
from tournaments.room.services.clocks import start_clock

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True), pytest.mark.postgresql]
GAMES = {"1": (2, 0), "2": (2, 1), "3": (1, 1), "4": (1, 2), "5": (0, 2)}
SLOW = {"offline": False, "latency": 300, "downloadThroughput": -1, "uploadThroughput": -1}
OFFLINE = {**SLOW, "offline": True}
FEW = 6
"""Results in a row in each rhythm and pace; `--long` types two hundred."""
HOUSE: dict[str, Any] = {"game": "house_game", "game_format": "open", "swiss_rounds": 3}
Way = tuple[Callable[[int, str], str], int]
"""A rhythm and the milliseconds from key to key."""
NOT_STORED = "[...document.querySelectorAll('#shelf [data-group=kept] li b')].map(each => each.textContent)"


@pytest.fixture(scope="module")
def shop(django_db_setup: None) -> Iterator[Shop]:
    """A broker and a web server on the database of the tests."""
    with open_shop("broker", "web") as shop:
        yield shop


class Desk:
    """Kit's browser, or another's, at the desk of a round, with the network of a bad day; `pressed` counts keys."""

    def __init__(self, browser: Browser, shop: Shop, tournament: Tournament, who: str = "kit") -> None:
        actor = account("olive") if who == "olive" else staff(tournament, "kit", Role.Name.SCOREKEEPER)
        self.context = browser.new_context(viewport=LAPTOP, base_url=shop.root, locale="en-GB")
        cookies = client_of(actor).cookies.items()
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

    def type_keys(self, keys: str, pace: int) -> None:
        """So many milliseconds from key to key; ⏎ is Enter, spaces are there to be read."""
        due = time.monotonic()
        for key in keys.replace(" ", ""):
            self.press("Enter" if key == "⏎" else key)
            due += pace / 1000
            self.page.wait_for_timeout(max(0, (due - time.monotonic()) * 1000))

    def shelved(self) -> list[str]:
        """What was refused and waits for somebody."""
        return self.page.locator("#shelf [data-group=refused] li b").all_text_contents()

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
    found = Match.objects.filter(round=round_, accepted_report__isnull=False).select_related("accepted_report")
    return {
        match.table_number: tuple(
            match.accepted_report.seat_results.order_by("seat__order").values_list("games_won", flat=True)
        )
        for match in found
        if match.table_number
    }


def by_number(number: int, code: str) -> str:
    """The keys of somebody who types every table."""
    return f"{number}⏎{code}⏎"


def by_next(_number: int, code: str) -> str:
    """The keys of somebody who takes the next missing table."""
    return f"⏎{code}⏎"


WAYS = [(rhythm, pace) for rhythm in (by_number, by_next) for pace in (40, 120, 260)]


def type_in_ways(desk: Desk, round_: Round, ways: list[Way], each: int) -> None:
    """So many results in each rhythm and pace; all of them are stored as typed, and the desk says so."""
    chance, plan = random.Random(each), {}
    for place, (rhythm, pace) in enumerate(ways):
        numbers = range(1 + place * each, 1 + (place + 1) * each)
        for number in chance.sample(numbers, each) if rhythm is by_number else numbers:
            plan[number] = chance.choice("12345")
            desk.type_keys(rhythm(number, plan[number]), pace)
    assert desk.drain(30 + len(plan) * 3)
    assert stored_in(round_) == {number: GAMES[code] for number, code in plan.items()}
    assert desk.comes_true(lambda: "All results are in" in desk.page.inner_text("#found"))
    assert desk.shelved() == []
    assert desk.errors == []


@pytest.mark.full
def test_results_typed_at_any_pace_in_both_rhythms_are_stored_as_typed(browser: Browser, shop: Shop) -> None:
    """Every key counts while answers take 300 ms, and after the last result the desk says that all are in."""
    tournament = running(2 * FEW * len(WAYS), **HOUSE)
    round_ = next_round(tournament)
    desk = Desk(browser, shop, tournament)
    desk.network(SLOW)
    type_in_ways(desk, round_, WAYS, FEW)
    desk.context.close()


@pytest.mark.long
@pytest.mark.parametrize(("number", "way"), [*enumerate(WAYS)], ids=[f"{way[0].__name__}-{way[1]}" for way in WAYS])
def test_two_hundred_results_in_a_row(browser: Browser, shop: Shop, number: int, way: Way) -> None:
    """Half of the ways where answers come at once, half where they take 300 ms."""
    tournament = running(400, **HOUSE)
    round_ = next_round(tournament)
    desk = Desk(browser, shop, tournament)
    desk.network({**SLOW, "latency": 300 * (number % 2)})
    type_in_ways(desk, round_, [way], 200)
    desk.context.close()


def test_keys_without_a_table_wait_and_are_never_a_table(browser: Browser, shop: Shop) -> None:
    """No table missing, an unknown one, a score that cannot be: the keys that follow keep their sense."""
    tournament = running(8, **HOUSE)
    round_ = next_round(tournament)
    desk = Desk(browser, shop, tournament)
    desk.type_keys("⏎9⏎ ⏎2⏎ 99⏎3⏎ 3⏎2-3⏎", 20)
    assert desk.shelved() == ["Table 1 · 9", "Table 99 · 3", "Table 3 · 2-3"]
    desk.type_keys("1⏎5⏎ ⏎4⏎ 3⏎1⏎", 20)
    stored = {1: (0, 2), 2: (2, 1), 3: (2, 0), 4: (1, 2)}
    assert desk.comes_true(lambda: stored_in(round_) == stored)
    assert desk.shelved() == ["Table 99 · 3"]
    desk.type_keys("⏎3⏎ ⏎1⏎", 20)
    desk.page.wait_for_timeout(500)
    assert stored_in(round_) == stored
    assert desk.shelved() == ["Table 99 · 3", "Table – · 3", "Table – · 1"]
    desk.context.close()


@pytest.mark.full
def test_a_pause_that_takes_no_enter_is_found_out(browser: Browser, shop: Shop) -> None:
    """The control: where Enter is deaf for a while after a result, results are missing and keys become tables."""
    tournament = running(2 * FEW, **HOUSE)
    round_ = next_round(tournament)
    desk = Desk(browser, shop, tournament)

    def deaf(route: Route) -> None:
        answer = route.fetch()
        text = answer.text().replace("if (!next)", "if (last && Date.now() - last.at < 600) return;\n  if (!next)")
        route.fulfill(response=answer, body=text)

    desk.page.route("**/desk*.js", deaf)
    desk.open()
    with pytest.raises(AssertionError):
        type_in_ways(desk, round_, [(by_next, 40)], FEW)
    desk.context.close()


def test_the_panel_keeps_its_height_under_every_key(browser: Browser, shop: Shop) -> None:
    tournament = running(8, **HOUSE)
    next_round(tournament)
    desk = Desk(browser, shop, tournament)
    high = "document.getElementById('desk-entry').offsetHeight"
    heights = {desk.page.evaluate(high)}
    for key in "⏎1⏎99⏎⏎2-3⏎1⏎⏎5⏎":
        desk.type_keys(key, 20)
        heights.add(desk.page.evaluate(high))
    assert len(heights) == 1
    desk.context.close()


def test_at_a_table_of_four_an_impossible_ranking_is_refused_here(browser: Browser, shop: Shop) -> None:
    """It never leaves the page; the field shows all that is typed."""
    tournament = running(4, game="doomlings", game_format="standard", best_of=1, score_sheets=False)
    next_round(tournament)
    desk = Desk(browser, shop, tournament)
    desk.press("Enter", *"1 2 2 3", "Enter")
    assert desk.shelved() == ["Table 1 · 1 2 2 3"]
    desk.press("1", "Enter", *"11 9 12 108")
    assert desk.page.locator("[name=result]").evaluate("field => field.scrollWidth <= field.clientWidth")
    desk.context.close()


def test_what_is_no_result_is_told_what_the_table_takes(browser: Browser, shop: Shop) -> None:
    """Places where they rank, scores where they count."""
    for takes, policy in (("places", ScoringPolicy()), ("scores", PRESETS["doomlings"].policy)):
        tournament = running(4, game="doomlings", game_format="standard", best_of=1, score_sheets=False, policy=policy)
        next_round(tournament)
        desk = Desk(browser, shop, tournament)
        desk.press("Enter", *"11 9")
        expect(desk.page.locator("#desk-entry")).to_contain_text(f"Type 4 {takes} in seat order.")
        desk.context.close()


def test_other_scores_of_the_same_ranking_are_no_repetition(browser: Browser, shop: Shop) -> None:
    """They are refused as another result is, for the match's page; the very same ones are told to be stored."""
    policy = PRESETS["doomlings"].policy
    tournament = running(4, game="doomlings", game_format="standard", best_of=1, score_sheets=False, policy=policy)
    next_round(tournament)
    desk = Desk(browser, shop, tournament)
    for _time in range(2):
        desk.press("1", "Enter", *"11 9 12 8", "Enter")
        assert desk.drain()
    assert desk.shelved() == []
    desk.press("1", "Enter", *"11 9 12 7", "Enter")
    assert desk.comes_true(desk.shelved)
    assert desk.shelved() == ["Table 1 · 11 9 12 7"]
    desk.context.close()


def test_a_held_key_is_one_key(browser: Browser, shop: Shop) -> None:
    tournament = running(8, **HOUSE)
    round_ = next_round(tournament)
    desk = Desk(browser, shop, tournament)
    for key in ("Enter", "4", "Enter", "Enter"):
        for _repeat in range(4):
            desk.page.keyboard.down(key)
        desk.page.keyboard.up(key)
    assert desk.drain()
    assert stored_in(round_) == {1: (1, 2)}
    assert desk.page.input_value("[name=table]") == "2"
    desk.context.close()


def test_a_result_from_elsewhere_changes_no_table_under_a_key(browser: Browser, shop: Shop) -> None:
    """Enter takes the table that the page offered when the hand set out."""
    tournament = running(8, **HOUSE)
    round_ = next_round(tournament)
    desk = Desk(browser, shop, tournament)
    taken = """() => new Promise(done => document.addEventListener('doomdesk:swapped', () => {
        const field = document.querySelector('[name=table]');
        field.dispatchEvent(new KeyboardEvent('keydown', {key: 'Enter', bubbles: true, cancelable: true}));
        done(field.value);
    }, {once: true}))"""
    report_result(account("olive"), table(round_, 1), score(0, 2), NOW)
    asked = desk.page.evaluate_handle(f"() => ({{taken: ({taken})()}})")
    desk.page.evaluate("doomdesk.live.refresh()")
    assert desk.page.evaluate("asked => asked.taken", asked) == "1"
    desk.press("1", "Enter")
    assert desk.comes_true(lambda: desk.shelved() == ["Table 1 · 2–0"])
    assert stored_in(round_) == {1: (0, 2)}
    desk.context.close()


def test_the_desk_follows_the_event_whatever_has_the_focus(browser: Browser, shop: Shop) -> None:
    """Parts come and go while a field has the focus or is typed in; what was typed and the keys stay."""
    tournament = running(4, **HOUSE)
    round_ = next_round(tournament)
    olive = account("olive")
    desk = Desk(browser, shop, tournament, "olive")
    post_announcement(olive, tournament, "The kitchen closes at nine.", database_now())
    start_clock(olive, round_, database_now())
    desk.page.evaluate("doomdesk.live.refresh()")
    assert desk.comes_true(lambda: "Pause" in desk.page.inner_text("#run-clock"), 5)
    assert "The kitchen closes at nine." in desk.page.inner_text("#told")
    desk.press("2", "Enter")
    report_result(olive, table(round_, 1), score(2, 0), NOW)
    report_result(olive, table(round_, 2), score(2, 0), NOW)
    desk.page.evaluate("doomdesk.live.refresh()")
    assert desk.comes_true(lambda: desk.page.locator("#run-clock").count() == 0, 5)
    assert desk.page.input_value("[name=table]") == "2"
    assert desk.page.evaluate("document.activeElement.name") == "result"
    assert desk.comes_true(lambda: "2 of 2 tables" in desk.page.inner_text("#desk-progress"), 5)
    desk.press("1", "Enter")
    assert desk.comes_true(lambda: "All results are in" in desk.page.inner_text("#found"), 5)
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


def test_a_new_round_does_not_hold_up_who_leaves_the_desk(browser: Browser, shop: Shop) -> None:
    tournament = running(4)
    next_round(tournament)
    desk = Desk(browser, shop, tournament)
    desk.network(SLOW)
    link = desk.page.locator(f"a[href='/e/{tournament.slug}/']").first
    link.evaluate("link => { link.click(); document.dispatchEvent(new CustomEvent('doomdesk:leaving')); }")
    desk.page.wait_for_url(f"**/e/{tournament.slug}/")
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

"""R7: no entry of a phone is lost wherever the network is cut around its post, and none is sent unasked.

But by the page that wrote it, while it is open and its match is as it was seen.
"""

import re
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, Page, Route, expect
from playwright.sync_api import Error as PlaywrightError

from accounts.identity.services import issue_personal_link
from journal.clock import database_now
from tests.invariants.cuts import CutProxy
from tests.journeys.shop import open_shop
from tests.tournaments.factories import account, next_round, running, score
from tournaments.core.rounds import matches_of
from tournaments.models import Match, ResultReport
from tournaments.results.services.reports import report_result

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

WHERE = ("before", "during", "after")
WITHOUT_KEEPING = "Storage.prototype.setItem = () => {}"


@pytest.fixture(scope="module")
def shop(django_db_setup: None) -> Iterator[CutProxy]:
    """A real web server on the database of the tests, behind a network that can be cut."""
    with open_shop("web") as shop:
        proxy = CutProxy(shop.port)
        yield proxy
        proxy.close()


@pytest.fixture
def phone(browser: Browser, shop: CutProxy) -> Iterator[Page]:
    """A phone that keeps what it stored while pages open and close."""
    context = browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True, base_url=shop.address)
    yield context.new_page()
    context.close()


def open_table(phone: Page, match: Match) -> None:
    """Open the match of whoever sits in the first seat, by personal link; what an open page asks ends before."""
    phone.goto("about:blank")
    person = match.seats.order_by("order").first().entry.members.get().person
    phone.goto(f"/p/{issue_personal_link(person, account('olive'), database_now())}/")


def choose_and_send(phone: Page) -> None:
    """2–1, with two taps: the score, then send."""
    phone.locator("label", has_text="2–1").tap()
    phone.locator("form#report button[type=submit]").tap()


def kept(phone: Page) -> list[str]:
    """What the phone says it keeps, as text."""
    return phone.locator("#unsent [data-entry]").all_inner_texts()


def wait_for_box(phone: Page) -> str:
    """The words of the one entry that is shown as not stored."""
    box = phone.locator("#unsent .wrong[data-entry]")
    expect(box).to_have_count(1, timeout=20_000)
    return box.inner_text()


def wait_until_stored(phone: Page) -> None:
    """Until nothing is kept on the phone any more."""
    left = phone.locator("#unsent [data-entry]")
    try:
        expect(left).to_have_count(0, timeout=20_000)
    except AssertionError:
        pytest.fail(f"still kept: {kept(phone)}")


def held(players: int) -> tuple[Match, ...]:
    """The matches of a round of an event without stacking."""
    tournament = running(players, game="house_game", game_format="open", swiss_rounds=3)
    return tuple(matches_of(next_round(tournament)))


def hear(phone: Page) -> None:
    """Have the open page ask how things are, and time to act on the answer."""
    phone.evaluate("""() => new Promise(done => {
        document.addEventListener('doomdesk:heard', () => setTimeout(done, 300), {once: true});
        window.doomdesk.live?.refresh() ?? done();
    })""")


def reports(match: Match) -> list[list[int]]:
    found = ResultReport.objects.filter(match=match).order_by("number")
    return [list(report.seat_results.order_by("seat__order").values_list("games_won", flat=True)) for report in found]


def test_no_entry_is_lost_and_none_is_sent_unasked(
    phone: Page, shop: CutProxy, many: Callable[[int, int], int]
) -> None:
    """Six cuts meet each way of coming back at each place once; sixty with `--long`."""
    for number, match in enumerate(held(2 * many(60, 6))):
        where = WHERE[number % 3]
        open_table(phone, match)
        shop.cut = where
        choose_and_send(phone)
        words = wait_for_box(phone)
        assert "2–1" in words
        assert reports(match) == ([[2, 1]] if where == "after" else []), where
        if number % 2:
            phone.goto("about:blank")
            phone.goto(shop.address + "/my/")
        else:
            phone.reload()
        assert wait_for_box(phone) == words
        shop.cut, tried = "", shop.posts
        hear(phone)
        assert shop.posts == tried
        with phone.expect_navigation(wait_until="load"):
            phone.locator("#unsent [data-send]").tap()
        assert kept(phone) == []
        assert phone.get_by_text("waiting for").count()
        assert reports(match) == [[2, 1]], where


def changed_while_cut(phone: Page, shop: CutProxy) -> tuple[Match, int]:
    """A page that wrote 2–1 and hears again, after the other side said 0–2; how often it posts then.

    It hears of the other side's before posts arrive again: an open page asks by itself, at any moment, and what it
    then sends of the match as it was would be right.
    """
    match = held(2)[0]
    open_table(phone, match)
    shop.cut = "before"
    choose_and_send(phone)
    wait_for_box(phone)
    other = match.seats.order_by("order").last()
    report_result(account(other.entry.name), match, score(0, 2), database_now(), seat=other)
    hear(phone)
    tried, shop.cut = shop.posts, ""
    hear(phone)
    phone.wait_for_timeout(700)
    return match, shop.posts - tried


def test_another_value_on_the_server_is_shown_beside_the_kept_one(phone: Page, shop: CutProxy) -> None:
    for choice, left in (("Send mine", 2), ("Yes,", 1)):
        match, _posts = changed_while_cut(phone, shop)
        phone.locator("#unsent [data-send]").tap()
        card = phone.locator("section", has_text="two different results")
        card.wait_for()
        assert "You lost 0–2" in card.inner_text()
        assert "You won 2–1" in card.inner_text()
        assert reports(match) == [[0, 2]]
        phone.reload()
        assert "2–1" in wait_for_box(phone)
        phone.locator("#unsent [data-send]").tap()
        card.locator("button", has_text=choice).tap()
        phone.get_by_text("not agreed" if left == 2 else "final").first.wait_for()
        assert len(reports(match)) == left
        wait_until_stored(phone)


@pytest.mark.parametrize("zone", ["America/New_York", "Asia/Tokyo"])
def test_time_of_a_kept_entry_is_told_in_the_zone_of_the_event(browser: Browser, shop: CutProxy, zone: str) -> None:
    """As every other time of the page, wherever the phone thinks it is."""
    (match,) = held(2)
    context = browser.new_context(base_url=shop.address, timezone_id=zone, has_touch=True)
    phone = context.new_page()
    phone.clock.set_fixed_time("2026-11-28T15:30:00Z")
    open_table(phone, match)
    shop.cut = "before"
    choose_and_send(phone)
    words = wait_for_box(phone)
    shop.cut = ""
    context.close()
    assert "15:30:00" in words


def test_the_page_that_wrote_an_entry_sends_it_once_it_hears_again(phone: Page, shop: CutProxy) -> None:
    match = held(2)[0]
    open_table(phone, match)
    shop.cut = "before"
    choose_and_send(phone)
    wait_for_box(phone)
    shop.cut = ""
    hear(phone)
    expect(phone.locator("#unsent .done")).to_contain_text(re.compile(r"Sent \d\d:\d\d: .* 2–1"))
    expect(phone.locator("#my-card")).to_contain_text("waiting for")
    assert kept(phone) == []
    assert reports(match) == [[2, 1]]


def test_what_was_written_before_the_match_changed_waits_for_a_press(phone: Page, shop: CutProxy) -> None:
    match, posts = changed_while_cut(phone, shop)
    assert "2–1" in wait_for_box(phone)
    assert (posts, reports(match)) == (0, [[0, 2]])


def test_without_the_look_at_the_match_an_old_entry_is_sent(phone: Page, shop: CutProxy) -> None:
    def without(route: Route) -> None:
        answer = route.fetch()
        route.fulfill(response=answer, body=answer.text().replace("state === seen()", "true"))

    phone.route("**/pending*.js", without)
    _match, posts = changed_while_cut(phone, shop)
    assert posts > 0


def test_a_note_goes_with_the_first_change_and_before_an_entry_that_is_not_stored(phone: Page, shop: CutProxy) -> None:
    match = held(2)[0]
    open_table(phone, match)
    choose_and_send(phone)
    note = phone.locator(".notices .notice.done")
    expect(note).to_contain_text("Sent.")
    hear(phone)
    expect(note).to_be_visible()
    other = match.seats.order_by("order").last()
    report_result(account(other.entry.name), match, score(2, 1), database_now(), seat=other)
    hear(phone)
    expect(note).to_have_count(0, timeout=5_000)
    expect(phone.locator("#my-card")).to_contain_text("final")


def test_the_kept_copy_is_the_last_state_seen(phone: Page, shop: CutProxy) -> None:
    match = held(2)[0]
    open_table(phone, match)
    phone.evaluate("navigator.serviceWorker.ready.then(() => true)")
    phone.reload()
    phone.wait_for_function("caches.keys().then(names => names.some(name => name.startsWith('pages:')))")
    other = match.seats.order_by("order").last()
    report_result(account(other.entry.name), match, score(0, 2), database_now(), seat=other)
    hear(phone)
    expect(phone.locator("#my-card")).to_contain_text("0–2")
    phone.context.set_offline(True)
    phone.reload()
    expect(phone.locator(".kept")).to_be_visible()
    expect(phone.locator("#my-card")).to_contain_text("0–2")
    phone.context.set_offline(False)


def test_without_the_keeping_an_entry_is_lost(phone: Page, shop: CutProxy) -> None:
    match = held(2)[0]
    phone.add_init_script(WITHOUT_KEEPING)
    open_table(phone, match)
    shop.cut = "before"
    choose_and_send(phone)
    phone.wait_for_timeout(300)
    shop.cut = ""
    phone.reload()
    assert kept(phone) == []
    assert reports(match) == []


def test_the_own_page_opens_without_a_connection_marked_and_for_its_owner_alone(phone: Page, shop: CutProxy) -> None:
    match = held(2)[0]
    open_table(phone, match)
    here = phone.url
    phone.evaluate("navigator.serviceWorker.ready.then(() => true)")
    phone.reload()
    assert not phone.locator(".kept").is_visible()
    phone.wait_for_function("caches.keys().then(names => names.some(name => name.startsWith('pages:')))")
    phone.context.set_offline(True)
    phone.reload()
    assert phone.locator(".kept").inner_text().startswith("No connection.")
    assert phone.locator("main .place .big").inner_text() == "1"
    choose_and_send(phone)
    assert "2–1" in wait_for_box(phone)
    phone.reload()
    assert "2–1" in wait_for_box(phone)
    phone.context.set_offline(False)
    phone.goto(here)
    assert not phone.locator(".kept").is_visible()
    assert reports(match) == []
    phone.locator("#unsent [data-send]").tap()
    wait_until_stored(phone)
    assert reports(match) == [[2, 1]]
    other = match.seats.order_by("order").last().entry.members.get().person
    phone.goto("about:blank")
    phone.goto(f"/p/{issue_personal_link(other, account('olive'), database_now())}/")
    kept_for = "caches.keys().then(names => names.filter(name => name.startsWith('pages:')).length)"
    assert phone.evaluate(kept_for) <= 1
    phone.goto("/p/unknown/")
    phone.context.set_offline(True)
    with pytest.raises(PlaywrightError):
        phone.goto(here)
    phone.context.set_offline(False)


def test_pages_of_others_are_not_kept(phone: Page, shop: CutProxy) -> None:
    match = held(2)[0]
    open_table(phone, match)
    here = phone.url
    phone.evaluate("navigator.serviceWorker.ready.then(() => true)")
    phone.reload()
    for rest in ("standings/", "pairings/", "my/drop/"):
        phone.goto(here.replace("my/", rest))
    kept_pages = """caches.keys().then(names => Promise.all(names.filter(name => name.startsWith('pages:')).map(name =>
        caches.open(name).then(cache => cache.keys()).then(found => found.map(each => new URL(each.url).pathname)))))"""
    assert all(path.endswith("/my/") for paths in phone.evaluate(kept_pages) for path in paths)

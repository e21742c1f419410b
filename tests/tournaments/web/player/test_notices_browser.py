"""News on the open page of the own match, in a real browser: by the title and, where asked for, by a sound."""

from collections.abc import Iterator
from datetime import timedelta

import pytest
from playwright.sync_api import Browser, Page, expect

from accounts.identity.services import issue_personal_link
from journal.clock import database_now
from tests.tournaments.factories import account, entry, running, score
from tournaments.models import Tournament
from tournaments.results.services.reports import report_result
from tournaments.room.services.calls import call_judge, claim_call
from tournaments.room.services.clocks import start_clock
from tournaments.rounds.services.rounds import pair_next_round, publish_round

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
HEARD = """() => {
    window.heard = 0;
    AudioContext.prototype.createOscillator = new Proxy(AudioContext.prototype.createOscillator, {
        apply: (call, self, given) => { window.heard += 1; return Reflect.apply(call, self, given); },
    });
}"""


@pytest.fixture
def tournament() -> Tournament:
    return running(4, round_minutes=50)


@pytest.fixture
def ada(browser: Browser, live_server, tournament: Tournament) -> Iterator[Page]:
    """Ada's phone, open on her match by plain HTTP under a name that is no loopback."""
    context = browser.new_context(viewport={"width": 360, "height": 640}, base_url=live_server.url)
    context.add_init_script(f"({HEARD})()")
    page = context.new_page()
    person = entry(tournament, "Ada").members.get().person
    page.goto(f"/p/{issue_personal_link(person, account('olive'), database_now())}/")
    page.goto(f"/e/{tournament.slug}/my/")
    yield page
    context.close()


def refresh(page: Page) -> None:
    page.evaluate("doomdesk.live.refresh()")


def test_pairing_dispute_and_judge_are_news_once(ada: Page, tournament: Tournament) -> None:
    olive, now, plain = account("olive"), database_now(), ada.title()
    ada.get_by_text("Notify me when I'm paired").click()
    ada.get_by_role("button", name="Play a sound too").click()
    assert ada.evaluate("window.heard") == 1
    expect(ada.get_by_text("After a reload, touch the page once")).to_be_visible()
    expect(ada.get_by_role("button", name="Stop notifications on this phone")).to_be_hidden()
    round_ = publish_round(olive, pair_next_round(olive, tournament, now, seed=1), now)
    match = entry(tournament, "Ada").seats.get().match
    refresh(ada)
    expect(ada).to_have_title(f"(1) Table {match.table_number}, round 1 · {plain}")
    assert ada.evaluate("window.heard") == 3
    for seat, won in zip(match.seats.order_by("order"), ((2, 0), (0, 2)), strict=True):
        match.refresh_from_db()
        report_result(olive, match, score(*won), now, seat=seat)
    refresh(ada)
    expect(ada).to_have_title(f"(2) Your result is disputed · {plain}")
    claim_call(olive, call_judge(olive, match, "rules", "", now), now)
    refresh(ada)
    expect(ada).to_have_title(f"(3) A judge is on the way · {plain}")
    ada.locator("h1").first.dispatch_event("pointerdown")
    expect(ada).to_have_title(plain)
    refresh(ada)
    ada.wait_for_timeout(300)
    assert ada.title() == plain
    assert ada.evaluate("window.heard") == 7
    assert round_.matches.count() == 2


def test_two_minutes_left_are_news_and_nothing_sounds_unasked(ada: Page, tournament: Tournament) -> None:
    olive, now, plain = account("olive"), database_now(), ada.title()
    round_ = publish_round(olive, pair_next_round(olive, tournament, now, seed=1), now)
    start_clock(olive, round_, now - timedelta(minutes=57, seconds=55))  # 10 for stacking, 50 to play
    ada.reload()
    expect(ada).to_have_title(f"(1) 2 minutes left · {plain}", timeout=15_000)
    assert ada.evaluate("window.heard") == 0

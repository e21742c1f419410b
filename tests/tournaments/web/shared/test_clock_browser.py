"""The clock and the screens in real browsers: wrong clocks, 300 long names, a network that goes away."""

import re
import time
from collections.abc import Callable, Iterator
from datetime import timedelta

import pytest
from django.test import Client
from playwright.sync_api import Browser, BrowserContext, Page

from journal.clock import database_now
from tests.tournaments.factories import account, draft
from tournaments.entries.services.entries import EntryDraft, register_walk_ins
from tournaments.events.services.events import create_tournament, open_registration, start_tournament
from tournaments.models import Announcement, Tournament
from tournaments.room.services.announcements import post_announcement
from tournaments.room.services.clocks import pause_clock, start_clock
from tournaments.rounds.services.rounds import pair_next_round, publish_round
from tournaments.web.live.page_cache import forget_pages

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
Screens = Callable[..., Page]
SKEWED = """(shift) => { const real = Date.now; Date.now = () => real.call(Date) + shift; }"""
LEFT = """() => {
    const [minutes, seconds] = document.querySelector('[data-clock-left]').textContent.split(':').map(Number);
    return minutes * 60 + seconds;
}"""
COUNTS = "() => /^\\d+:\\d\\d$/.test(document.querySelector('[data-clock-left]').textContent)"
IN_VIEW = """() => {
    const view = document.querySelector('.wall-screen:not([hidden])').getBoundingClientRect();
    return [...document.querySelectorAll('.wall-list > li')].filter(row => {
        const box = row.getBoundingClientRect();
        return box.left >= view.left - 1 && box.right <= view.right + 1 && box.bottom <= view.bottom + 1;
    }).map(row => row.querySelector('span').textContent);
}"""
SIZE = "() => parseFloat(getComputedStyle(document.querySelector('.wall-list span')).fontSize)"


@pytest.fixture
def screens(browser: Browser, live_server) -> Iterator[Screens]:
    """Opens a page on a screen of its own, whose clock may be wrong by some seconds."""
    contexts: list[BrowserContext] = []

    def open_screen(path: str, shift: int = 0, width: int = 1920, height: int = 1080) -> Page:
        context = browser.new_context(viewport={"width": width, "height": height}, base_url=live_server.url)
        contexts.append(context)
        context.add_init_script(f"({SKEWED})({shift * 1000})")
        page = context.new_page()
        page.goto(path)
        return page

    yield open_screen
    for context in contexts:
        context.close()


def played(names: list[str]) -> Tournament:
    """An event in its first round, whose clock waits."""
    olive, now = account("olive"), database_now()
    made = create_tournament(olive, draft(game="dead_or_destroyed", starts_at=now, round_minutes=50), now)
    tournament = open_registration(olive, made, now)
    register_walk_ins(olive, tournament, [EntryDraft(name) for name in names], now)
    tournament = start_tournament(olive, tournament, now)
    publish_round(olive, pair_next_round(olive, tournament, now, seed=1), now)
    return tournament


def test_two_screens_with_wrong_clocks_differ_by_less_than_a_second(screens: Screens) -> None:
    tournament = played(["Ada", "Ben"])
    round_, started = tournament.stages.get().rounds.get(), database_now() - timedelta(minutes=7)
    start_clock(account("olive"), round_, started)
    early, late = (screens(f"/e/{tournament.slug}/pairings/", shift) for shift in (-3 * 3600, 11 * 60))
    for page in (early, late):
        page.wait_for_function(COUNTS)
        page.evaluate("doomdesk.askClock()")  # after the first answers, of which the fastest counts
    for _look in range(5):
        truth = 43 * 60 - (database_now() - started - timedelta(minutes=7)).total_seconds()
        seen = [page.evaluate(LEFT) for page in (early, late)]
        after = 43 * 60 - (database_now() - started - timedelta(minutes=7)).total_seconds()
        assert all(after - 1 <= left <= truth + 1.5 for left in seen), (after, seen, truth)
        assert abs(seen[0] - seen[1]) <= 1
        early.wait_for_timeout(430)


def test_a_pause_holds_every_screen_and_nothing_jumps_back(screens: Screens) -> None:
    tournament = played(["Ada", "Ben"])
    round_ = tournament.stages.get().rounds.get()
    start_clock(account("olive"), round_, database_now() - timedelta(minutes=7))
    page = screens(f"/e/{tournament.slug}/wall/clock/", 40 * 60)
    page.wait_for_function(COUNTS)
    seen, end = [], time.monotonic() + 20
    while len(seen) < 12 or (seen[0] == seen[-1] and time.monotonic() < end):  # a busy machine draws late
        seen.append(page.evaluate(LEFT))
        page.wait_for_timeout(200)
    assert seen == sorted(seen, reverse=True)
    assert seen[0] > seen[-1]
    pause_clock(account("olive"), round_, database_now())
    page.evaluate("doomdesk.askClock()")
    page.wait_for_selector('[data-clock][data-state="paused"]', state="attached")
    held = page.evaluate(LEFT)
    page.wait_for_timeout(1300)
    assert page.evaluate(LEFT) == held


@pytest.mark.parametrize(
    ("width", "height", "least"), [(1920, 1080, 54), (3840, 2160, 108), (1280, 720, 36), (1080, 1920, 54)]
)
def test_names_are_large_on_every_screen(screens: Screens, width: int, height: int, least: int) -> None:
    tournament = played(["Ada", "Ben", "Cem"])
    for kind in ("pairings", "tables", "standings"):
        page = screens(f"/e/{tournament.slug}/wall/{kind}/", width=width, height=height)
        assert page.evaluate(SIZE) >= least
        assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0


def test_paging_shows_each_of_300_long_names_once(screens: Screens) -> None:
    names = [
        f"{chr(65 + number % 26)}olfeschlegelsteinhausenbergerdorff-{number:03}, Maximiliane" for number in range(299)
    ]
    tournament = played([*names, "Z " + "Friederike von Hohenstein-Ravensburg zu Oberkirchen " * 2])
    page = screens(f"/e/{tournament.slug}/wall/?show=pairings&seconds=120")
    page.wait_for_function("() => /page 1 of \\d+/.test(document.querySelector('[data-wall-says]').textContent)")
    pages = int(re.search(r"page 1 of (\d+)", page.inner_text("[data-wall-says]"))[1])
    found = []
    for _page in range(pages):
        found.append(page.evaluate(IN_VIEW))
        page.keyboard.press("ArrowRight")
    shown = [name for each in found for name in each]
    assert (len(shown), len(set(shown))) == (300, 300)
    assert all(found)
    assert "page 1 of" in page.inner_text("[data-wall-says]")


CLIPPED = """() => [...document.querySelectorAll('.wall-head h1, .wall-head h1 *')].some(
    each => each.scrollWidth > each.clientWidth + 1 && getComputedStyle(each).display !== 'inline'
        || each.getBoundingClientRect().right > innerWidth)"""


def test_every_screen_says_the_round_whatever_the_event_is_called(screens: Screens) -> None:
    tournament = played(["Ada", "Ben"])
    name = "The Great Autumn Doom Championship of the Northern Harbour Towns and Villages 2026"
    Tournament.objects.update(name=name[:80])
    start_clock(account("olive"), tournament.stages.get().rounds.get(), database_now())
    for kind in ("pairings", "tables", "standings", "clock"):
        page = screens(f"/e/{tournament.slug}/wall/{kind}/")
        heading = page.inner_text("h1")
        assert heading.startswith("Round 1"), kind
        assert not page.evaluate(CLIPPED)


def test_an_urgent_announcement_covers_the_screen_for_20_seconds_and_then_stands_above_the_list(
    screens: Screens,
) -> None:
    tournament = played(["Ada", "Ben"])
    post_announcement(account("olive"), tournament, "Leave the hall by the north door", database_now(), is_urgent=True)
    covered = "() => { const box = document.querySelector('.wall-news > .urgent').getBoundingClientRect();"
    covered += " return box.height >= innerHeight - 1; }"
    page = screens(f"/e/{tournament.slug}/wall/pairings/")
    assert page.evaluate(covered)
    Announcement.objects.update(posted_at=database_now() - timedelta(seconds=21))
    forget_pages()
    later = screens(f"/e/{tournament.slug}/wall/pairings/")
    assert not later.evaluate(covered)
    band = later.locator(".wall-news > .urgent").bounding_box()
    rows = later.locator(".wall-list > li").first.bounding_box()
    assert band is not None
    assert rows is not None
    assert 60 <= band["height"] <= 300
    assert band["y"] + band["height"] <= rows["y"]


def test_a_screen_says_that_it_is_old_and_comes_back_by_itself(screens: Screens) -> None:
    tournament = played(["Ada", "Ben"])
    page = screens(f"/e/{tournament.slug}/wall/pairings/")
    page.wait_for_timeout(500)
    page.context.set_offline(True)
    page.evaluate("() => { const real = Date.now; Date.now = () => real.call(Date) + 31_000; }")
    page.evaluate("dispatchEvent(new Event('online'))")
    page.wait_for_selector(".age [data-old].wait", timeout=20_000)
    assert "old" in page.inner_text(".age")
    assert re.search(r"as of \d\d:\d\d:\d\d", page.inner_text(".age"))
    assert "Ada" in page.inner_text(".wall-list")
    page.context.set_offline(False)
    page.wait_for_function("() => !document.querySelector('.age [data-old].wait')", timeout=20_000)


def test_nothing_moves_when_the_clock_begins_to_count() -> None:
    """The server writes minutes and seconds, as wide as what the script shows a moment later."""
    tournament = played(["Ada", "Ben"])
    round_ = tournament.stages.get().rounds.get()
    start_clock(account("olive"), round_, database_now() - timedelta(minutes=7))
    for path in ("pairings/", "wall/clock/"):
        html = Client().get(f"/e/{tournament.slug}/{path}").content.decode()
        assert re.search(r"data-clock-left>4[23]:\d\d<", html), path

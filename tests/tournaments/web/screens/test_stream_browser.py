"""Overlays of a stream in a real browser: nothing behind them, and as far behind as the stream."""

import pytest
from playwright.sync_api import Browser

from journal.clock import database_now
from tests.tournaments.factories import account, draft
from tournaments.entries.services.entries import EntryDraft, register_walk_ins
from tournaments.events.services.events import create_tournament, open_registration, start_tournament
from tournaments.rounds.services.rounds import pair_next_round, publish_round

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
BACKGROUNDS = """() => ["html", "body", "main", ".stream-stage"].map(
    (each) => getComputedStyle(document.querySelector(each)).backgroundColor)"""


def played():
    """An event in its first round."""
    olive, now = account("olive"), database_now()
    made = create_tournament(olive, draft(starts_at=now), now)
    tournament = open_registration(olive, made, now)
    register_walk_ins(olive, tournament, [EntryDraft("Ada"), EntryDraft("Ben")], now)
    tournament = start_tournament(olive, tournament, now)
    publish_round(olive, pair_next_round(olive, tournament, now, seed=1), now)
    return tournament


def test_nothing_is_behind_the_boxes_and_all_of_them_fit(browser: Browser, live_server) -> None:
    context = browser.new_context(viewport={"width": 1920, "height": 1080}, base_url=live_server.url)
    try:
        page = context.new_page()
        page.goto(f"/e/{played().slug}/stream/")
        assert set(page.evaluate(BACKGROUNDS)) == {"rgba(0, 0, 0, 0)"}
        for box in page.locator(".stream-side, .stream-clock").all():
            seen = box.bounding_box()
            assert min(seen["x"], seen["y"]) >= 0
            assert seen["x"] + seen["width"] <= 1920
            assert seen["y"] + seen["height"] <= 1080
    finally:
        context.close()


def test_what_comes_is_held_for_the_delay(browser: Browser, live_server) -> None:
    context = browser.new_context(base_url=live_server.url)
    try:
        page = context.new_page()
        page.clock.install()
        page.goto(f"/e/{played().slug}/stream/?delay=600")
        page.clock.run_for(590_000)
        assert page.locator(".stream-side").count() == 0
        page.clock.run_for(20_000)
        assert sorted(page.locator(".stream-name").all_inner_texts()) == ["Ada", "Ben"]
        assert page.locator(".stream-stage [data-clock]").get_attribute("data-behind") == "600"
    finally:
        context.close()

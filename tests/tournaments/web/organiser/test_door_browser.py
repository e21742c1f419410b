"""What makes the door quick, in a real browser: links handed out in a queue by keys; the time zone of the browser."""

from collections.abc import Iterator

import pytest
from django.conf import settings
from playwright.sync_api import Browser, Page, expect

from tests.tournaments.factories import account, event
from tests.tournaments.web.visitors import browser as signed_in

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def laptop(browser: Browser, live_server) -> Iterator[Page]:
    """Olive's laptop in Vienna."""
    cookie = signed_in(account("olive")).cookies[settings.SESSION_COOKIE_NAME].value
    context = browser.new_context(
        viewport={"width": 1280, "height": 800}, base_url=live_server.url, timezone_id="Europe/Vienna"
    )
    context.add_cookies([{"name": settings.SESSION_COOKIE_NAME, "value": cookie, "url": live_server.url}])
    yield context.new_page()
    context.close()


def test_links_for_sixteen_are_three_presses_and_a_queue_takes_a_key_each(laptop: Page) -> None:
    held = event(16)
    laptop.goto(f"/e/{held.slug}/manage/")
    laptop.get_by_role("link", name="Create links").click()
    laptop.get_by_role("button", name="Links for 16 players").click()
    slips = laptop.locator(".link-slip")
    assert slips.count() == 16
    assert all(slips.nth(place).is_visible() for place in range(16))
    laptop.get_by_role("link", name="Show one after another").click()
    for key, shown in (("ArrowRight", 2), (" ", 3), ("ArrowLeft", 2)):
        laptop.keyboard.press(key)
        expect(laptop.locator(".link-slip:target .turn span")).to_have_text(f"{shown} / 16")
    box = laptop.locator(".link-slip:target").bounding_box()
    assert (box["width"], box["height"]) == (1280, 800)
    laptop.keyboard.press("Escape")
    expect(laptop.locator(".link-slip:target")).to_have_count(0)


def test_the_first_event_starts_in_the_zone_of_the_browser_and_a_city_will_do(laptop: Page) -> None:
    laptop.goto("/new/")
    zone = laptop.get_by_label("Time zone")
    expect(zone).to_have_value("Europe/Vienna")
    laptop.get_by_label("Name", exact=True).fill("Autumn Doom Cup")
    zone.fill("tokyo")
    laptop.get_by_role("button", name="Create event").click()
    expect(laptop.locator("main")).to_contain_text("(Asia/Tokyo)")
    laptop.goto("/new/")
    expect(laptop.get_by_label("Time zone")).to_have_value("Asia/Tokyo")

"""What makes the door quick, in a real browser: links in a queue by keys, the browser's time zone, folded fields."""

import re
from collections.abc import Iterator

import pytest
from django.conf import settings
from playwright.sync_api import Browser, Page, expect

from accounts.models import Person
from tests.tournaments.factories import account, event
from tests.tournaments.web.visitors import browser as signed_in

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
A4 = 703
"""What the margins leave of its width, in CSS pixels."""
LONG = "Maximiliane Auguste Wilhelmine von Hohenstein-Ravensburg zu Lichtenfels"
STICKING_OUT = """() => [...document.querySelectorAll('.link-slip')].filter(slip => {
  const [box, parts] = [slip.getBoundingClientRect(), [...slip.children].map(part => part.getBoundingClientRect())];
  return parts.some(part => part.height && (part.top < box.top || part.bottom > box.bottom));
}).map(slip => slip.innerText)"""


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
    expect(slips).to_have_count(16)
    assert all(slips.nth(place).is_visible() for place in range(16))
    laptop.get_by_role("link", name="Show one after another").click()
    for key, shown in (("ArrowRight", 2), (" ", 3), ("ArrowLeft", 2)):
        laptop.keyboard.press(key)
        expect(laptop.locator(".link-slip:target .turn span")).to_have_text(f"{shown} / 16")
    box = laptop.locator(".link-slip:target").bounding_box()
    assert (box["width"], box["height"]) == (1280, 800)
    laptop.keyboard.press("Escape")
    expect(laptop.locator(".link-slip:target")).to_have_count(0)


def test_printed_link_slips_hold_a_long_name(laptop: Page) -> None:
    held = event(4, name=f"The cup of {LONG}")
    Person.objects.filter(memberships__tournament=held).update(name=LONG)
    laptop.goto(f"/e/{held.slug}/manage/entries/#links")
    laptop.get_by_role("button", name="Links for 4 players").click()
    expect(laptop.locator(".link-slip")).to_have_count(4)
    laptop.set_viewport_size({"width": A4, "height": 1000})
    laptop.emulate_media(media="print")
    assert laptop.evaluate(STICKING_OUT) == []


def test_the_first_event_starts_in_the_zone_of_the_browser_and_a_city_will_do(laptop: Page) -> None:
    laptop.goto("/new/")
    zone = laptop.get_by_label("Time zone")
    expect(zone).to_have_value("Europe/Vienna")
    laptop.get_by_label("Name", exact=True).fill("Autumn Doom Cup")
    where = laptop.locator("summary", has_text="Place and visibility")
    expect(where).to_contain_text("Time zone Europe/Vienna")
    where.click()
    zone.fill("UTC")
    zone.blur()
    expect(where).to_contain_text("Time zone UTC")
    zone.fill("tokyo")
    laptop.get_by_role("button", name="Create event").click()
    expect(laptop.locator("main")).to_contain_text("(Asia/Tokyo)")
    laptop.goto("/new/")
    expect(laptop.get_by_label("Time zone")).to_have_value("Asia/Tokyo")


def test_summaries_of_folds_follow_what_is_typed_and_a_refused_field_is_shown(laptop: Page) -> None:
    laptop.goto("/new/")
    laptop.get_by_label("Name", exact=True).fill("Autumn Doom Cup")
    match, entries = (
        laptop.locator("summary", has_text=title) for title in ("Match and clock", "Entries and check-in")
    )
    match.click()
    laptop.get_by_label("best of 1").check()
    laptop.get_by_label("Round length (minutes)").fill("")
    match.click()
    expect(match).to_contain_text("Match length best of 1 Round length (minutes) 80")
    entries.click()
    limit = laptop.get_by_label("Player limit")
    laptop.get_by_label("Players check in before the start").check()
    limit.fill("1")
    entries.click()
    expect(entries).to_contain_text("Player limit 1 Players check in before the start")
    laptop.get_by_role("button", name="Create event").click()
    expect(limit).to_be_focused()
    limit.fill("32")
    laptop.get_by_role("button", name="Create event").click()
    expect(laptop).to_have_url(re.compile("/manage/"))

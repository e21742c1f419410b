"""What a player does now is above the fold of a small phone: the first score or button, whatever else the page says."""

import pytest
from playwright.sync_api import Browser

from tests.page_audits.site import Site
from tests.page_audits.test_keyboard import window_of

pytestmark = pytest.mark.browser
SMALL = (360, 640)
FIRST = "main .scores label, main .first, main .next .button"
BOTTOM = """first => Math.min(...[...document.querySelectorAll(first)].filter(node => node.checkVisibility())
  .map(node => node.getBoundingClientRect().bottom))"""


@pytest.mark.parametrize("language", ["en", "de", "fr"])
def test_first_score_of_my_match_is_above_the_fold(site: Site, browser: Browser, language: str) -> None:
    context = window_of(site, browser, "player6", SMALL)
    context.add_cookies([{"name": "django_language", "value": language, "url": site.address}])
    tab = context.new_page()
    tab.goto("/e/{room}/my/".format_map(site.values))
    assert tab.locator("html").get_attribute("lang") == language
    assert tab.locator("main .scores label").first.is_visible()
    bottom = tab.evaluate("document.querySelector('main .scores label').getBoundingClientRect().bottom")
    assert bottom <= SMALL[1], bottom
    assert tab.evaluate(BOTTOM, FIRST) <= SMALL[1]
    context.close()


def test_two_announcements_are_one_line_on_a_phone_and_unfold_by_key(site: Site, browser: Browser) -> None:
    context = window_of(site, browser, "player6", SMALL)
    tab = context.new_page()
    tab.goto("/e/{room}/my/".format_map(site.values))
    urgent, other = tab.locator("#told p").all()
    fold = tab.locator("#told summary")
    assert fold.inner_text().split("\n")[0] == "Round 4 begins ten minutes late."
    assert tab.locator("#told").evaluate("node => node.getBoundingClientRect().height") <= 56
    assert not urgent.is_visible()
    dock = tab.locator("main .first").first.bounding_box()
    seen = [label.bounding_box() for label in tab.locator("main .scores label").all()[:4]]
    assert dock
    assert all(box and box["y"] + box["height"] <= dock["y"] for box in seen), (dock, seen)
    fold.press("Enter")
    assert urgent.is_visible()
    assert other.is_visible()
    context.close()
    context = window_of(site, browser, "player6", (1280, 800))
    tab = context.new_page()
    tab.goto("/e/{room}/my/".format_map(site.values))
    assert all(each.is_visible() for each in tab.locator("#told p").all())
    assert not tab.locator("#told summary").is_visible()
    dock = tab.locator("main .first").first.bounding_box()
    seen = [label.bounding_box() for label in tab.locator("main .scores label").all()]
    assert dock
    assert all(box and box["y"] + box["height"] <= dock["y"] for box in seen), (dock, seen)
    context.close()


@pytest.mark.parametrize("who", ["opponent3", "player5"])
def test_act_of_every_other_moment_is_above_the_fold(site: Site, browser: Browser, who: str) -> None:
    context = window_of(site, browser, who, SMALL)
    tab = context.new_page()
    tab.goto("/e/{room}/my/".format_map(site.values))
    assert tab.evaluate(BOTTOM, FIRST) <= SMALL[1]
    context.close()


@pytest.mark.parametrize("language", ["en", "de", "fr"])
@pytest.mark.parametrize(
    ("who", "rests"),
    [("player6", ("my/", "standings/")), ("juno", ("floor/",)), ("kit", ("desk/",)), ("olive", ("manage/entries/",))],
)
def test_header_on_a_phone_is_one_line(
    site: Site, browser: Browser, who: str, rests: tuple[str, ...], language: str
) -> None:
    context = window_of(site, browser, who, SMALL)
    context.add_cookies([{"name": "django_language", "value": language, "url": site.address}])
    tab = context.new_page()
    for rest in rests:
        tab.goto("/e/{room}/".format_map(site.values) + rest)
        assert tab.locator(".bar").evaluate("node => node.getBoundingClientRect().height") <= 60
        assert tab.locator("[data-age]:visible").count() == 1
        tab.locator(".on-phone > summary").click()
        assert tab.locator(".on-phone [aria-current]").is_visible()
        inside = tab.locator(".on-phone > div").bounding_box()
        assert inside
        assert inside["x"] >= 0
        assert inside["x"] + inside["width"] <= SMALL[0]
        tab.keyboard.press("Escape")
    context.close()

"""Lists and acts in the hand and at the desk: compact lines, whole words, nothing asked that does not apply."""

import pytest
from playwright.sync_api import Browser, Page

from tests.page_audits.site import Site
from tests.page_audits.test_keyboard import LAPTOP, window_of

pytestmark = pytest.mark.browser
SMALL = (360, 640)
HEIGHTS = "nodes => nodes.filter(node => node.checkVisibility()).map(node => node.getBoundingClientRect().height)"
SIZES = "nodes => nodes.map(node => parseFloat(getComputedStyle(node).fontSize))"
TOP = "node => node.getBoundingClientRect().top"
BOTTOM = "node => node.getBoundingClientRect().bottom"


def heights(tab: Page, lines: str) -> list[float]:
    found: list[float] = tab.locator(lines).evaluate_all(HEIGHTS)
    assert found, lines
    return found


@pytest.mark.parametrize("language", ["en", "de", "fr"])
@pytest.mark.parametrize("scripts", [True, False])
def test_verdict_on_a_deck_stays_in_sight_on_a_phone(
    site: Site, browser: Browser, language: str, *, scripts: bool
) -> None:
    context = browser.new_context(
        viewport={"width": 360, "height": 640}, base_url=site.address, java_script_enabled=scripts
    )
    context.add_cookies([*site.cookies("olive"), {"name": "django_language", "value": language, "url": site.address}])
    tab = context.new_page()
    tab.goto("/decks/{deck}/".format_map(site.values))
    line = tab.locator("#verdict-now")
    box = line.bounding_box()
    assert box
    assert box["y"] + box["height"] <= SMALL[1]
    assert 44 <= box["height"] <= 52, "a line for a finger, its words in small"
    tab.locator("button[value=save]").scroll_into_view_if_needed()
    box = line.bounding_box()
    assert box
    assert box["y"] >= 0
    context.close()


def test_verdict_in_sight_follows_what_is_typed(site: Site, browser: Browser) -> None:
    context = window_of(site, browser, "olive", SMALL)
    tab = context.new_page()
    tab.goto("/decks/{deck}/".format_map(site.values))
    assert "Not legal" in tab.locator("#verdict-now").inner_text()
    tab.locator("#id_text").fill("2 Ash Legder")
    tab.locator("#verdict-now", has_text="1 line was not understood").wait_for()
    context.close()


def test_lines_of_the_deck_editor_are_36_px_with_a_fine_pointer(site: Site, browser: Browser) -> None:
    context = window_of(site, browser, "olive", LAPTOP)
    tab = context.new_page()
    tab.goto("/decks/{deck}/".format_map(site.values))
    for lines in ("#cards .offers > li", ".violations ul > li", ".changes > li"):
        assert max(heights(tab, lines)) <= 36, lines
    assert not tab.locator("#verdict-now").is_visible()
    context.close()


@pytest.mark.parametrize("language", ["en", "de", "fr"])
def test_moves_on_a_board_are_large_and_reached_at_once(site: Site, browser: Browser, language: str) -> None:
    context = window_of(site, browser, "board", SMALL)
    context.add_cookies([{"name": "django_language", "value": language, "url": site.address}])
    tab = context.new_page()
    tab.goto("/scores/doomtrooper/{doomtrooper_board}/".format_map(site.values))
    buttons = ".quick-acts button"
    assert min(tab.locator(buttons).evaluate_all(SIZES)) >= 15
    assert min(heights(tab, buttons)) >= 44
    assert max(heights(tab, buttons)) <= 68, "a name of forty letters has three lines at most"
    assert tab.locator(buttons).first.evaluate(BOTTOM) <= SMALL[1]
    context.close()


def test_table_paired_by_hand_is_a_block_of_96_px_on_a_phone(site: Site, browser: Browser) -> None:
    context = window_of(site, browser, "olive", SMALL)
    tab = context.new_page()
    tab.goto("/e/{paired}/manage/rounds/{paired_round}/tables/".format_map(site.values))
    assert max(heights(tab, ".seated tbody tr")) <= 96
    assert min(heights(tab, ".seated tbody a")) >= 44, "for a finger"
    context.close()


def test_player_of_a_league_is_one_line_on_a_phone_with_the_rest_on_demand(site: Site, browser: Browser) -> None:
    context = window_of(site, browser, "olive", SMALL)
    tab = context.new_page()
    tab.goto("/l/{league}/".format_map(site.values))
    assert max(heights(tab, ".ranks tbody tr")) <= 52
    tab.locator("details.values > summary").click()
    assert tab.locator(".ranks tbody details").first.is_visible()
    context.close()


def test_acts_of_a_step_are_as_wide_as_each_other_on_a_phone(site: Site, browser: Browser) -> None:
    context = window_of(site, browser, "olive", SMALL)
    tab = context.new_page()
    tab.goto("/e/{room}/manage/decks/".format_map(site.values))
    acts = tab.locator(".next .row :is(button, .button)")
    widths = acts.evaluate_all("nodes => nodes.map(node => Math.round(node.getBoundingClientRect().width))")
    assert len(widths) > 1
    assert len(set(widths)) == 1
    context.close()


def test_swiss_rounds_are_asked_for_below_a_structure_that_has_them(site: Site, browser: Browser) -> None:
    context = window_of(site, browser, "olive", LAPTOP)
    tab = context.new_page()
    tab.goto("/new/")
    rounds = tab.locator("[name=swiss_rounds]")
    for structure, is_asked in (("top-4", True), ("single", False), ("round_robin", False), ("double", False)):
        choice = tab.locator(f"[name=structure][value={structure}]")
        choice.check(force=True)
        assert rounds.is_visible() == is_asked, structure
        if is_asked:
            assert rounds.evaluate(TOP) > choice.evaluate(BOTTOM)
    context.close()

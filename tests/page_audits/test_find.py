"""The command box: any player's record in two acts from any page of the staff, by keys, beside those of the desk."""

import pytest
from playwright.sync_api import Browser, expect

from tests.page_audits.site import Site
from tests.page_audits.test_keyboard import LAPTOP, window_of

pytestmark = pytest.mark.browser
FOCUSED = "document.activeElement.name || document.activeElement.textContent.trim()"


def test_any_record_is_two_acts_away_and_the_focus_comes_back(site: Site, browser: Browser) -> None:
    context = window_of(site, browser, "kit", LAPTOP)
    tab = context.new_page()
    box, room = tab.locator("#find-box"), "/e/{room}/".format_map(site.values)
    for rest, name, number in (("manage/", "Nora", 14), ("standings/", "øverl", 11), ("desk/", "ščer", 16)):
        tab.goto(room + rest)
        tab.keyboard.press("Control+k")
        tab.keyboard.type(name)
        tab.keyboard.press("Enter")
        tab.wait_for_url(f"**{room}player/{number}/")
    tab.goto(room + "manage/")
    tab.keyboard.press("/")
    expect(box).to_be_visible()
    tab.keyboard.type("pr")
    expect(box.locator("[role=status]")).to_have_text("4 found")
    tab.keyboard.press("ArrowDown")
    tab.keyboard.press("ArrowDown")
    assert tab.evaluate("document.activeElement.matches('#find-box .hits a')")
    tab.keyboard.type("i")
    assert tab.evaluate("document.activeElement.value") == "pri"
    tab.keyboard.press("Escape")
    expect(box).to_be_hidden()
    tab.locator(".rail a", has_text="Find").click()
    expect(box).to_be_visible()
    context.close()


def test_box_leaves_the_keys_of_the_desk_alone(site: Site, browser: Browser) -> None:
    context = window_of(site, browser, "kit", LAPTOP)
    tab = context.new_page()
    tab.goto("/e/{room}/desk/".format_map(site.values))
    tab.wait_for_selector("#entry[data-ready]")
    box = tab.locator("#find-box")
    tab.keyboard.press("/")
    assert tab.evaluate("document.activeElement.id") == "q"
    tab.keyboard.press("Escape")
    tab.keyboard.type("6")
    tab.keyboard.press("Enter")
    tab.keyboard.press("Control+k")
    expect(box).to_be_visible()
    tab.keyboard.type("12/3")
    tab.keyboard.press("ArrowDown")
    tab.keyboard.press("Escape")
    expect(box).to_be_hidden()
    assert (tab.evaluate(FOCUSED), tab.input_value("[name=table]"), tab.input_value("[name=result]")) == (
        "result",
        "6",
        "",
    )
    tab.keyboard.type("/")
    assert not box.is_visible()
    context.close()

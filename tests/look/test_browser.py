"""What a browser measures on the page of all parts: nothing wider than the screen, targets for fingers, paper."""

import subprocess
import sys
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from tests.look.page_of_parts import write

ROOT = Path(__file__).resolve().parents[2]
pytestmark = pytest.mark.browser
TARGETS = "button, .button, input, select, textarea, nav a, .choice, .segments label, .scores label, summary"
SMALL_TARGETS = """targets => [...document.querySelectorAll(targets)]
    .filter(node => !['checkbox', 'radio'].includes(node.type) && node.checkVisibility())
    .filter(node => { const box = node.getBoundingClientRect(); return box.height < 43.5 || box.width < 43.5 })
    .map(node => node.outerHTML.slice(0, 90))"""


@pytest.fixture(scope="module")
def page_of_parts(tmp_path_factory: pytest.TempPathFactory) -> str:
    return write(tmp_path_factory.mktemp("look")).as_uri()


def test_the_page_is_written_by_a_command(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "tests.look.page_of_parts", str(tmp_path)]
    subprocess.run(command, cwd=ROOT, check=True, timeout=120)
    assert "The look of Doomdesk" in (tmp_path / "parts.html").read_text()
    assert (tmp_path / "static" / "parts.css").exists()


def opened(browser: Browser, address: str, width: int, scheme: str = "light") -> Page:
    page = browser.new_page(viewport={"width": width, "height": 844}, color_scheme=scheme, has_touch=width < 500)
    page.goto(address)
    return page


@pytest.mark.sampled(5)
@pytest.mark.parametrize("width", [320, 390, 768, 1280, 1920])
@pytest.mark.parametrize("direction", ["ltr", "rtl"])
def test_nothing_is_wider_than_the_screen(browser: Browser, page_of_parts: str, width: int, direction: str) -> None:
    page = opened(browser, page_of_parts, width)
    page.evaluate("direction => document.documentElement.dir = direction", direction)
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0


@pytest.mark.parametrize("look", ["name", "soft"])
def test_a_line_of_a_list_breaks_a_long_name(browser: Browser, page_of_parts: str, look: str) -> None:
    page = opened(browser, page_of_parts, 390)
    line = f'<ul class="list"><li><span class="name">Ada</span><span class="{look}">{"Llanfair" * 10}</span></li></ul>'
    page.evaluate("line => document.querySelector('main').insertAdjacentHTML('beforeend', line)", line)
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0


def test_targets_on_a_phone_are_44_pixels(browser: Browser, page_of_parts: str) -> None:
    page = opened(browser, page_of_parts, 390)
    assert page.evaluate(SMALL_TARGETS, TARGETS) == []


def test_themes_come_from_the_same_variables(browser: Browser, page_of_parts: str) -> None:
    grounds = {}
    for scheme in ("light", "dark"):
        page = opened(browser, page_of_parts, 390, scheme)
        grounds[scheme] = page.evaluate("getComputedStyle(document.documentElement).backgroundColor")
    assert grounds == {"light": "rgb(251, 250, 247)", "dark": "rgb(19, 20, 23)"}


def test_notice_closes_by_keyboard_without_scripts(browser: Browser, page_of_parts: str) -> None:
    page = opened(browser, page_of_parts, 390)
    page.locator(".dismiss input").first.press("Space")
    assert not page.locator("#notices .notice").first.is_visible()
    assert page.locator("script").count() == 0


def test_skip_link_appears_first_and_leads_to_the_content(browser: Browser, page_of_parts: str) -> None:
    page = opened(browser, page_of_parts, 390)
    page.keyboard.press("Tab")
    assert page.locator(".skip").bounding_box()["y"] >= 0
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "main"


def test_print_leaves_out_what_paper_cannot_use(browser: Browser, page_of_parts: str) -> None:
    page = opened(browser, page_of_parts, 1280, "dark")
    page.emulate_media(media="print", color_scheme="dark")
    kept = page.locator(".bar > *:visible").evaluate_all("found => found.map(each => each.className)")
    assert set(kept) <= {"crumbs"}
    assert page.locator(".bar nav:visible, button:visible").count() == 0
    assert page.evaluate("getComputedStyle(document.documentElement).backgroundColor") == "rgb(255, 255, 255)"
    assert page.evaluate("getComputedStyle(document.querySelector('h1')).color") == "rgb(0, 0, 0)"

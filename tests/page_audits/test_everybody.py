"""Every page for everybody: axe's rules in both themes, 44 px targets, nothing sticks out on a phone, one frame."""

from collections.abc import Callable
from http.client import HTTPConnection
from itertools import groupby
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Error

from launch.places import ROOT
from tests.page_audits.conftest import Drawn
from tests.page_audits.measures import ALL, axe_faults, frame_faults, small_targets, sticking_out
from tests.page_audits.pages import NOT_LOOKED_AT, SIZES, all_pages
from tests.page_audits.site import Site

pytestmark = pytest.mark.browser
TEMPLATES = ROOT / "templates"
PHONE = {"width": 390, "height": 844}
FRAMELESS = ("wall", "print")
"""Audiences whose pages have no bar, or nobody's finger on them."""
PAGES_BY_ITSELF = "meta-refresh"
"""What axe calls a page that goes on after a while: a screen without scripts shows all its lines no other way."""


@pytest.mark.sampled(3)
@pytest.mark.parametrize("audience", SIZES)
def test_every_page_serves_everybody(
    site: Site, browser: Browser, audience: str, seed: int, drawn: Drawn, many: Callable[[bool, bool], bool]
) -> None:
    """A share of the pages in one theme; `--long`: all, in both. Colours of every page are computed in tests/look."""
    thorough = many(True, False)
    pages = drawn(list(enumerate(page for page in all_pages() if page.audience == audience)), 6)
    faults: list[str] = []
    for who, own in groupby(sorted(pages, key=lambda pair: pair[1].who), key=lambda pair: pair[1].who):
        width, height = SIZES[audience]
        context = browser.new_context(
            viewport={"width": width, "height": height}, has_touch=True, base_url=site.address, locale="en-GB"
        )
        context.add_cookies(site.cookies(who))
        tab = context.new_page()
        for number, page in own:
            themes = ("light", "dark") if (number + seed // 6) % 2 else ("dark", "light")
            tab.set_viewport_size({"width": width, "height": height})
            tab.emulate_media(color_scheme=themes[0])
            try:
                page.show(tab, site.values)
            except Error as error:
                faults.append(f"{page.path} ({page.who or 'visitor'}): {str(error).splitlines()[0]}")
                continue
            found = axe_faults(tab, ALL)
            if thorough:
                tab.emulate_media(color_scheme=themes[1])
                found += axe_faults(tab, ALL)
            if audience == "wall":
                found = [each for each in found if not each.startswith(PAGES_BY_ITSELF)]
            if audience not in FRAMELESS:
                found += frame_faults(tab)
                tab.set_viewport_size(PHONE)
                found += small_targets(tab) + sticking_out(tab)
            faults += [f"{page.path} ({page.who or 'visitor'}): {fault}" for fault in dict.fromkeys(found)]
        context.close()
    assert not faults, "\n".join(faults)


def test_every_page_opens_as_itself_and_every_template_is_on_one(site: Site, browser: Browser, drawn: Drawn) -> None:
    """What leads elsewhere is looked at by nobody, nor is a template on none; `--quick` has not seen all templates."""
    elsewhere, pages = [], drawn(list(all_pages()), 1)
    for page in pages:
        cookies = "; ".join(f"{each['name']}={each['value']}" for each in site.cookies(page.who))
        address = page.address(site.values)
        connection = HTTPConnection(urlsplit(site.address).netloc, timeout=60)
        connection.request("GET", address, headers={"Cookie": cookies})
        answer = connection.getresponse()
        connection.close()
        if answer.status != page.status:
            told = f"{answer.status} {answer.headers.get('Location', '')}"
            elsewhere.append(f"{page.path} ({page.who or 'visitor'}): {told}")
    assert not elsewhere, "\n".join(elsewhere)
    if len(pages) == len(list(all_pages())):
        for page in (page for page in pages if page.press):
            context = browser.new_context(base_url=site.address)
            context.add_cookies(site.cookies(page.who))
            page.show(context.new_page(), site.values)
            context.close()
        files = site.folder.glob("rendered-*.txt")  # one of each server on this world
        rendered = {name for file in files for name in file.read_text(encoding="utf-8").splitlines()}
        assert templates() - rendered == NOT_LOOKED_AT.keys()


def templates() -> set[str]:
    return {str(file.relative_to(TEMPLATES)) for file in TEMPLATES.rglob("*") if file.is_file()}

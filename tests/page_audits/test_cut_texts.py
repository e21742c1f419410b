"""Long names are whole at six widths, in three languages and both themes: not cut off, and over no other text."""

from itertools import product

import pytest
from playwright.sync_api import Browser, Error

from tests.page_audits.conftest import Drawn
from tests.page_audits.measures import cut_texts
from tests.page_audits.pages import all_pages
from tests.page_audits.site import Site

pytestmark = pytest.mark.browser
WIDTHS = (320, 390, 768, 1024, 1280, 1920)
WIDEST_ALONE = {"wall": 1024, "print": 768}
"""What is for a large screen or paper alone, and the least width of it."""
LANGUAGES = ("en", "de", "fr")
CONTROLS = {
    "cut: h1": "h1 { width: 3rem; overflow: hidden; white-space: nowrap; text-overflow: ellipsis }",
    "outside the screen: h1": "h1 { position: relative; left: 95vw; white-space: nowrap }",
    "one text over another: h1": "h1 + p { margin-top: -3rem }",
    "cut in its field": "input { width: 4rem }",
}


def test_long_names_are_whole_at_any_width(site: Site, browser: Browser, drawn: Drawn) -> None:
    pages = [page for page in all_pages() if "{long}" in page.path]
    faults: list[str] = []
    for number, (page, language) in enumerate(drawn(list(product(pages, LANGUAGES)), 3)):
        context = browser.new_context(base_url=site.address, color_scheme=("light", "dark")[number % 2])
        context.add_cookies(
            [*site.cookies(page.who), {"name": "django_language", "value": language, "url": site.address}]
        )
        tab = context.new_page()
        try:
            tab.goto(page.address(site.values))
            for width in WIDTHS:
                if width >= WIDEST_ALONE.get(page.audience, 0):
                    tab.set_viewport_size({"width": width, "height": 844})
                    faults += [
                        f"{page.path} ({page.who or 'visitor'}, {language}, {width}): {each}" for each in cut_texts(tab)
                    ]
        except Error as error:
            faults.append(f"{page.path} ({page.who or 'visitor'}): {str(error).splitlines()[0]}")
        context.close()
    assert not faults, "\n".join(faults)


def test_cut_and_overlapping_texts_are_found(browser: Browser) -> None:
    tab = browser.new_page()
    page = "<h1>A heading that is long</h1><p>And what it says</p><input placeholder='Name, club or number'>"
    tab.set_content(page)
    assert cut_texts(tab) == []
    for fault, style in CONTROLS.items():
        tab.set_content(f"<style>{style}</style>{page}")
        assert [each.startswith(fault) for each in cut_texts(tab)] == [True], fault
    tab.close()

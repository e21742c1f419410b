"""Texts at six widths, three languages, both themes: not cut off, over no other text, no state broken inside a word."""

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
    "broken inside a word: small": "small { display: inline-block; width: 2rem; overflow-wrap: anywhere }",
}


@pytest.mark.timeout(3600)  # `--long`: all pages at six widths in two themes
@pytest.mark.sampled(3)
@pytest.mark.parametrize("language", LANGUAGES)
def test_texts_are_whole_at_any_width(site: Site, browser: Browser, language: str, drawn: Drawn) -> None:
    """Some pages with long names and a few others in one theme; `--long`: all pages, in both."""
    has_long_names = [(page, each) for page in all_pages() if "{long}" in page.path for each in LANGUAGES]
    others = [(page, each) for page in all_pages() if "{long}" not in page.path for each in LANGUAGES]
    faults: list[str] = []
    for page in (page for page, each in drawn(has_long_names, 5) + drawn(others, 100) if each == language):
        context = browser.new_context(base_url=site.address)
        context.add_cookies(
            [*site.cookies(page.who), {"name": "django_language", "value": language, "url": site.address}]
        )
        tab = context.new_page()
        where = f"{page.path} ({page.who or 'visitor'}, {language}"
        try:
            page.show(tab, site.values)
            for width in (width for width in WIDTHS if width >= WIDEST_ALONE.get(page.audience, 0)):
                tab.set_viewport_size({"width": width, "height": 844})
                for theme in drawn(("light", "dark"), 2):
                    tab.emulate_media(color_scheme=theme)
                    faults += [f"{where}, {width}, {theme}): {each}" for each in cut_texts(tab)]
        except Error as error:
            faults.append(f"{where}): {str(error).splitlines()[0]}")
        context.close()
    assert not faults, "\n".join(faults)


def test_cut_and_overlapping_texts_are_found(browser: Browser) -> None:
    tab = browser.new_page()
    page = "<h1>A heading that is long</h1><p>And what it says</p><input placeholder='Name, club or number'>"
    page += "<small class='state'>registered</small>"
    tab.set_content(page)
    assert cut_texts(tab) == []
    for fault, style in CONTROLS.items():
        tab.set_content(f"<style>{style}</style>{page}")
        assert [each.startswith(fault) for each in cut_texts(tab)] == [True], fault
    tab.close()

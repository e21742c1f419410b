"""Pages in a longer language and from right to left: nothing sticks out, scores and clocks keep their direction."""

import pytest
from playwright.sync_api import Browser

from tests.page_audits.conftest import Drawn
from tests.page_audits.measures import sticking_out
from tests.page_audits.pseudo import LONG, RIGHT_TO_LEFT
from tests.page_audits.site import Site

pytestmark = pytest.mark.browser
KEY_PAGES = {
    "": ("/", "/e/{room}/", "/e/{room}/pairings/", "/e/{room}/standings/", "/e/{bracket}/bracket/", "/scores/",
         "/rules/doom_pile/", "/accounts/signup/"),
    "olive": ("/e/{room}/manage/", "/e/{room}/desk/", "/e/{room}/manage/entries/", "/e/{room}/manage/rounds/",
              "/e/{room}/manage/settings/", "/e/{room}/manage/tables/", "/new/"),
    "juno": ("/e/{room}/floor/", "/e/{room}/floor/calls/", "/e/{room}/match/{match5}/?from=floor"),
    "player6": ("/e/{room}/my/", "/e/{room}/my/deck/"),
    "doomlings": ("/e/{doomlings}/match/{doomlings_match}/sheet/",),
    "at_table": ("/e/{room}/table/",),
}  # fmt: skip
"""Pages of every audience, by who looks."""
TURNED = """() => [...document.querySelectorAll('.score, .clock, time, code')]
  .filter(node => node.checkVisibility() && getComputedStyle(node).direction !== 'ltr')
  .map(node => node.outerHTML.slice(0, 90))"""


@pytest.mark.full
@pytest.mark.parametrize("language", [LONG, RIGHT_TO_LEFT])
def test_longer_and_mirrored_pages_fit(site: Site, browser: Browser, language: str, drawn: Drawn) -> None:
    faults = []
    for who, paths in KEY_PAGES.items():
        context = browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True, base_url=site.address)
        chosen = {"name": "django_language", "value": language, "url": site.address}
        context.add_cookies([*site.cookies(who), chosen])
        tab = context.new_page()
        for path in drawn(paths, 3):
            tab.set_viewport_size({"width": 390, "height": 844})
            tab.goto(path.format_map(site.values))
            found = sticking_out(tab) + tab.evaluate(TURNED)
            tab.set_viewport_size({"width": 1280, "height": 800})
            found += sticking_out(tab)
            if tab.evaluate("document.documentElement.dir") != ("rtl" if language == RIGHT_TO_LEFT else "ltr"):
                found.append("another direction")
            faults += [f"{path} ({who or 'visitor'}): {fault}" for fault in found]
        context.close()
    assert not faults, "\n".join(faults)

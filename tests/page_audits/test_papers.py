"""What is printed, looked at on a phone: it fits the screen, and the print keeps its sizes."""

import pytest
from playwright.sync_api import Browser

from tests.page_audits.measures import sticking_out
from tests.page_audits.site import Site
from tests.page_audits.test_keyboard import PHONE, window_of

pytestmark = pytest.mark.browser
PACKETS = ("/e/{room}/print/packet/", "/e/{long}/print/packet/")
SCROLLED = """() => [...document.querySelectorAll('.paper, .slips')].filter(node => node.scrollWidth > node.clientWidth)
  .map(node => `${node.className} ${node.getAttribute('aria-label')}: ${node.scrollWidth} > ${node.clientWidth}`)"""
SIZES = """() => ['.paper', '.paper td', '.standings td', '.standings th', '.slip', '.slip.large', '.slip th',
    '.slip .box', '.slip .box.thin', '.slip .wide', '.slip .minor', '.write-in', '.blanks-line'].map(each => {
  const {fontSize, paddingInline, whiteSpace} = getComputedStyle(document.querySelector(each));
  return [each, fontSize, paddingInline, whiteSpace]; })"""
BOX = "node => node.getBoundingClientRect().width"


@pytest.mark.parametrize("language", ["en", "de", "fr"])
def test_the_paper_packet_fits_a_phone(site: Site, browser: Browser, language: str) -> None:
    context = window_of(site, browser, "olive", PHONE)
    context.add_cookies([{"name": "django_language", "value": language, "url": site.address}])
    tab = context.new_page()
    for packet in PACKETS:
        tab.goto(packet.format_map(site.values))
        for width in (360, 390):
            tab.set_viewport_size({"width": width, "height": PHONE[1]})
            assert (packet, width, sticking_out(tab), tab.evaluate(SCROLLED)) == (packet, width, [], [])
    context.close()


def test_the_print_of_a_phone_keeps_the_sizes_of_paper(site: Site, browser: Browser) -> None:
    context = window_of(site, browser, "olive", PHONE)
    tab = context.new_page()
    tab.goto(PACKETS[0].format_map(site.values))
    assert tab.locator(".slip .box").first.evaluate(BOX) < 30
    tab.emulate_media(media="print")
    on_a_phone = tab.evaluate(SIZES)
    assert tab.locator(".slip .box").first.evaluate(BOX) > 33
    tab.set_viewport_size({"width": 794, "height": 1123})
    assert tab.evaluate(SIZES) == on_a_phone
    context.close()

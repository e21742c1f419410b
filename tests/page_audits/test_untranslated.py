"""Every text that people read is marked for translation: what comes out of a made-up language as it is is not."""

import re
import urllib.error
import urllib.request
from collections.abc import Iterator
from html.parser import HTMLParser

import pytest

from tests.page_audits.conftest import Drawn
from tests.page_audits.pages import Page, all_pages
from tests.page_audits.pseudo import LONG
from tests.page_audits.site import Site

SILENT = ("script", "style", "code", "pre", "kbd", "textarea", "svg", "time")
"""Elements whose text is data, keys or code; the title's end is the name of the product."""
INLINE = ("a", "abbr", "b", "bdi", "em", "i", "small", "span", "strong", *SILENT)
"""Elements inside a sentence."""
SPOKEN = ("aria-label", "title", "placeholder", "alt", "data-label", "data-unsent")
"""Attributes that people hear or read."""
VOID = {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"}
NAMES = re.compile(
    r"\b(Doomdesk|CSV|JSON|QR|API|Valkey|Redis|Buchholz|Deutsch|English|Français|Lengthened|Mirrored|DP|DL|DT|DD|HG|"
    r"O?[GM]W|MW|GW|OMW|OGW|MP|SB|BH|Pts|UTC|Ctrl|Enter|SHA-256|verify_event\.py|HOUSE-[A-Z]+|UNKNOWN-CARD|"
    r"UNKNOWN-SECTION)\b"
)
"""Names and abbreviations that are the same in every language."""


class Reader(HTMLParser):
    """Collects what is read: texts and spoken attributes, but for silent elements and those in another language."""

    def __init__(self) -> None:
        super().__init__()
        self.said: list[str] = [""]
        self.path: list[tuple[str, bool]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        silent = (
            self.is_silent or tag in SILENT or (tag != "html" and "lang" in given) or given.get("translate") == "no"
        )
        if not silent:
            self.said[-1:-1] = [given[name] or "" for name in SPOKEN if name in given]
        if tag not in VOID:
            self.path.append((tag, silent))

    def handle_endtag(self, tag: str) -> None:
        while self.path and self.path.pop()[0] != tag:
            pass
        self.pause(tag)

    def pause(self, tag: str) -> None:
        """A new line of what is said, or a mere gap inside a sentence."""
        if tag in INLINE:
            self.said[-1] += "  "
        else:
            self.said.append("")

    def handle_data(self, data: str) -> None:
        if not self.is_silent:
            self.said[-1] += re.sub(r"\s+", " ", data)

    @property
    def is_silent(self) -> bool:
        """Whether the innermost element is not for translation."""
        return bool(self.path) and self.path[-1][1]


def bare(text: str, data: re.Pattern[str]) -> str:
    """What is left of a text without its translated parts, data of the world, names and numbers."""
    before = ""
    while before != text:
        before, text = text, re.sub(r"⟦[^⟦⟧]*⟧", " ", text)
    return NAMES.sub("", data.sub(" ", text)).strip()


def looked_at() -> Iterator[Page]:
    for page in all_pages():
        if page.note not in ("one", "300", "long names") and not page.path.startswith("/cards/"):
            yield page


def read_page(site: Site, page: Page) -> list[str]:
    """What somebody reads on a page in the made-up language."""
    cookies = [f"{cookie['name']}={cookie['value']}" for cookie in site.cookies(page.who)]
    headers = {"Cookie": "; ".join([*cookies, f"django_language={LONG}"])}
    try:
        with urllib.request.urlopen(
            urllib.request.Request(site.address + page.address(site.values), headers=headers)
        ) as answer:
            html = answer.read().decode()
    except urllib.error.HTTPError as error:
        html = error.read().decode()
    reader = Reader()
    reader.feed(html)
    return reader.said


@pytest.mark.browser
def test_no_text_is_left_in_english(site: Site, drawn: Drawn) -> None:
    words = sorted((re.escape(word) for word in site.words), key=len, reverse=True)
    data = re.compile(rf"(?<![^\W\d_])(?:{'|'.join(words)})(?![^\W\d_])")
    left: dict[str, str] = {}
    for page in drawn(list(looked_at()), 4):
        for text in read_page(site, page):
            rest = bare(text, data)
            if re.search(r"[^\W\d_]{2}", rest):
                left.setdefault(rest, page.path)
    assert not left, "\n".join(f"{path}: {text}" for text, path in left.items())

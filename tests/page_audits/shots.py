"""Pictures of pages: each at its audience's size, in light and dark, then one contact sheet for each audience."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from html import escape
from pathlib import Path

from playwright.sync_api import Browser, BrowserContext, Error

from tests.page_audits.pages import SIZES, Page
from tests.page_audits.site import Site

THEMES = ("light", "dark")
SCREENS = 2.6
"""Pictures are cut after so many screens: what a page is like is seen by then."""
THUMB = (300, 430)
SHEET = """<!DOCTYPE html><html lang="en"><meta charset="utf-8"><title>{title}</title><style>
body {{ font: 13px/1.4 system-ui, sans-serif; margin: 24px; background: #8a8a8a; color: #111; }}
main {{ display: grid; grid-template-columns: repeat({columns}, {width}px); gap: 20px; }}
figure {{ margin: 0; }} figcaption {{ overflow-wrap: anywhere; }}
figure a {{ display: block; height: {height}px; overflow: hidden; background: #bbb; }}
img {{ width: 100%; display: block; }}
</style><h1>{title}</h1><main>{figures}</main></html>"""


@dataclass(frozen=True, slots=True)
class Shot:
    """A picture that was taken: `faults` are errors of scripts, refused parts, a status that is none of a page."""

    page: Page
    theme: str
    file: Path
    faults: tuple[str, ...] = ()


def shoot(site: Site, browser: Browser, pages: Iterable[Page], out: Path) -> Iterator[Shot]:
    """Take every page in both themes; a page that cannot be shown is a shot with its fault."""
    out.mkdir(parents=True, exist_ok=True)
    contexts: dict[tuple[str, str, str], BrowserContext] = {}
    for number, page in enumerate(pages):
        for theme in THEMES if page.audience != "print" else THEMES[:1]:
            key = (page.who, page.audience, theme)
            if key not in contexts:
                contexts[key] = open_context(site, browser, page, theme)
            file = out / f"{page.audience}-{number:03d}-{theme}.png"
            yield Shot(page, theme, file, tuple(take(contexts[key], page, site, file)))
    for context in contexts.values():
        context.close()


def open_context(site: Site, browser: Browser, page: Page, theme: str, **more: object) -> BrowserContext:
    """A window of the audience's size in which somebody looks, in a theme."""
    width, height = SIZES[page.audience]
    context = browser.new_context(
        viewport={"width": width, "height": height},
        color_scheme=theme,
        has_touch=width < 500,
        base_url=site.address,
        locale="en-GB",
        **more,
    )
    context.add_cookies(site.cookies(page.who))
    return context


def take(context: BrowserContext, page: Page, site: Site, file: Path) -> list[str]:
    """Take one picture; answers what went wrong."""
    faults: list[str] = []
    tab = context.new_page()
    tab.on("pageerror", lambda error: faults.append(f"script: {error}"))
    tab.on("console", lambda said: faults.append(f"console: {said.text}") if said.type == "error" else None)
    try:
        answer = page.show(tab, site.values)
        if answer is None or answer.status != page.status:
            faults.append(f"status {answer.status if answer else 'none'}")
        if page.audience == "print":
            tab.emulate_media(media="print")
            tab.pdf(path=file.with_suffix(".pdf"), format="A4", print_background=True)
        width, height = SIZES[page.audience]
        high = min(tab.evaluate("document.documentElement.scrollHeight"), int(height * SCREENS))
        tab.screenshot(path=file, full_page=True, clip={"x": 0, "y": 0, "width": width, "height": max(high, height)})
    except Error as error:
        faults.append(str(error).splitlines()[0])
    finally:
        tab.close()
    return [fault for fault in faults if page.status == 200 or str(page.status) not in fault]


def write_sheet(browser: Browser, audience: str, shots: list[Shot], site: Site, out: Path) -> Path:
    """One contact sheet of an audience: a page of HTML, and the same as a PNG."""
    wide = SIZES[audience][0] > SIZES[audience][1]
    width, height = (THUMB[1], THUMB[0]) if wide else THUMB
    columns = 4 if wide else 6
    figures = "".join(
        f'<figure><a href="{shot.file.name}"><img src="{shot.file.name}" alt=""></a><figcaption>'
        f"{escape(caption(shot, site))}</figcaption></figure>"
        for shot in shots
    )
    title = f"{audience}: {len(shots)} pictures"
    sheet = out / f"{audience}.html"
    sheet.write_text(
        SHEET.format(title=title, columns=columns, width=width, height=height, figures=figures), encoding="utf-8"
    )
    tab = browser.new_page(viewport={"width": columns * (width + 20) + 48, "height": 900})
    tab.goto(sheet.resolve().as_uri())
    tab.screenshot(path=sheet.with_suffix(".png"), full_page=True)
    tab.close()
    return sheet.with_suffix(".png")


def caption(shot: Shot, site: Site) -> str:
    """What a picture shows, in one line."""
    note = f" ({shot.page.note})" if shot.page.note else ""
    wrong = f" FAULT: {'; '.join(shot.faults)}" if shot.faults else ""
    return f"{shot.page.path}{note} · {shot.page.who or 'visitor'} · {shot.theme}{wrong}"

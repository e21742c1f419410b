"""A shop for journeys: real processes with scripts and style on the database of the tests, and who looks at its pages.

`DOOMDESK_PICTURES=folder` keeps what the pages show.
"""

import os
import re
import socket
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any

from django.conf import settings
from playwright.sync_api import Browser, ConsoleMessage, Page

from tests.invariants.processes import Processes, wait_until
from tests.races import close_connections

PATIENCE = 30_000
"""Milliseconds that a page may take on a machine that does much else."""
PHONE, LAPTOP, WALL = ({"width": width, "height": height} for width, height in ((390, 844), (1280, 800), (1920, 1080)))


class Shop(Processes):
    """A site whose web server is a shop's: with the scripts and the style; whoever is signed in here is so there."""

    @property
    def environment(self) -> dict[str, str]:
        laptop = {"DJANGO_SETTINGS_MODULE": "config.settings.laptop", "SECRET_KEY": settings.SECRET_KEY}
        return {**super().environment, **laptop}

    @property
    def root(self) -> str:
        return f"http://127.0.0.1:{self.port}"


@contextmanager
def open_shop(*names: str) -> Iterator[Shop]:
    """A shop with these processes running, its web server answering; closed afterwards."""
    close_connections()
    with tempfile.TemporaryDirectory(prefix="dd-shop-", dir="/tmp") as folder:
        shop = Shop(Path(folder), patience=15.0)
        try:
            for name in names:
                shop.start(name)
            assert wait_until(lambda: listens(shop.port), 60), shop.said("web")
            yield shop
        finally:
            shop.stop()


def listens(port: int) -> bool:
    """Whether a server answers there."""
    with suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
        return True
    return False


class Windows:
    """The browser `windows` of a journey, each of another person; `errors` is what their pages complained of.

    A refusal by the Content-Security-Policy is said on the console too, so it counts.
    """

    def __init__(self, browser: Browser, shop: Shop) -> None:
        self.browser, self.shop = browser, shop
        self.errors: list[str] = []
        self.windows: list[Page] = []
        self.closing = ExitStack()
        given = os.environ.get("DOOMDESK_PICTURES")
        self.pictures = Path(given) if given else None

    def open(self, size: dict[str, int], address: str = "", **options: Any) -> Page:
        """A window of somebody else, at this address if one is given."""
        context = self.browser.new_context(viewport=size, base_url=self.shop.root, locale="en-GB", **options)
        self.closing.callback(context.close)
        page = context.new_page()
        self.windows.append(page)
        page.set_default_timeout(PATIENCE)
        page.on("pageerror", lambda error: self.errors.append(f"{page.url}: {error}"))
        page.on("console", self.listen)
        if address:
            page.goto(address)
        return page

    def listen(self, said: ConsoleMessage) -> None:
        """Errors, but for a look that the next page cut short, and for a busy server, which the page asks again."""
        if said.type == "error" and not said.text.startswith("htmx:") and " 503 " not in said.text:
            self.errors.append(f"{said.location['url']}: {said.text}")

    def picture(self, page: Page, name: str, *, whole: bool = True) -> None:
        """Keep what a page shows."""
        if self.pictures:
            self.pictures.mkdir(parents=True, exist_ok=True)
            page.screenshot(path=self.pictures / f"{name}.png", full_page=whole)


def press(page: Page, name: str) -> None:
    """Press the button whose words begin like this, and wait for the next page."""
    with page.expect_navigation():
        page.get_by_role("button", name=re.compile(f"^{re.escape(name)}")).first.click()

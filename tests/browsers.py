"""A real browser for the tests that outlives its own death: what follows a crash gets a new one."""

from contextlib import suppress
from typing import Any

from playwright.sync_api import Browser, BrowserContext, Page, Playwright, sync_playwright
from playwright.sync_api import Error as PlaywrightError

QUIET = (
    "--no-sandbox",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    "--disable-quic",
)


class LastingBrowser:
    """Opens windows as Playwright's `Browser` does; a browser or driver that is gone is started again first."""

    def __init__(self, path: str) -> None:
        self.path = path
        self._driver: Playwright | None = None
        self._browser: Browser | None = None

    def new_context(self, **options: Any) -> BrowserContext:
        """A window's own world, as Playwright's `Browser.new_context`."""
        return self._running().new_context(**options)

    def new_page(self, **options: Any) -> Page:
        """A window in a world of its own, as Playwright's `Browser.new_page`."""
        return self._running().new_page(**options)

    def close_windows(self) -> None:
        """Close what is open, also when the browser is gone."""
        for context in self._browser.contexts if self._browser is not None else ():
            with suppress(PlaywrightError):
                context.close()

    def close(self) -> None:
        """End browser and driver, also when they are gone."""
        with suppress(PlaywrightError):
            if self._browser is not None:
                self._browser.close()
        with suppress(PlaywrightError):
            if self._driver is not None:
                self._driver.stop()
        self._browser = self._driver = None

    def _running(self) -> Browser:
        if self._browser is None or not self._answers(self._browser):
            self.close()
            self._driver = sync_playwright().start()
            self._browser = self._driver.chromium.launch(executable_path=self.path, args=list(QUIET))
        return self._browser

    @staticmethod
    def _answers(browser: Browser) -> bool:
        # is_connected() alone stays true when the driver has died: only asking finds that out
        try:
            browser.new_browser_cdp_session().detach()
        except PlaywrightError:
            return False
        return True

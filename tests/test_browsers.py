"""The browser of the tests outlives its own death: what follows gets a new one."""

import os
import signal
from pathlib import Path

import pytest
from playwright.sync_api import Error

from tests.browsers import LastingBrowser

pytestmark = pytest.mark.browser


def children(process: int) -> list[int]:
    """The processes that a process has started, the oldest first."""
    return [int(pid) for pid in Path(f"/proc/{process}/task/{process}/children").read_text().split()]


@pytest.mark.parametrize("victim", ["browser", "driver"])
def test_after_a_death_the_next_window_opens(browser: LastingBrowser, victim: str) -> None:
    page = browser.new_page()
    driver = next(pid for pid in children(os.getpid()) if b"playwright" in Path(f"/proc/{pid}/cmdline").read_bytes())
    os.kill(driver if victim == "driver" else children(driver)[0], signal.SIGKILL)
    with pytest.raises(Error):
        page.inner_text("body")
    following = browser.new_page()
    following.set_content("still here")
    assert following.inner_text("body") == "still here"
    following.close()


def test_no_window_stays_open(browser: LastingBrowser) -> None:
    page = browser.new_page()
    other = browser.new_context().new_page()
    browser.close_windows()
    assert (page.is_closed(), other.is_closed()) == (True, True)

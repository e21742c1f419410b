"""Browsers: Olive's, and real ones without scripts, as narrow as a phone or as wide as a laptop."""

from collections.abc import Callable, Iterator
from http.cookies import SimpleCookie

import pytest
from django.test import Client
from playwright.sync_api import Browser, Page

from tests.tournaments.factories import account
from tests.tournaments.web.visitors import browser as client_of

Opener = Callable[..., Page]


@pytest.fixture
def opened(browser: Browser, live_server) -> Iterator[Opener]:
    """Opens a page of a width with somebody's cookies, touched unless it has a mouse; all are closed afterwards."""
    contexts = []

    def open_page(width: int, cookies: SimpleCookie, *, has_touch: bool = True) -> Page:
        context = browser.new_context(
            viewport={"width": width, "height": 844},
            has_touch=has_touch,
            java_script_enabled=False,
            base_url=live_server.url,
        )
        contexts.append(context)
        context.add_cookies(
            [{"name": key, "value": cookie.value, "url": live_server.url} for key, cookie in cookies.items()]
        )
        return context.new_page()

    yield open_page
    for context in contexts:
        context.close()


@pytest.fixture
def olive() -> Client:
    return client_of(account("olive"))


@pytest.fixture
def phone(opened: Opener) -> Page:
    """Olive's phone: 390 px, touch, no scripts."""
    return opened(390, client_of(account("olive")).cookies)

"""“Copy” takes along what it stands beside, with the browser's clipboard and without one, as on plain HTTP."""

import pytest
from playwright.sync_api import expect

from tests.tournaments.factories import account, running
from tests.tournaments.web.visitors import browser as signed_in

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
WITHOUT = "Object.defineProperty(navigator, 'clipboard', { value: undefined })"
FIELD = "document.body.append(Object.assign(document.createElement('textarea'), { id: 'taken' }))"


@pytest.mark.parametrize("script", ["", WITHOUT], ids=["clipboard", "none"])
def test_code_of_a_frame_is_copied(browser, live_server, script):
    held = running(4)
    context = browser.new_context(permissions=["clipboard-read", "clipboard-write"])
    session = signed_in(account("olive")).cookies["sessionid"].value
    context.add_cookies([{"name": "sessionid", "value": session, "url": live_server.url}])
    page = context.new_page()
    page.set_default_timeout(10_000)
    page.add_init_script(script)
    page.goto(f"{live_server.url}/e/{held.slug}/embed/")
    button = page.get_by_role("button", name="Copy", exact=True).first
    button.press("Enter")
    expect(page.get_by_role("button", name="Copied")).to_have_count(1)
    page.evaluate(FIELD)
    page.locator("#taken").press("Control+v")
    taken = page.locator("#taken").input_value()
    assert taken.startswith("<iframe src=")
    assert taken == page.locator("textarea.snippet").first.input_value()
    expect(page.get_by_role("button", name="Copied")).to_have_count(0)
    context.close()

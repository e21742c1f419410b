"""A page that was told of a change and has not asked for it yet does not say that it is as new as the stream's beat."""

from datetime import UTC, datetime, timedelta

import pytest
from django.contrib.staticfiles import finders

from accounts.identity.services import issue_personal_link
from tests.tournaments.factories import account, entry, next_round, running

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
NOW = datetime(2026, 11, 28, 9, 0, tzinfo=UTC)
LATER = datetime(2030, 1, 1, 10, 11, 12, tzinfo=UTC)
BEAT = f'event: beat\ndata: {{"at": {LATER.timestamp() * 1000:.0f}}}\n\n'
CHANGED = 'event: changed\ndata: {"spread": 60000}\n\n'
GUARD = " && !owes"
COUNTS = """
window.EventSource = class extends EventSource {
  constructor(address) {
    super(address);
    this.addEventListener("beat", () => { window.beats = (window.beats ?? 0) + 1; });
  }
};
"""

ASKS = """
const plain = window.fetch;
window.asked = window.asking = 0;
window.fetch = async (...given) => {
  const isLive = given[1]?.headers?.["X-Live"];
  if (isLive) { window.asked += 1; window.asking += 1; }
  try { return await plain(...given); } finally { if (isLive) window.asking -= 1; }
};
"""


def age_after(browser, live_server, said: str, script: str | None = None) -> str:
    """The time that a page of pairings says, once the stream has said this; its own clock stands from the start.

    `script` stands in for `live.js`.
    """
    held = running(4)
    next_round(held)
    page = browser.new_context().new_page()
    page.clock.install(time=NOW - timedelta(hours=1))  # it runs until it is paused
    page.clock.pause_at(NOW)
    page.add_init_script(COUNTS)
    page.route("**/live/", lambda route: route.fulfill(content_type="text/event-stream", body=said))
    if script is not None:
        page.route("**/live*.js", lambda route: route.fulfill(content_type="text/javascript", body=script))
    page.goto(f"{live_server.url}/e/{held.slug}/pairings/")
    page.wait_for_function("() => window.beats >= 1")
    return page.locator("[data-age] time").first.get_attribute("datetime") or ""


def live_js() -> str:
    with open(finders.find("live.js"), encoding="utf-8") as file:
        return file.read()


def test_a_beat_makes_a_page_younger(browser, live_server):
    assert age_after(browser, live_server, BEAT).startswith("2030-01-01")


def test_a_page_that_owes_a_question_grows_no_younger(browser, live_server):
    assert not age_after(browser, live_server, CHANGED + BEAT).startswith("2030-01-01")


def test_without_the_guard_it_would(browser, live_server):
    """The control."""
    assert live_js().count(GUARD) == 1
    script = live_js().replace(GUARD, "")
    assert age_after(browser, live_server, CHANGED + BEAT, script).startswith("2030-01-01")


def questions_of(browser, live_server, spread: int) -> int:
    """How often the page of an own match asks from the tenth to the fiftieth second, told of so large a spread."""
    held = running(4)
    next_round(held)
    token = issue_personal_link(entry(held, "Ada").members.get().person, account("olive"), datetime.now(UTC))
    page = browser.new_context().new_page()
    page.clock.install(time=NOW - timedelta(hours=1))
    page.goto(f"{live_server.url}/p/{token}/")
    said = f'retry: 600000\n\nevent: beat\ndata: {{"at": 0, "spread": {spread}}}\n\n'
    page.add_init_script(COUNTS + ASKS)
    page.route("**/live/**", lambda route: route.fulfill(content_type="text/event-stream", body=said))
    page.clock.pause_at(NOW)
    page.goto(f"{live_server.url}/e/{held.slug}/my/")
    page.wait_for_function("() => window.beats >= 1")
    for second in range(50):
        page.clock.run_for(1000)
        while page.evaluate("() => window.asking"):
            pass
        if second == 10:
            page.evaluate("() => { window.asked = 0; }")
    return page.evaluate("() => window.asked")


def test_pages_that_poll_do_so_the_less_the_more_there_are(browser, live_server):
    assert questions_of(browser, live_server, 0) >= 2
    assert questions_of(browser, live_server, 60_000) == 0

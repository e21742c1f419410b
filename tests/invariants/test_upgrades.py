"""O4: a site is upgraded in a running round while programs report: nothing is lost, and all that people hold works.

See docs/how-it-works/trust.md#o4. Real processes by ./run. The long test runs 0.1.0 itself, out of git's history; the
others begin with what a laptop of 0.1.0 left (`first_edition_data.py`). The controls: data that an upgrade lost, and
an upgrade without the migration.
"""

import random
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from launch.places import ROOT
from tests.browsers import LastingBrowser
from tests.invariants.editions import Site, convention, first_edition, is_in_history, laptop
from tests.invariants.first_edition_data import put_on
from tests.invariants.page_client import Phone
from tests.invariants.played_on import Held, Remembering, begin, check, matches_of, reporting
from tests.invariants.processes import wait_until
from tests.invariants.result_clients import Reporters
from tests.invariants.test_start_orders import readiness

pytestmark = [pytest.mark.full, pytest.mark.timeout(1800)]
ACTS = 12
LOST = (
    "DELETE FROM journal_idempotencykey",
    "UPDATE tournaments_match SET standing_report_id = NULL, state = 'open' WHERE standing_report_id IS NOT NULL",
)


@pytest.fixture(scope="module")
def first() -> Iterator[Path]:
    """The checkout of 0.1.0."""
    if not is_in_history():
        pytest.skip("needs the history of this repository: a full clone")
    with first_edition() as root:
        yield root


def timed(what: str, act: Callable[[], object]) -> None:
    """Do something and say how long it took."""
    began = time.monotonic()
    act()
    print(f"{what}: {time.monotonic() - began:.1f} s")


@pytest.mark.long
@pytest.mark.parametrize("kind", [laptop, convention])
def test_an_upgrade_of_the_first_edition_under_load_loses_nothing(kind, first, seed):
    chance = random.Random(seed)
    with kind(first) as site:
        password = site.any.command("manage", "create_organiser", "olive").strip()
        site.start()
        api = Remembering(site.ports)
        held = begin(api, password, chance)
        reporters = Reporters(api, held.path, seed)
        with reporting(reporters, held.others, ACTS, first=10):
            timed("stop", site.stop)
            before = list(api.acts)
            timed("upgrade", lambda: site.upgrade(ROOT))
            timed("start", site.start)
        check(site, api, held, reporters, before)
        told = sum(each.acts for each in reporters.told.values())
        print(f"seed {seed}: {len(before)} acts before, {told} results, answers {dict(api.statuses)}")


@pytest.mark.long
@pytest.mark.browser
def test_pages_of_the_first_edition_that_are_open_go_on(first, browser, seed):
    with laptop(first) as site:
        password = site.any.command("manage", "create_organiser", "olive").strip()
        site.start()
        api = Remembering(site.ports)
        held = begin(api, password, random.Random(seed))
        mine = window_of(browser, held.player, f"{held.page}my/")
        desk = window_of(browser, held.organiser, f"{held.page}desk/")
        site.stop()
        mine.evaluate("for (const each of document.querySelectorAll('details')) each.open = true")
        mine.locator("label:has(input[name=score])").first.click()
        site.upgrade(ROOT)
        site.start()
        mine.locator("form:has(input[name=score]) button:not([name])").first.click()
        expect(mine.get_by_text("Your report.")).to_be_visible()
        expect(desk.get_by_text("Player 01 wins")).to_be_visible()
        assert (
            len(api.ask("GET", f"{held.path}matches/{held.own_match}/", chance=random.Random(seed))[1]["reports"]) == 1
        )


def window_of(browser: LastingBrowser, phone: Phone, path: str) -> Page:
    """A page in a window with a phone's cookies."""
    site = f"http://127.0.0.1:{phone.port}"
    window = browser.new_context()
    window.add_cookies([{"name": name, "value": value, "url": site} for name, value in phone.cookies.items()])
    page = window.new_page()
    page.goto(f"{site}{path}")
    return page


def programs_at(site: Site, held: Held, seed: int) -> tuple[Remembering, Reporters]:
    """The programs that reported to 0.1.0, with what they were told."""
    api = Remembering(site.ports, held.token)
    return api, Reporters(api, held.path, seed, held.told)


def test_what_a_laptop_of_the_first_edition_left_is_played_on(seed):
    with laptop(ROOT) as site:
        held = put_on(site.any)
        api, reporters = programs_at(site, held, seed)
        with reporting(reporters, held.others, ACTS // 4, first=0):
            timed("start", site.start)
        assert api.statuses["lost"]
        check(site, api, held, reporters, held.acts)


def test_control_what_an_upgrade_lost_is_seen(seed):
    with laptop(ROOT) as site:
        held = put_on(site.any, *LOST)
        api, reporters = programs_at(site, held, seed)
        site.start()
        assert len(reporters.missing(matches_of(api, held.path, 1, random.Random(seed)))) == len(held.others)
        assert api.answered_otherwise(held.acts, random.Random(seed))


def test_without_the_migration_the_site_is_not_ready_and_acknowledges_nothing(seed):
    with laptop(ROOT) as site:
        machine = site.any
        held = put_on(machine)
        api, reporters = programs_at(site, held, seed)
        machine.start("web")
        assert wait_until(lambda: readiness(machine.port)[0] == 503, 60), machine.said()
        assert readiness(machine.port)[1]["migrations"] is False
        path = f"{held.path}matches/{held.others[0]}/correct/"
        body = {"games_won": [2, 0], "reason": "too early"}
        assert api.send(machine.port, "POST", path, body, "early")[0] >= 500
        machine.command("migrate")
        assert wait_until(lambda: readiness(machine.port)[1].get("migrations"), 60)
        assert reporters.missing(matches_of(api, held.path, 1, random.Random(seed))) == []
        assert api.send(machine.port, "POST", path, body, "early")[0] == 200

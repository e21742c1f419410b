"""The list of background jobs in a browser: a row of 36 px each, 48 px on a phone, with its details in a menu."""

import pytest
from django.core.cache import cache
from playwright.sync_api import Page, expect

from journal.clock import database_now
from journal.outbox.leases import STARTS
from tests.page_audits.measures import sticking_out
from tests.tournaments.factories import account
from tests.tournaments.web.conftest import Opener
from tests.tournaments.web.organiser.test_background_jobs import MINUTE, ask, quiet
from tests.tournaments.web.organiser.test_organiser import manage
from tests.tournaments.web.visitors import browser as client_of
from tournaments.models import Tournament
from tournaments.web.shared.background_job_words import TASKS

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
WORKER = "worker-1@a-laptop-behind-the-counter"
ERROR = "ValueError: the answer of the mail server was not understood"
JOBS = [task for task in TASKS if task not in ("tournaments.write_copies", "tournaments.remove_contacts")]
"""What events ask for: those two are the site's."""
HEIGHTS = """() => [...document.querySelectorAll('main tbody tr')]
  .map(row => [row.innerText.slice(0, 60), row.getBoundingClientRect().height])"""


def every_task(tournament: Tournament) -> None:
    """Each task waits or runs, is retried soon or failed."""
    now = database_now()
    states = (
        {},
        {"leased_until": now + MINUTE, "begun_at": now, "worker": WORKER, "starts": 1},
        {"leased_until": now + MINUTE, "available_at": now + MINUTE, "starts": 1, "last_error": ERROR},
        {"parked_at": now, "last_error": ERROR, "starts": STARTS},
    )
    for number, task in enumerate(JOBS):
        ask(tournament, task, **states[number % 4])
    cache.set("workers-that-answer", ([WORKER],))


def rows_above(page: Page, most: int) -> list[tuple[str, float]]:
    rows = page.evaluate(HEIGHTS)
    assert len(rows) == len(JOBS) + 1, "the jobs and the worker"
    return [(words, height) for words, height in rows if height > most + 1]


@pytest.mark.parametrize("language", ["en", "de", "fr"])
def test_a_job_is_a_row_of_36_px_and_of_48_on_a_phone(opened: Opener, language: str) -> None:
    tournament = quiet()
    every_task(tournament)
    cookies = client_of(account("olive")).cookies
    cookies["django_language"] = language
    for width in (360, 390):
        page = opened(width, cookies)
        page.goto(manage(tournament, "work/"))
        assert (width, rows_above(page, 48), sticking_out(page)) == (width, [], [])
    page = opened(1280, cookies, has_touch=False)
    page.goto(manage(tournament, "work/"))
    assert (rows_above(page, 36), sticking_out(page)) == ([], [])


def test_a_failed_job_says_why_and_is_tried_again_from_a_phone(phone: Page) -> None:
    tournament = quiet()
    every_task(tournament)
    phone.goto(manage(tournament, "work/"))
    failed = phone.locator(".jobs tr", has_text="failed").first
    why = failed.get_by_text(f"For the site admin: {ERROR}")
    expect(why).to_be_hidden()
    failed.locator("summary").click()
    expect(why).to_be_visible()
    assert sticking_out(phone) == []
    failed.get_by_role("button", name="Retry").click()
    expect(phone.get_by_text("Retrying. Reload in a moment.")).to_be_visible()

"""Two web processes on one database: nobody is shown an older state than the own acknowledged entry.

See docs/how-it-works/trust.md#r7.
"""

import http.client
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlencode
from uuid import uuid4

import pytest

from tests.invariants.processes import Processes, processes_in, wait_until
from tests.tournaments.factories import account, next_round, running
from tests.tournaments.web.visitors import browser, url

pytestmark = [pytest.mark.django_db(transaction=True)]

TOKEN = "t" * 32
TIMES = 5


@pytest.fixture(params=[False, True], ids=["checked", "control"])
def site(request, settings) -> Iterator[Processes]:
    """A broker and two web processes; in the control they do not look at the newest ledger entry."""
    with (
        tempfile.TemporaryDirectory(prefix="dd-two-", dir="/tmp") as folder,
        processes_in(
            Path(folder), "broker", "web", "web2", controls=("old_heads",) * request.param, patience=60
        ) as site,
    ):
        settings.REDIS_URL = site.environment["REDIS_URL"]
        assert wait_until(lambda: answers(site.port) and answers(site.other_port), 90), site.said("web2")
        yield site


def ask(port: int, path: str, cookie: str = "", form: dict[str, str] | None = None) -> tuple[int, str]:
    """The status and the body of an answer."""
    connection = http.client.HTTPConnection("localhost", port, timeout=60)
    headers = {"Cookie": f"{cookie}; csrftoken={TOKEN}" if cookie else ""}
    try:
        if form is None:
            connection.request("GET", path, headers=headers)
        else:
            fields = form | {"csrfmiddlewaretoken": TOKEN, "idempotency_key": str(uuid4())}
            kind = {"Content-Type": "application/x-www-form-urlencoded"}
            connection.request("POST", path, urlencode(fields), headers | kind)
        answer = connection.getresponse()
        return answer.status, answer.read().decode()
    finally:
        connection.close()


def answers(port: int) -> bool:
    try:
        return ask(port, "/health/")[0] == 200
    except OSError:
        return False


def test_nobody_sees_an_older_state_than_the_own_entry_and_visitors_see_it_soon(site):
    tournament = running(4)
    next_round(tournament)
    cookie = f"sessionid={browser(account('olive')).cookies['sessionid'].value}"
    shown, old = url(tournament, "pairings/"), []
    for number in range(TIMES):
        here, there = (site.port, site.other_port)[:: 1 if number % 2 else -1]
        for who in (cookie, cookie, "", ""):
            assert ask(there, shown, who)[0] == 200
        text = f"Break number {number}"
        assert ask(here, url(tournament, "manage/announcements/"), cookie, {"text": text})[0] == 302
        old += [number for port in (there, here) if text not in ask(port, shown, cookie)[1]]
        if not site.controls:
            begun = time.monotonic()
            assert wait_until(lambda port=there, text=text: text in ask(port, shown)[1], 10)
            print(f"a visitor of the other process saw it after {time.monotonic() - begun:.3f} s")
    assert bool(old) == bool(site.controls), old

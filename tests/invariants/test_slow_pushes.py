"""I8: push services that take their time hold up pushes, and no other background work.

A service that answers a byte each 5 s, twenty browsers told at once; meanwhile score sheets are added up. With real
workers, and with none, where the web process stands in. The control sends pushes through the queue of everything else.
"""

import random
import socket
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric import ec

from accounts.notifications.messages import MAX_BROWSERS, subscribe
from accounts.notifications.webpush import encode, point_of
from config.celery import app
from journal.clock import database_now
from journal.models import OutboxMessage
from launch import roles
from scoring.models import SheetTally
from tests.invariants.processes import Processes, processes_in, wait_until
from tests.invariants.test_sheet_faults import LONG, file_next, open_table
from tests.tournaments.factories import account, entry, running
from tests.tournaments.notifications.test_notifications import published
from tournaments.notifications.services import PUSH

pytestmark = pytest.mark.django_db(transaction=True)
BETWEEN = 5.0
"""Seconds between two bytes of an answer."""
ANSWER = b"HTTP/1.1 201 Created\r\n\r\n"
SOON = 10.0
"""Seconds for a sheet: 5 are promised, the rest is for a busy machine."""


class SlowService:
    """A push service that answers everybody, a byte at a time; `visits` counts who came."""

    def __init__(self) -> None:
        self.server, self.stop, self.visits = socket.create_server(("127.0.0.1", 0)), threading.Event(), 0
        self.port = int(self.server.getsockname()[1])
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                visitor = self.server.accept()[0]
                self.visits += 1
                threading.Thread(target=self._answer, args=(visitor,), daemon=True).start()

    def _answer(self, visitor: socket.socket) -> None:
        with visitor, suppress(OSError):
            for byte in ANSWER:
                if self.stop.wait(BETWEEN):
                    return
                visitor.sendall(bytes([byte]))

    def close(self) -> None:
        """Answer nobody any more."""
        self.stop.set()
        self.server.close()


@pytest.fixture
def slow_service() -> Iterator[SlowService]:
    service = SlowService()
    yield service
    service.close()


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder with a name short enough for a socket."""
    with tempfile.TemporaryDirectory(prefix="dd-site-", dir="/tmp") as name:
        yield Path(name)


def tell_twenty(service: SlowService) -> None:
    """Two players, ten browsers each, are told of their table."""
    tournament, now = running(2), database_now()
    key = encode(point_of(ec.generate_private_key(ec.SECP256R1())))
    for name in ("Ada", "Ben"):
        person = entry(tournament, name).members.get().person
        for number in range(MAX_BROWSERS):
            endpoint = f"http://127.0.0.1:{service.port}/{name}/{number}"
            subscribe(person, endpoint, key, encode(b"0123456789abcdef"), account("olive"), now)
    published(tournament)


def pushes() -> int:
    """How many pushes are asked for and not delivered."""
    return OutboxMessage.objects.filter(task=PUSH, done_at=None).count()


def seconds_for_a_sheet(longest: float) -> float:
    """File a sheet and wait until it is added up, at most so long; answers how long that took."""
    begun = time.monotonic()
    revision, _scores = file_next(open_table(0), random.Random(0))
    wait_until(lambda: SheetTally.objects.filter(revision=revision).exists(), longest)
    return time.monotonic() - begun


def sheets_among_pushes(site: Processes, service: SlowService, longest: float) -> list[float]:
    """What three sheets take, in seconds, while twenty pushes are under way; ends with one that takes too long."""
    assert seconds_for_a_sheet(LONG) < LONG, "nothing was done even before the pushes"
    tell_twenty(service)
    assert wait_until(lambda: service.visits >= 1 and pushes() == 2 * MAX_BROWSERS, LONG)
    took: list[float] = []
    while len(took) < 3 and max(took, default=0) < longest:
        took.append(seconds_for_a_sheet(longest))
    assert pushes() == 2 * MAX_BROWSERS, "the pushes did not wait: this proves nothing"
    print("sheets took", [f"{each:.1f}" for each in took])
    return took


@pytest.fixture(autouse=True)
def to_this_machine(settings) -> None:
    settings.PUSH_TO_LOOPBACK = True


@pytest.mark.sqlite
def test_slow_pushes_hold_up_no_sheet(folder, slow_service):
    with processes_in(folder, "broker", "relay", "worker1", "push-worker1", patience=15) as site:
        assert max(sheets_among_pushes(site, slow_service, SOON)) < SOON, site.said("worker1")
        assert wait_until(lambda: slow_service.visits > 2, LONG), "the pushes go on"


def test_control_without_the_route_they_hold_up_sheets(folder, slow_service):
    with processes_in(
        folder, "broker", "relay", "worker1", "push-worker1", controls=("no_routes",), patience=15
    ) as site:
        assert sheets_among_pushes(site, slow_service, SOON)[-1] >= SOON


@pytest.mark.sqlite
@pytest.mark.full
def test_where_a_web_process_stands_in_slow_pushes_hold_up_no_sheet(folder, slow_service):
    """Once it stands in it does at once what waits: 2 s are the head start of a worker that comes back."""
    with processes_in(folder, "web", patience=3) as site:
        assert max(sheets_among_pushes(site, slow_service, SOON)) < SOON, site.said("web")


@pytest.mark.full
def test_control_with_one_stand_in_for_all_they_hold_up_sheets(folder, slow_service):
    with processes_in(folder, "web", controls=("no_routes",), patience=3) as site:
        assert sheets_among_pushes(site, slow_service, SOON)[-1] >= SOON


def test_the_workers_that_are_started_serve_every_queue():
    queues = {route["queue"] for route in app.conf.task_routes.values()} | {app.conf.task_default_queue}
    commands = [role({}).command for role in (roles.worker, roles.push_worker)]
    assert {command[command.index("-Q") + 1] for command in commands} == queues
    assert set(app.conf.task_routes) <= set(app.tasks)

"""J1, J2: histories of background work on a clock that the test turns, with a broker that loses, doubles and reorders.

See docs/how-it-works/trust.md#j1. Score sheets are filed and filed again while the relay and workers die between any
two statements, stand still for longer than their leases, or find no broker. The relay, the leases, Celery's tasks and
Kombu's broker in memory are the real ones. Once nothing is harmed any more, each sheet is tallied and reported once.
Controls: a relay that sends nothing again, and a task that does not look whether it was done
(tests/invariants/removals.toml).
"""

import base64
import json
import random
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext, suppress
from datetime import datetime, timedelta
from threading import Event
from typing import Any

import pytest
from celery import Celery
from django.db import connection, transaction
from kombu.transport.memory import Channel

from config.celery import app as site
from journal import clock
from journal.models import OutboxMessage
from journal.outbox import background_jobs, relay
from journal.outbox.leases import retry_failed
from rules_engine.errors import Conflict
from scoring.models import SheetTally
from tests.tournaments.factories import account, next_round, running
from tournaments.models import Match, MatchSheet, ResultReport
from tournaments.sheets.services.filing import file_match_sheet
from tournaments.sheets.services.writing import open_match_sheet

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite, pytest.mark.timeout(3600)]

BEGUN = datetime(2026, 11, 28, 12, 0, tzinfo=clock.UTC)
PLAYERS, STEPS, FILED = 8, 40, 0.3
AFTERWARDS = 30
"""Turns of 5 s in which all is done once nothing is harmed: a lease, and the longest pause after a fault, twice."""
FATES = ["", "", "", "", "lost", "doubled"]
DEADLY = 60
"""A process dies before one of so many statements, if it dies."""


class Killed(BaseException):
    """Ends a simulated process where it stands; what it had committed stays."""


class World:
    """One event whose matches are played on score sheets; the time, the broker, and who works."""

    def __init__(self, app: Celery) -> None:
        self.app, self.olive, self.harm = app, account("olive"), Counter[str]()
        event = running(PLAYERS, game="doomlings", game_format="standard", score_sheets=True)
        self.matches = list(next_round(event).matches.order_by("table_number"))

    def begin(self, chance: random.Random) -> None:
        """Nothing is filed yet."""
        self.chance, self.is_harmed, self.now = chance, True, BEGUN
        self.filed = dict[int, list[int]]()
        Channel.queues.clear()
        self.wait(0)

    def wait(self, seconds: float) -> None:
        """Turn the database's clock."""
        self.now += timedelta(seconds=seconds)
        kind = "TIMESTAMPTZ" if connection.vendor == "postgresql" else ""
        clock._QUERIES[connection.vendor] = f"SELECT {kind} '{self.now:%Y-%m-%d %H:%M:%S.%f}'"

    def act(self) -> None:
        """Staff file a sheet, or another one for the same match."""
        match = Match.objects.get(pk=self.chance.choice(self.matches).pk)
        sheet = open_match_sheet(self.olive, match, self.now)
        sums = [self.chance.randint(0, 40) for _player in sheet.players]
        played = [
            {**player, "sums": {"face_value": worth, "bonus": 0, "catastrophe": 0}}
            for player, worth in zip(sheet.players, sums, strict=True)
        ]
        with suppress(Conflict):  # the one before is being tallied
            file_match_sheet(self.olive, match, self.now, content={"players": played, "options": {}}, reason="again")
            self.filed[match.pk] = sums

    @contextmanager
    def mortal(self) -> Iterator[None]:
        """Whatever runs here may be killed before any statement."""
        left = self.chance.randint(1, DEADLY) if self.is_harmed and self.chance.random() < 0.3 else None

        def count(execute: Any, *asked: Any) -> Any:
            nonlocal left
            if left is not None:
                left -= 1
                if left < 0:
                    left = None  # what a database takes back of a dead process goes on
                    self.harm["killed"] += 1
                    raise Killed
            return execute(*asked)

        with suppress(Killed), connection.execute_wrapper(count):
            yield

    def relay(self) -> None:
        """A relay sends what is due and, now and then, what got lost."""
        with self.mortal(), suppress(relay.Outage):
            while relay.relay_batch(self.app, Event()):
                pass
            relay.recover(self.app)

    def deliver(self) -> None:
        """A worker takes a message, seldom the oldest; it is lost, or there twice, if that is how it goes."""
        waiting = Channel.queues["celery"].queue if "celery" in Channel.queues else ()
        if not waiting:
            return
        place = self.chance.randrange(len(waiting)) if self.is_harmed else 0
        raw, fate = waiting[place], self.chance.choice(FATES) if self.is_harmed else ""
        self.harm[fate] += 1
        if fate != "doubled":
            del waiting[place]
        if fate != "lost":
            self.work(raw)

    def work(self, raw: dict[str, Any]) -> None:
        """Do what a message asks for, as a worker does."""
        task, args = site.tasks[raw["headers"]["task"]], json.loads(base64.b64decode(raw["body"]))[0]
        task.push_request(id=raw["headers"]["id"], hostname="worker")
        try:
            with self.mortal():
                task(*args)
        finally:
            task.pop_request()
        assert not MatchSheet.objects.exclude(returned="").exists(), "a sheet went back to its table"

    def hinder(self) -> None:
        """Now and then a worker dies here, or sleeps for longer than its lease while the others go on."""
        fate = self.chance.random() if self.is_harmed else 1.0
        if fate < 0.1:
            self.harm["killed"] += 1
            raise Killed
        if fate < 0.3:
            self.harm["stalled"] += 1
            self.wait(self.chance.uniform(0, 40))
            for _turn in range(3):
                self.relay()
                self.deliver()

    def step(self) -> None:
        """One thing happens."""
        kind = self.chance.random()
        if kind < FILED:
            self.act()
        elif kind < 0.5:
            self.relay()
        elif kind < 0.8:
            self.deliver()
        elif kind < 0.82:
            self.harm["wiped"] += 1
            Channel.queues.clear()
        else:
            self.wait(self.chance.uniform(0, 12))

    def come_to_rest(self) -> None:
        """Nothing is harmed any more; what was parked, since its workers died, is tried again by the organiser."""
        self.is_harmed = False
        for _turn in range(AFTERWARDS):
            if not undone():
                break
            self.relay()
            while Channel.queues.get("celery") and Channel.queues["celery"].queue:
                self.deliver()
            retry_failed(list(OutboxMessage.objects.exclude(parked_at=None).values_list("pk", flat=True)))
            self.wait(5)

    def check(self) -> None:
        """Everything that was asked for is done, each sheet that counts was tallied and reported once, and is right."""
        assert not undone()
        assert {match: scores_of(match) for match in self.filed} == self.filed
        for match in self.filed:
            revisions = list(ResultReport.objects.filter(match=match).values_list("sheet_revision", flat=True))
            assert len(revisions) == len(set(revisions)) == SheetTally.objects.filter(revision__in=revisions).count()


def undone() -> bool:
    """Whether any work waits to be done."""
    return OutboxMessage.objects.filter(done_at=None).exists()


def scores_of(match: int) -> list[int]:
    """Everybody's score in the result that counts, in seat order."""
    report = Match.objects.get(pk=match).accepted_report
    return [] if report is None else [int(row.score or 0) for row in report.seat_results.order_by("seat__order")]


@pytest.fixture(autouse=True)
def _world(monkeypatch) -> Iterator[None]:
    """Celery's tasks as in a worker, no threads, and the clock as it was afterwards."""
    site.loader.import_default_modules()
    monkeypatch.setattr(background_jobs, "_signs_of_life", lambda lease: nullcontext())
    monkeypatch.setattr(clock, "_QUERIES", dict(clock._QUERIES))
    yield
    Channel.queues.clear()


@pytest.fixture
def world(monkeypatch) -> World:
    """A world with a broker in memory, whose workers may stand still after they took a message and before its end."""
    app = Celery("histories", set_as_current=False)
    app.config_from_object("django.conf:settings", namespace="CELERY")
    app.conf.broker_url = "memory://"
    made, acquire, complete = World(app), background_jobs.acquire, background_jobs.complete
    monkeypatch.setattr(background_jobs, "acquire", lambda *asked: (acquire(*asked), made.hinder())[0])
    monkeypatch.setattr(background_jobs, "complete", lambda lease: (made.hinder(), complete(lease))[1])
    return made


def play(world: World, histories: int, seed: int) -> None:
    """So many histories, each taken back afterwards; AssertionError names one that went wrong."""
    for number in range(histories):
        with transaction.atomic():
            try:
                world.begin(random.Random(f"{seed} {number}"))
                for _step in range(STEPS):
                    world.step()
                world.come_to_rest()
                world.check()
            except Exception as error:
                raise AssertionError(f"history {number} of seed {seed}") from error
            finally:
                transaction.set_rollback(True)


def test_whatever_the_broker_does_each_sheet_is_tallied_and_reported_once(world, seed, many):
    play(world, many(2000, 6), seed)
    assert set(world.harm) == {"", "lost", "doubled", "killed", "stalled", "wiped"}


def test_control_a_relay_that_sends_nothing_again_leaves_work_undone(world, seed, monkeypatch):
    monkeypatch.setattr(relay, "recover", lambda app: 0)
    with pytest.raises(AssertionError, match="history"):
        play(world, 20, seed)

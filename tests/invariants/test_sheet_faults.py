"""Score sheets under faults: none is lost, none is counted twice, whatever dies, stalls, is wiped or comes twice.

Real processes: the relay, two workers, a Valkey of their own, a client that files sheets, and the test's database. Each
proof has a control: with its guard taken out the same run must go wrong.
"""

import json
import os
import random
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing.process import BaseProcess
from pathlib import Path

import pytest
from django.db import connection

from journal.clock import database_now
from journal.models import OutboxMessage
from journal.outbox.messages import enqueue
from scoring.models import ScoreSheet, SheetRevision, SheetTally
from scoring.sheets.services import file_sheet, open_sheet
from tests.invariants.processes import KINDS, Nemesis, Processes, processes_in, wait_until
from tests.races import FORK, forked
from tests.tournaments.factories import account, next_round, running
from tournaments.core.matches import seats_in_order
from tournaments.models import Match, MatchSheet, ResultReport
from tournaments.sheets.selectors.sheets import REPORT
from tournaments.sheets.services.filing import file_match_sheet
from tournaments.sheets.services.writing import open_match_sheet

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.postgresql]
ALL = ("broker", "relay", "worker1", "worker2")
LONG = 90.0
"""Seconds of patience with what has to come: a busy machine starts a worker slowly."""
TALLY_ONCE = "scoring_sheettally_revision_id_key"


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder with a name short enough for a socket."""
    with tempfile.TemporaryDirectory(prefix="dd-site-", dir="/tmp") as name:
        yield Path(name)


def content(sheet: ScoreSheet, points: list[int]) -> dict:
    """A sheet in a hurry: the sums alone."""
    players = [
        {**player, "sums": {"face_value": number, "bonus": 1, "catastrophe": 0}}
        for player, number in zip(sheet.players, points, strict=True)
    ]
    return {"players": players, "options": sheet.options}


def open_table(number: int) -> ScoreSheet:
    """A table of no event."""
    players = [{"name": name} for name in ("Ada", "Ben", "Cem")]
    return open_sheet(account("olive"), "doomlings", players, {}, database_now())


def file_next(sheet: ScoreSheet, chance: random.Random) -> tuple[SheetRevision, list[int]]:
    """The next revision of a sheet, and what each player scores by it; at an event its first player files it."""
    points = [chance.randint(0, 60) for _player in sheet.players]
    filled, olive = content(sheet, points), account("olive")
    held = MatchSheet.objects.select_related("match").filter(sheet=sheet).first()
    if held is None:
        revision = file_sheet(olive, sheet, filled, database_now(), handoff=REPORT)
    else:
        seat = seats_in_order(held.match)[0]
        revision = file_match_sheet(olive, held.match, database_now(), seat=seat, content=filled)
    return revision, [number + 1 for number in points]


class Client:
    """A process that files sheets until told to stop; what was acknowledged it writes to a file of its own."""

    process: BaseProcess

    def __init__(self, file: Path, seed: int, a_second: float) -> None:
        self.file, self.seed, self.pause = file, seed, 1 / a_second
        self.stop = FORK.Event()

    def run(self) -> None:
        """File sheets until told to stop."""
        chance, sheets = random.Random(self.seed), list(ScoreSheet.objects.all())
        with self.file.open("a") as acknowledged:
            while not self.stop.wait(self.pause):
                if chance.random() < 0.3:
                    sheets.append(open_table(len(sheets)))
                revision, scores = file_next(chance.choice(sheets), chance)
                acknowledged.write(json.dumps([revision.sheet_id, revision.pk, scores]) + "\n")
                acknowledged.flush()
                os.fsync(acknowledged.fileno())

    def acknowledged(self) -> dict[int, tuple[int, list[int]]]:
        """By sheet, the newest revision that was acknowledged and its scores."""
        lines = map(json.loads, self.file.read_text().splitlines())
        return {sheet: (revision, scores) for sheet, revision, scores in lines}


@contextmanager
def filing(folder: Path, seed: int, a_second: float = 8) -> Iterator[Client]:
    """A client at work."""
    client = Client(folder / "acknowledged", seed, a_second)
    with forked(client.run) as process:
        client.process = process
        try:
            yield client
        finally:
            client.stop.set()
            process.join(20)


def undone() -> int:
    """How many messages are neither done nor parked."""
    return OutboxMessage.objects.filter(done_at=None, parked_at=None).count()


def faults_of(client: Client) -> dict[str, int]:
    """What went wrong with the acknowledged sheets: lost, counted twice, wrong."""
    tallies = Counter(SheetTally.objects.values_list("revision_id", flat=True))
    handed = Counter(row[0] for row in OutboxMessage.objects.filter(task=REPORT).values_list("args", flat=True))
    reports = Counter(ResultReport.objects.values_list("sheet_revision_id", flat=True))
    matches = dict(MatchSheet.objects.values_list("sheet_id", "match_id"))
    newest = client.acknowledged()
    scores = {
        tally.revision_id: [player["score"] for player in tally.tally["players"]]
        for tally in SheetTally.objects.filter(revision__in=[revision for revision, _scores in newest.values()])
    }
    twice = [revision for count in (tallies, handed, reports) for revision, times in count.items() if times > 1]
    return {
        "lost": sum(1 for revision, _scores in newest.values() if not tallies[revision] or not handed[revision]),
        "not reported": sum(1 for sheet in matches if sheet in newest and not reports[newest[sheet][0]]),
        "twice": len(twice),
        "wrong": sum(1 for revision, right in newest.values() if scores.get(revision, right) != right),
        "parked": OutboxMessage.objects.exclude(parked_at=None).count(),
    }


def event_tables() -> list[Match]:
    """The tables of a round of Doomlings whose results come from sheets; each has its sheet."""
    tournament = running(24, game="doomlings", game_format="standard", score_sheets=True)
    matches = list(next_round(tournament).matches.all())
    for match in matches:
        open_match_sheet(account("olive"), match, database_now())
    return matches


NONE = {"lost": 0, "not reported": 0, "twice": 0, "wrong": 0, "parked": 0}


def test_no_fault_loses_or_doubles_a_sheet(folder, seed, many):
    count = many(200, len(KINDS))
    chance = random.Random(seed)
    event_tables()
    began = time.monotonic()
    with processes_in(folder, *ALL) as site, filing(folder, seed) as client:
        nemesis = Nemesis(site, chance)
        for number in range(count):
            nemesis.strike(KINDS[number % len(KINDS)] if number < len(KINDS) else "")
            time.sleep(chance.uniform(0, 0.4))
        client.stop.set()
        client.process.join(20)
        assert client.process.exitcode == 0
        ended = time.monotonic()
        assert wait_until(lambda: not undone(), LONG), site.said("worker1")[-3000:]
        print(
            f"seed {seed}: {sum(nemesis.done.values())} faults {nemesis.done} in {ended - began:.0f} s, "
            f"{SheetRevision.objects.count()} revisions of {len(client.acknowledged())} sheets, "
            f"{OutboxMessage.objects.count()} messages; all done {time.monotonic() - ended:.1f} s after the last fault"
        )
        assert faults_of(client) == NONE


def file_sheets(count: int, folder: Path) -> Client:
    """Some sheets filed at once by a client that is not asked to run."""
    client, chance = Client(folder / "acknowledged", 1, 1), random.Random(1)
    with client.file.open("a") as acknowledged:
        for number in range(count):
            revision, scores = file_next(open_table(number), chance)
            acknowledged.write(json.dumps([revision.sheet_id, revision.pk, scores]) + "\n")
    return client


def delivered() -> bool:
    """Whether the relay has handed everything over."""
    return not OutboxMessage.objects.filter(delivered_at=None, done_at=None).exists()


def settle(site: Processes) -> None:
    """Wait until the workers are there and do what is asked for, and then as long as sending again may take."""
    fresh, _scores = file_next(open_table(0), random.Random(0))
    assert wait_until(lambda: SheetTally.objects.filter(revision=fresh).exists(), LONG), site.said("relay")
    wait_until(lambda: not undone(), 3 * site.patience + 4)


def wipe(site: Processes) -> dict[str, int]:
    """Sheets that wait in the queue when it is wiped; then a worker comes, and has time enough."""
    client = file_sheets(3, site.folder)
    assert wait_until(delivered, LONG)
    site.server.flushall()
    site.start("worker1")
    settle(site)
    return faults_of(client)


def kill_workers(site: Processes) -> dict[str, int]:
    """A worker killed in the midst of sheets; then another comes, and has time enough."""
    client = file_sheets(12, site.folder)
    assert wait_until(lambda: OutboxMessage.objects.exclude(begun_at=None).exists(), LONG)
    site.kill("worker1")
    site.start("worker2")
    settle(site)
    return faults_of(client)


def deliver_often(site: Processes) -> dict[str, int]:
    """Sheets that come five times each, to two workers."""
    client = file_sheets(6, site.folder)
    for message in OutboxMessage.objects.filter(task="scoring.tally_sheet"):
        site.send(message, 5)
    settle(site)
    assert wait_until(lambda: site.server.llen("celery") == 0, LONG)
    time.sleep(1)
    return faults_of(client)


@contextmanager
def without_unique_tally() -> Iterator[None]:
    """The database's own guard taken out, and put back once the doubled rows are gone."""
    alter = "ALTER TABLE scoring_sheettally"
    run_sql(f"{alter} DROP CONSTRAINT {TALLY_ONCE}")
    try:
        yield
    finally:
        run_sql("TRUNCATE scoring_sheettally")
        run_sql(f"{alter} ADD CONSTRAINT {TALLY_ONCE} UNIQUE (revision_id)")


def run_sql(statement: str) -> None:
    """One statement, on a connection of its own: the site closes those it finds."""
    with connection.cursor() as cursor:
        cursor.execute(statement)


@pytest.mark.long
def test_a_wiped_queue_loses_no_sheet(folder):
    with processes_in(folder, "broker", "relay") as site:
        assert wipe(site) == NONE


@pytest.mark.long
def test_control_without_sending_again_a_wiped_queue_loses_sheets(folder):
    with processes_in(folder, "broker", "relay", controls=("no_resending",)) as site:
        assert wipe(site)["lost"] == 3


@pytest.mark.long
def test_a_killed_worker_loses_no_sheet(folder):
    with processes_in(folder, "broker", "relay", "worker1") as site:
        assert kill_workers(site) == NONE


@pytest.mark.long
def test_control_with_early_acks_and_nothing_sent_again_a_killed_worker_loses_sheets(folder):
    with processes_in(folder, "broker", "relay", "worker1", controls=("no_resending", "early_ack")) as site:
        assert kill_workers(site)["lost"] > 0


@pytest.mark.long
def test_a_sheet_that_comes_often_counts_once(folder):
    with processes_in(folder, "broker", "relay", "worker1", "worker2") as site:
        assert deliver_often(site) == NONE


@pytest.mark.long
def test_control_without_guards_a_sheet_that_comes_often_counts_more_than_once(folder):
    controls = ("no_guards",)
    with (
        without_unique_tally(),
        processes_in(folder, "broker", "relay", "worker1", "worker2", controls=controls) as site,
    ):
        assert deliver_often(site)["twice"] > 0


def test_what_kills_its_worker_is_parked_and_the_others_flow(folder):
    """J3: three workers' processes die of it, then it rests; sheets are tallied all the while."""
    poison = enqueue("trust.poison", [], database_now())
    with processes_in(folder, "broker", "relay", "worker1", patience=1.5):
        assert wait_until(lambda: OutboxMessage.objects.filter(pk=poison.pk, starts__gte=1).exists(), LONG)
        began, client = time.monotonic(), file_sheets(5, folder)
        assert wait_until(lambda: faults_of(client)["lost"] == 0, 30)
        flowed = time.monotonic() - began
        assert wait_until(lambda: OutboxMessage.objects.exclude(parked_at=None).exists(), LONG)
        poison.refresh_from_db()
        assert (poison.starts, poison.done_at) == (3, None)
        print(f"others done after {flowed:.1f} s, parked after {time.monotonic() - began:.1f} s")


def test_without_workers_queue_and_relay_the_web_process_tallies(folder):
    """The broker is not even there: filing works, and the web process adds up the sheets and hands on."""
    with processes_in(folder, "web", patience=1.5) as site:
        client = file_sheets(4, folder)
        assert wait_until(lambda: not undone(), LONG), site.said("web")
        assert faults_of(client) == NONE
        workers = set(OutboxMessage.objects.filter(task__in=("scoring.tally_sheet", REPORT)).values_list("worker"))
        assert all(name.startswith("web-") for (name,) in workers)
        assert "does short work itself" in site.said("web")

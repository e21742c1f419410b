"""Score sheets under faults: none is lost, none is counted twice, whatever dies, stalls, is wiped or comes twice.

Real processes: the relay, two workers, a Valkey of their own, a client that files sheets, and the test's database. Each
proof has a control: with its guard taken out the same run must go wrong.
"""

import json
import multiprocessing
import os
import random
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from journal.clock import database_now
from journal.models import OutboxMessage
from scoring.models import ScoreSheet, SheetRevision, SheetTally
from scoring.services import file_sheet, open_sheet
from tests.races import _start_afresh, close_connections
from tests.tournaments.cast import account, next_round, running
from tests.trust.yard import KINDS, Nemesis, wait_until, yard_in
from tournaments.models import Match, MatchSheet, ResultReport
from tournaments.services.results import seats_in_order
from tournaments.services.sheets import REPORT, file_match_sheet, open_match_sheet

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.postgresql]
ALL = ("broker", "relay", "worker1", "worker2")
TALLY_ONCE = "scoring_sheettally_revision_id_key"


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder with a name short enough for a socket."""
    with tempfile.TemporaryDirectory(prefix="dd-yard-", dir="/tmp") as name:
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

    def __init__(self, file: Path, seed: int, a_second: float) -> None:
        self.file, self.seed, self.pause = file, seed, 1 / a_second
        fork = multiprocessing.get_context("fork")
        self.stop, self.process = fork.Event(), fork.Process(target=self._run)

    def _run(self) -> None:
        _start_afresh()
        chance, sheets = random.Random(self.seed), list(ScoreSheet.objects.all())
        with self.file.open("a") as acknowledged:
            while not self.stop.wait(self.pause):
                if chance.random() < 0.3:
                    sheets.append(open_table(len(sheets)))
                revision, scores = file_next(chance.choice(sheets), chance)
                acknowledged.write(json.dumps([revision.sheet_id, revision.pk, scores]) + "\n")
                acknowledged.flush()
                os.fsync(acknowledged.fileno())
        close_connections()

    def acknowledged(self) -> dict[int, tuple[int, list[int]]]:
        """By sheet, the newest revision that was acknowledged and its scores."""
        lines = map(json.loads, self.file.read_text().splitlines())
        return {sheet: (revision, scores) for sheet, revision, scores in lines}


@contextmanager
def filing(folder: Path, seed: int, a_second: float = 8) -> Iterator[Client]:
    """A client at work."""
    close_connections()
    client = Client(folder / "acknowledged", seed, a_second)
    client.process.start()
    try:
        yield client
    finally:
        client.stop.set()
        client.process.join(20)
        client.process.kill()


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


def test_no_fault_loses_or_doubles_a_sheet(folder, seed, request):
    count = 200 if request.config.getoption("--long") else 12
    chance = random.Random(seed)
    event_tables()
    began = time.monotonic()
    with yard_in(folder, *ALL) as yard, filing(folder, seed) as client:
        nemesis = Nemesis(yard, chance)
        for number in range(count):
            nemesis.strike(KINDS[number % len(KINDS)] if number < len(KINDS) else "")
            time.sleep(chance.uniform(0, 0.4))
        client.stop.set()
        client.process.join(20)
        assert client.process.exitcode == 0
        ended = time.monotonic()
        assert wait_until(lambda: not undone(), 60), yard.said("worker1")[-3000:]
        print(
            f"seed {seed}: {sum(nemesis.done.values())} faults {nemesis.done} in {ended - began:.0f} s, "
            f"{SheetRevision.objects.count()} revisions of {len(client.acknowledged())} sheets, "
            f"{OutboxMessage.objects.count()} messages; all done {time.monotonic() - ended:.1f} s after the last fault"
        )
        assert faults_of(client) == NONE

"""A whole site of real processes on a database of its own, programs that use it by API, and what they find afterwards.

The database is a durable PostgreSQL that can be killed, or the SQLite file of a laptop.
"""

import random
import signal
import subprocess
import tempfile
import time
import urllib.request
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from threading import Event, Thread
from typing import Any

from launch.database import manage
from tests.invariants.fault_databases import PATIENCE, Laptop, Server
from tests.invariants.processes import KINDS, Nemesis, Processes, wait_until
from tests.invariants.result_clients import Api, Reporters

LAPTOP_ROLES = ("broker", "relay", "worker1", "web")
ROLES = ("broker", "relay", "worker1", "worker2", "push-worker-1", "web", "web2")
PLAYERS = 16
WIN = 3
UNDONE = (
    "SELECT task, args, starts, attempts, available_at, leased_until, delivered_at, last_error "
    "FROM journal_outboxmessage WHERE done_at IS NULL AND parked_at IS NULL"
)
PARKED = "SELECT task, args, last_error FROM journal_outboxmessage WHERE parked_at IS NOT NULL"


class HarderNemesis(Nemesis):
    """Also harms the web processes, the worker that pushes and the database."""

    kinds = (
        *(kind for kind in KINDS if not kind.startswith("deliver")),
        "kill_web", "pause_web", "kill_postgres", "kill_session",
    )  # fmt: skip

    def __init__(self, site: Processes, chance: random.Random, server: Server) -> None:
        super().__init__(site, chance)
        self.server = server

    def _worker(self) -> str:
        return self.chance.choice(["worker1", "worker2", "push-worker-1"])

    def kill_web(self) -> None:
        """kill -9 of one web process; another takes its place."""
        self._restart(self.chance.choice(["web", "web2"]), 0.5)

    def pause_web(self) -> None:
        """One web process stands still for a while."""
        self._pause(self.chance.choice(["web", "web2"]), 0.2, 1.5)

    def kill_postgres(self) -> None:
        """kill -9 of the database server."""
        self.server.kill()

    def kill_session(self) -> None:
        """kill -9 of one of the database's own processes."""
        self.server.kill_session(self.chance)


class Deaths(Nemesis):
    """Ends every process of the site at once, as when a laptop's battery is taken out, and starts it again."""

    kinds = ("kill_everything",)

    def kill_everything(self) -> None:
        """kill -9 of all; they come back in any order, and are used for a while before the next death."""
        names = list(self.site.running)
        for name in names:
            self.site.signal(name, signal.SIGKILL)
        for name in names:
            self.site.end(name)
        self.chance.shuffle(names)
        for name in names:
            self.site.start(name)
        assert wait_until(lambda: is_ready(self.site.port), PATIENCE), self.site.said("web")
        time.sleep(self.chance.uniform(0, 1))


@dataclass(frozen=True)
class Stage:
    """A site with its database, a program with an organiser's token, the path of a running event, and its chance."""

    site: Processes
    database: Server | Laptop
    api: Api
    path: str
    chance: random.Random

    def get(self, path: str) -> Any:
        """What the API answers below the event."""
        return good(self.api.ask("GET", f"{self.path}{path}", chance=self.chance))

    def press(self, path: str, body: object, key: str) -> tuple[int, Any]:
        """Status and answer of an act below the event."""
        status, told = self.api.ask("POST", f"{self.path}{path}", body, key, chance=self.chance)
        return status, told


@contextmanager
def site_with_event(
    chance: random.Random, *controls: str, laptop: bool = False, mails: bool = False, patience: float = 2.0
) -> Iterator[Stage]:
    """A whole site, and an organiser's program with a running event on it; its `mails` lie in the folder "mails".

    Work is lost, and done by web processes, after `patience` seconds.
    """
    with tempfile.TemporaryDirectory(prefix="dd-rf-", dir="/tmp") as folder:
        database: Server | Laptop = Laptop(Path(folder)) if laptop else Server()
        extra = {"DOOMDESK_MAIL": "1", "DOOMDESK_MAIL_FOLDER": f"{folder}/mails"} if mails else {}
        site = Processes(Path(folder), patience, controls, database.url, extra)
        try:
            run(site, "migrate", "--verbosity", "0")
            password = run(site, "create_organiser", "olive").strip()
            for role in LAPTOP_ROLES if laptop else ROLES:
                site.start(role)
            ports = [site.port] if laptop else [site.port, site.other_port]
            assert wait_until(lambda: all(map(is_ready, ports)), PATIENCE), site.said("web")
            api = Api(ports)
            yield Stage(site, database, api, begin_event(api, password, chance), chance)
        finally:
            site.stop()
            database.remove()


def run(site: Processes, *command: str) -> str:
    """What a command of the site prints."""
    asked = manage(*command, "--skip-checks")
    done = subprocess.run(asked, env=site.environment, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def is_ready(port: int) -> bool:
    """Whether a web process answers."""
    with suppress(OSError), urllib.request.urlopen(f"http://localhost:{port}/health/", timeout=5) as answer:
        return bool(answer.status == 200)
    return False


def good(answer: tuple[int, Any]) -> Any:
    """The JSON of an answer that must be none of an error."""
    assert answer[0] < 400, answer
    return answer[1]


def begin_event(api: Api, password: str, chance: random.Random) -> str:
    """The path of a started event, made by the API alone."""
    login = {"username": "olive", "password": password, "name": "harness", "scope": "organise"}
    api.token = good(api.ask("POST", "/tokens/", login, chance=chance))["token"]
    settings = {
        "name": "Under fire", "starts_at": "2026-05-10T10:00:00Z", "game": "doom_pile", "game_format": "standard",
        "swiss_rounds": 8,
    }  # fmt: skip
    path = f"/events/{good(api.ask('POST', '/events/', settings, 'create', chance=chance))['slug']}/"
    good(api.ask("POST", f"{path}open/", {}, "open", chance=chance))
    names = [{"name": f"Player {number:02}"} for number in range(1, PLAYERS + 1)]
    good(api.ask("POST", f"{path}entries/", {"entries": names}, "enter", chance=chance))
    good(api.ask("POST", f"{path}start/", {}, "start", chance=chance))
    return path


def play(stage: Stage, rounds: int, acts: int, seed: int) -> Reporters:
    """Pair, publish, report and correct so many rounds, whatever dies meanwhile."""
    reporters = Reporters(stage.api, stage.path, seed)
    for number in range(1, rounds + 1):
        paired = stage.press("rounds/", {"after": number - 1}, f"pair-{number}")
        assert paired[0] in (201, 409), paired
        published = stage.press(f"rounds/{number}/publish/", {}, f"publish-{number}")
        assert published[0] in (200, 409), published
        reporters.report([match["id"] for match in stage.get(f"rounds/{number}/matches/")["results"]], acts)
    return reporters


@contextmanager
def harmed(nemesis: Nemesis, strikes: int) -> Iterator[None]:
    """While the block runs, and until there were so many strikes, the nemesis strikes; raises what stopped it."""
    over, broken = Event(), list[BaseException]()

    def harm() -> None:
        number = 0
        try:
            while not over.is_set() or number < strikes:
                nemesis.strike(nemesis.kinds[number] if number < len(nemesis.kinds) else "")
                number += 1
                time.sleep(nemesis.chance.uniform(0.1, 0.6) if number < strikes else 4)
        except BaseException as error:
            broken.append(error)

    harmer = Thread(target=harm, daemon=True)
    harmer.start()
    try:
        yield
    except BaseException as error:
        raise (broken or [error])[0] from error
    finally:
        over.set()
        harmer.join()
    if broken:
        raise broken[0]


def check(stage: Stage, reporters: Reporters, rounds: int) -> None:
    """All that was acknowledged is there once, nothing was answered 500, work is done, standings and log are right."""
    assert wait_until(lambda: not stage.database.rows(UNDONE), 3 * PATIENCE), stage.database.rows(UNDONE)
    shown = shown_matches(stage, rounds)
    assert (reporters.refused, reporters.different, reporters.missing(shown)) == ([], [], [])
    assert len(reporters.told) == len(shown) == rounds * PLAYERS // 2
    faults = [each for each in stage.api.statuses if isinstance(each, int) and each >= 500 and each != 503]
    assert not faults, stage.api.statuses
    assert not stage.api.statuses["no Retry-After"]
    assert stage.database.rows(PARKED) == []
    assert {row["entry"]: row["points"] for row in stage.get("standings/")["results"]} == naive_points(shown)
    run(stage.site, "verify_ledger")


def shown_matches(stage: Stage, rounds: int) -> list[dict[str, Any]]:
    """The matches of all rounds as the API shows them."""
    return [each for number in range(1, rounds + 1) for each in stage.get(f"rounds/{number}/matches/")["results"]]


def all_changes(stage: Stage) -> list[dict[str, Any]]:
    """Everything that the log tells an organiser's program."""
    found: list[dict[str, Any]] = []
    after = 0
    while True:
        page = stage.get(f"changes/?after={after}&limit=500")
        found += page["changes"]
        after = page["next"]
        if after >= page["head"]:
            return found


def naive_points(shown: list[dict[str, Any]]) -> Counter[int]:
    """Points by entry, counted from the results that are shown."""
    points: Counter[int] = Counter()
    for match in shown:
        first, second = (seat["entry"] for seat in match["seats"])
        won, lost = match["result"]["games_won"]
        points[first] += WIN if won > lost else 0
        points[second] += WIN if lost > won else 0
    return points

"""The end of a large round: everybody reports and looks at once, on real processes of one machine.

`.venv/bin/python -m tests.benchmarks.round_end [--players 1000] [--seconds 60] [--streams 200] [--laptop] [--faults]`,
once ./test has installed its requirements. PostgreSQL and Valkey with the durability of production, two web processes,
two workers and a relay; with --laptop SQLite and the one web process of `./run`. In so many seconds every table reports
(the desk or both players; 10 % send a report twice, 5 % tell two results), every phone opens the pairings and its own
match, and so many open pages follow. Answers 1 where something was lost, doubled, older than it said or somebody
else's, or where a limit of time or memory was passed; limits mean little while the machine does something else. With
--faults it all happens a second time, while every process of the site is killed once and Valkey is emptied: answers may
then take three times as long, and nobody is answered an error but 503.
"""

import argparse
import json
import os
import secrets
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from launch import roles, site, valkey
from launch.children import Child, Crew
from launch.database import manage
from launch.environment import keep_bytecode
from launch.network import is_open
from launch.postgres import Postgres
from tests.benchmarks.round_end_faults import seconds_until_done, under_fire
from tests.launch.conftest import free_port

SITE = "from tests.benchmarks.round_end_site import"
OPENED = 20
"""How many pages that follow the event are opened each second before the round ends: they are there when it does."""
LIMITS = {"result, until stored": 1.0, "pairings": 2.0, "my": 2.0}
"""Seconds of the 95th of a hundred answers."""
TIMES = 3
"""How many times as long they may take while processes are killed."""
MAX_MEMORY = 250
"""MiB of one web process."""
MAX_UNDONE = 30
"""Seconds after the last fault in which background work is done."""


@dataclass
class Servers:
    folder: Path
    is_laptop: bool
    crew: Crew = field(default_factory=Crew)
    web: list[Child] = field(default_factory=list)
    ports: list[int] = field(default_factory=list)

    def use_settings(self, address: str) -> None:
        """Have this process, the launcher of the others, see the settings of the site."""
        own = {"DOOMDESK_VAR": str(self.folder / "var"), "REDIS_URL": f"unix://{self.folder}/v.sock?db=0"}
        if not self.is_laptop:
            own |= {
                "DJANGO_SETTINGS_MODULE": "config.settings.production", "SECRET_KEY": secrets.token_urlsafe(64),
                "ALLOWED_HOSTS": "localhost", "CSRF_TRUSTED_ORIGINS": "https://localhost", "DATABASE_URL": address,
            }  # fmt: skip
        for name in ("DATABASE_URL", "DJANGO_SETTINGS_MODULE"):
            os.environ.pop(name, None)
        os.environ.update(own)

    def call(self, *command: str) -> None:
        """Run a command of the site to its end."""
        environment = roles.site_environment(self.folder / "var")
        subprocess.run(command, env=environment, check=True, stdout=subprocess.DEVNULL)

    def ask(self, function: str, arguments: str) -> None:
        """Have the site's part do something."""
        self.call(*manage("shell", "--verbosity", "0", "-c", f"{SITE} {function}; {function}({arguments})"))

    def launch(self, child: Child) -> Child:
        """Start a process, which writes into a file beside its data."""
        child.log = self.folder / "log"
        return self.crew.start(child)

    def start(self) -> None:
        """Start what answers and works, and wait for it."""
        for number in range(1 if self.is_laptop else 2):
            self.ports.append(free_port())
            door = roles.Door(self.ports[-1], [])
            environment = roles.site_environment(self.folder / "var", door)
            if not self.web:
                site.collect_static(self.folder / "var", environment)
            worker = roles.worker(environment)
            worker.command[-1] = f"worker-{number}@%h"
            self.web.append(self.launch(roles.web(environment, door)))
            self.launch(worker)
        self.launch(roles.relay(environment))
        while not all(map(is_open, self.ports)):
            time.sleep(0.1)


@contextmanager
def servers(options: argparse.Namespace) -> Iterator[Servers]:
    """A site with its event before the end of the round, ended afterwards."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="dd-r-", dir="/tmp")))
        found = Servers(folder, options.laptop)
        stack.callback(found.crew.stop)
        (folder / "var").mkdir()
        address = ""
        if not options.laptop:
            postgres = Postgres(found.crew, durable=True)
            stack.callback(postgres.remove)
            stack.callback(found.crew.stop)
            address = postgres.start()
        found.use_settings(address)
        command = valkey.server_command(folder, folder / "v.sock", durable=True)
        valkey.wait_until_ready(found.crew.start(Child("Valkey", command, os.environ)), folder / "v.sock")
        found.call(*manage("migrate", "--verbosity", "0"))
        found.ask("set_up", f"{options.players}, {options.seed}, {str(folder / 'room.json')!r}")
        found.start()
        yield found


def run(found: Servers, options: argparse.Namespace, *, is_harmed: bool) -> dict[str, Any]:
    """One end of a round; what both processes of clients saw, what is stored, and what the web processes used.

    Where it is harmed, also what was, and after how many seconds nothing was left undone.
    """
    folder = found.folder
    told = {name: getattr(options, name) for name in ("seconds", "streams", "seed")}
    scheme = "http" if options.laptop else "https"
    opening = max(1, options.streams / OPENED)
    begin = time.time() + opening + 5
    told |= {"ports": found.ports, "scheme": scheme, "begin": begin, "opening": opening, "is_harmed": is_harmed}
    (folder / "run.json").write_text(json.dumps(told))
    before = [used(each) for each in found.web]
    command = [sys.executable, "-m", "tests.benchmarks.round_end_room"]
    harm: dict[str, Any] = {}
    with ExitStack() as stack:
        if is_harmed:
            fire = stack.enter_context(under_fire(found.crew, folder / "v.sock", begin, options.seconds, options.seed))
        clients = [subprocess.Popen([*command, role, str(folder)]) for role in ("reports", "readers")]
        for client in clients:
            assert client.wait() == 0, "a process of clients failed"
        if is_harmed:
            harm = {"harmed": fire.harmed, "undone": seconds_until_done(os.environ["DATABASE_URL"], fire.last)}
    after = [used(each) for each in found.web]
    found.ask("look_after", repr(str(folder / "stored.json")))
    answer = {name: json.loads((folder / f"{name}.json").read_text()) for name in ("reports", "readers", "stored")}
    work = [end[0] - start[0] for start, end in zip(before, after, strict=True)]
    return {**answer, **harm, "work": work, "memory": [each[1] for each in after]}


def used(child: Child) -> tuple[float, float]:
    """Seconds of processor time that a process has used, and its memory at most, in MiB."""
    assert child.process is not None
    folder = Path(f"/proc/{child.process.pid}")
    fields = (folder / "stat").read_text().rpartition(")")[2].split()
    peak = next(line for line in (folder / "status").read_text().splitlines() if line.startswith("VmHWM"))
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK"), int(peak.split()[1]) / 1024


def wrong(found: dict[str, Any]) -> Counter[str]:
    """What is not as it should be, counted; nothing of it depends on how fast this machine is."""
    faults = Counter(found["reports"]["faults"]) + Counter(found["readers"]["faults"])
    acts = {act["match"]: act for act in found["reports"]["acts"]}
    for match, act in acts.items():
        stored = found["stored"][str(match)]
        faults["reports lost"] += max(0, act["told"] - stored["reports"])
        faults["reports doubled"] += max(0, stored["reports"] - act["sent"])  # an unanswered one may be stored, once
        if act["counts"] and not act["conflict"]:
            faults["results lost or wrong"] += int(stored["won"] != act["won"] or stored["state"] != "done")
    counted = sorted(act["at"] for act in acts.values() if act["counts"] and not act["conflict"])
    for view in found["readers"]["views"]:
        if view["done"] is not None:
            faults["lists older than they say"] += int(sum(at < view["as_of"] for at in counted) > view["done"])
        act = acts.get(view["match"])
        if view["phase"] and act and act["counts"] and not act["conflict"] and act["at"] < view["as_of"]:
            faults["own matches older than they say"] += int(view["phase"] != "done")
    return +faults


def percentile(seconds: list[float], percent: int) -> float:
    """So many of a hundred took no longer."""
    return statistics.quantiles(seconds, n=100, method="inclusive")[percent - 1] if len(seconds) > 1 else sum(seconds)


def show(found: dict[str, Any], limits: dict[str, float]) -> tuple[bool, dict[str, float]]:
    """Print what was measured; whether a limit of time or memory was passed, and the times that have one."""
    is_over, slowest = False, {}
    seconds = {**found["reports"]["seconds"], **found["readers"]["seconds"]}
    statuses = {**found["reports"]["statuses"], **found["readers"]["statuses"]}
    sent = {**found["reports"]["sent"], **found["readers"]["sent"]}
    print("what | answers | p50 | p95 | p99 | KB each\n--- | --- | --- | --- | --- | ---")
    for what, each in sorted(seconds.items()):
        p50, p95, p99 = (percentile(each, percent) for percent in (50, 95, 99))
        if what in limits:
            slowest[what] = p95
            is_over |= p95 > limits[what]
        print(f"{what} | {len(each)} | {p50:.2f} | {p95:.2f} | {p99:.2f} | {sent.get(what, 0) / len(each) / 1024:.1f}")
    print("statuses:", ", ".join(f"{what}: {count}" for what, count in sorted(statuses.items())))
    print("changes heard by open pages:", sent.get("changes heard", 0))
    print("took, seconds: reports", found["reports"]["sent"]["took"], "readers", found["readers"]["sent"]["took"])
    print("web processes: processor seconds", *(f"{each:.1f}" for each in found["work"]), end="; ")
    print("memory at most, MiB", *(f"{each:.0f}" for each in found["memory"]))
    if "harmed" in found:
        print("killed:", ", ".join(found["harmed"]), f"; all work done {found['undone']:.0f} s after the last")
        is_bad = found["undone"] > MAX_UNDONE or any(what.split()[-1] in ("500", "502") for what in statuses)
        return is_over or is_bad, slowest
    is_bad = any(what.split()[-1] in ("0", "500", "502", "503") for what in statuses)
    return is_over or is_bad or max(found["memory"]) > MAX_MEMORY, slowest


def main() -> int:
    """Measure one end of a round; answers 1 where something is wrong or too slow."""
    parser = argparse.ArgumentParser(description=__doc__)
    for name, default in (("players", 1000), ("seconds", 60), ("streams", 200), ("seed", 1)):
        parser.add_argument(f"--{name}", type=int, default=default)
    parser.add_argument("--laptop", action="store_true", help="SQLite and one web process, as ./run has them")
    parser.add_argument("--faults", action="store_true", help="a second time, while every process is killed once")
    options = parser.parse_args()
    if options.faults and options.laptop:
        parser.error("--faults needs PostgreSQL, leave --laptop out.")
    keep_bytecode()  # as ./run does: processes that compile what they import hold more memory
    is_good, slowest = measure(options, LIMITS, is_harmed=False)
    if options.faults:
        limits = {what: TIMES * seconds for what, seconds in slowest.items()}
        is_good &= measure(options, limits, is_harmed=True)[0]
    return int(not is_good)


def measure(options: argparse.Namespace, limits: dict[str, float], *, is_harmed: bool) -> tuple[bool, dict[str, float]]:
    """Measure and print one end of a round: whether all was right within the limits, and the times that have one."""
    with servers(options) as found:
        measured = run(found, options, is_harmed=is_harmed)
    where = "SQLite, 1 web process" if options.laptop else "PostgreSQL, 2 web processes, 2 workers"
    print(f"{options.players} players, {options.streams} open pages, {options.seconds} s; {where}")
    (is_over, slowest), faults = show(measured, limits), wrong(measured)
    print("wrong:", ", ".join(f"{what}: {count}" for what, count in faults.items()) or "nothing")
    print("limits:", "passed" if is_over else "kept", f"({os.cpu_count()} cores, load {os.getloadavg()[0]:.1f})")
    return not faults and not is_over, slowest


if __name__ == "__main__":
    sys.exit(main())

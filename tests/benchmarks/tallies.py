"""Score sheets tallied by one and by two workers in one run, and by a plain loop over the same sheets.

`.venv/bin/python -m tests.benchmarks.tallies [--sheets 400] [--seed 1]`, once ./test has installed its requirements. A
PostgreSQL and a Valkey of its own with the durability of production, the relay and worker processes of one place each,
as `./run relay` and `./run worker` start them. A sheet has six players of 20 cards. Only ratios and shares are printed.
"""

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from launch import roles, valkey
from launch.children import Child, Crew
from launch.database import manage
from launch.postgres import Postgres

FILE = "file"
"""The argument with which a process of the site files the sheets, tallies them in a loop, and tells what it took."""


def sheets_of(count: int, seed: int) -> list[dict[str, Any]]:
    """Sheets of six players with 20 traits each, drawn from the catalogue."""
    from scoring.tallies.doomlings_cards import traits  # noqa: PLC0415 (only a process of the site has its path)

    chance, names = random.Random(seed), sorted(trait.name for trait in traits().values())
    return [
        {
            "players": [{"name": f"Player {place}", "traits": chance.sample(names, 20)} for place in range(6)],
            "options": {"check_limits": False},
        }
        for _sheet in range(count)
    ]


def file_and_loop(count: int, seed: int) -> None:
    """In a process of the site: tally in a loop, then file all sheets; prints the seconds of both as JSON."""
    import django  # noqa: PLC0415

    django.setup()
    from accounts.actors import SYSTEM  # noqa: PLC0415
    from journal.clock import database_now  # noqa: PLC0415
    from scoring.services import file_sheet, open_sheet  # noqa: PLC0415
    from scoring.tallies.doomlings import TALLIER  # noqa: PLC0415

    contents = sheets_of(count, seed)
    began = time.perf_counter()
    for content in contents:
        TALLIER.tally(content)
    looped = time.perf_counter() - began
    began = time.perf_counter()
    for content in contents:
        sheet = open_sheet(SYSTEM, "doomlings", content["players"], content["options"], database_now())
        file_sheet(SYSTEM, sheet, content, database_now())
    print(json.dumps({"loop": looped, "filing": time.perf_counter() - began}))


TOLD = """
import json
from django.db.models import F, Max, Min, Sum
from journal.models import OutboxMessage as M
from scoring.models import SheetTally
found = M.objects.filter(task="scoring.tally_sheet").exclude(done_at=None)
times = found.aggregate(a=Min("begun_at"), b=Max("done_at"), c=Min("delivered_at"), d=Max("delivered_at"),
                        work=Sum(F("done_at") - F("begun_at")))
print(json.dumps({"done": found.count(), "tallied": SheetTally.objects.filter(error="").count(),
    "whole": (times["b"] - times["a"]).total_seconds() if times["a"] else 0,
    "relay": (times["d"] - times["c"]).total_seconds() if times["c"] else 0,
    "leased": times["work"].total_seconds() if times["work"] else 0}))
"""


def ask(environment: dict[str, str], *command: str) -> Any:
    """What a process of the site prints as JSON."""
    done = subprocess.run(command, env=environment, check=True, capture_output=True, text=True)
    return json.loads(done.stdout.splitlines()[-1])


@contextmanager
def site(folder: Path, workers: int, address: str):
    """Broker, relay and so many workers of one process each on a database; yields their environment."""
    environment = {
        **os.environ,
        "DATABASE_URL": address,
        "REDIS_URL": f"unix://{folder / 'v.sock'}?db=0",
        "DJANGO_SETTINGS_MODULE": "config.settings.test",
        "DOOMDESK_VAR": str(folder),
    }
    with ExitStack() as stack:
        crew = Crew()
        stack.callback(crew.stop)
        server = crew.start(
            Child("Valkey", valkey.server_command(folder, folder / "v.sock", durable=True), environment)
        )
        valkey.wait_until_ready(server, folder / "v.sock")
        for number in range(workers):
            child = roles.worker(environment)
            place = child.command.index("-c", 4)
            child.command[place + 1], child.command[-1] = "1", f"worker-{number}@%h"
            crew.start(child)
        yield environment, crew


def measure(folder: Path, workers: int, address: str, options: argparse.Namespace) -> dict[str, float]:
    """File the sheets, let so many workers tally them, and tell what each part took, in seconds."""
    with site(folder, workers, address) as (environment, crew):
        subprocess.run(manage("migrate", "--verbosity", "0"), env=environment, check=True)
        own = [sys.executable, "-m", "tests.benchmarks.tallies", f"--sheets={options.sheets}", f"--seed={options.seed}"]
        found: dict[str, float] = ask(environment, *own, FILE)
        ping = "from config.celery import app; print(len(app.control.ping(timeout=2) or ()))"
        while ask(environment, *manage("shell", "-v", "0", "-c", ping)) < workers:
            time.sleep(0.2)
        crew.start(roles.relay(environment))
        told: dict[str, float] = {"done": 0}
        while told["done"] < options.sheets:
            time.sleep(1)
            told = ask(environment, *manage("shell", "-v", "0", "-c", TOLD))
        assert told["tallied"] == options.sheets, "some sheets could not be tallied"
        return {**found, **told}


def main() -> None:
    """Measure with one worker and with two; print what the second brings, and how far both are from the plain loop."""
    parser = argparse.ArgumentParser(description=__doc__)
    for name, default in (("sheets", 400), ("seed", 1)):
        parser.add_argument(f"--{name}", type=int, default=default)
    parser.add_argument("role", nargs="?", choices=[FILE])
    options = parser.parse_args()
    if options.role == FILE:
        file_and_loop(options.sheets, options.seed)
        return
    crew, found = Crew(), {}
    try:
        for workers in (1, 2):
            postgres = Postgres(crew, durable=True)
            with tempfile.TemporaryDirectory(prefix="dd-b-", dir="/tmp") as folder:
                found[workers] = measure(Path(folder), workers, postgres.start(), options)
            crew.stop()
            postgres.remove()
    finally:
        crew.stop()
    one, two = found[1], found[2]
    print(f"{options.sheets} sheets of 6 x 20 cards, seed {options.seed}, {os.cpu_count()} cores")
    print(f"two workers / one, sheets a second: {one['whole'] / two['whole']:.2f}")
    for workers, each in found.items():
        print(
            f"{workers} worker(s): {each['whole'] / each['loop']:.1f} x the plain loop; "
            f"under a lease {each['leased'] / workers / each['whole']:.0%} of the time of each, "
            f"of that the tally itself {each['loop'] / each['leased']:.0%}; "
            f"the relay handed over for {each['relay'] / each['whole']:.0%} of it"
        )


if __name__ == "__main__":
    main()

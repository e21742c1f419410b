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
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import psycopg
from celery import Celery
from psycopg.rows import dict_row

from config.settings.servers import broker_url
from launch import roles, valkey
from launch.children import Child, Crew
from launch.database import manage
from launch.postgres import Postgres

FILE = "file"
"""The argument with which a process of the site files the sheets, tallies them in a loop, and tells what it took."""


def sheets_of(count: int, seed: int) -> list[dict[str, Any]]:
    """Sheets of six players with 20 traits each, drawn from the catalogue."""
    from scoring.games.doomlings.tally.cards import traits  # noqa: PLC0415 (only a process of the site has its path)

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
    from scoring.games.doomlings.tally import TALLIER  # noqa: PLC0415
    from scoring.sheets.services import file_sheet, open_sheet  # noqa: PLC0415

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
SELECT count(*) AS done,
    extract(epoch FROM max(done_at) - min(begun_at))::float AS whole,
    extract(epoch FROM max(delivered_at) - min(delivered_at))::float AS relay,
    extract(epoch FROM sum(done_at - begun_at))::float AS leased,
    (SELECT count(*) FROM scoring_sheettally WHERE error = '') AS tallied
FROM journal_outboxmessage WHERE task = 'scoring.tally_sheet' AND done_at IS NOT NULL
"""


def ask(environment: dict[str, str], *command: str) -> Any:
    """What a process of the site prints as JSON."""
    done = subprocess.run(command, env=environment, check=True, capture_output=True, text=True)
    return json.loads(done.stdout.splitlines()[-1])


@contextmanager
def site(folder: Path, workers: int, address: str) -> Iterator[tuple[dict[str, str], Crew]]:
    """Broker and so many workers of one process each on a database; yields their environment."""
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
        queue = Celery(broker=broker_url(environment["REDIS_URL"]), set_as_current=False)
        while len(queue.control.ping(timeout=1)) < workers:
            pass
        crew.start(roles.relay(environment))
        with psycopg.connect(address, autocommit=True, row_factory=dict_row) as connection:
            told: dict[str, float] = {"done": 0}
            while told["done"] < options.sheets:
                time.sleep(0.5)
                told = connection.execute(TOLD).fetchone()
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

"""Re-checking stored decks under a card list to come, by 1 and by 2 Celery workers, beside a plain count loop; one run.

`.venv/bin/python -m tests.benchmarks.rechecks [--decks 10000]`, once ./test has installed its requirements. Real
PostgreSQL, Valkey, relay and worker processes; only ratios are printed.
"""

import argparse
import json
import os
import subprocess
import tempfile
from pathlib import Path
from typing import Any

from launch import roles, valkey
from launch.children import Child, Crew
from launch.database import manage
from launch.postgres import Postgres

SITE = "from tests.benchmarks.recheck_site import count_loop, fill, measure"


def ask(call: str, environment: dict[str, str]) -> dict[str, Any]:
    """What a function of the site's part prints."""
    command = manage("shell", "--verbosity", "0", "-c", f"{SITE}; {call}")
    done = subprocess.run(command, env=environment, check=True, capture_output=True, text=True)
    answer: dict[str, Any] = json.loads(done.stdout.strip() or "{}")
    return answer


def work(workers: int, environment: dict[str, str]) -> dict[str, Any]:
    """A re-check from start to finish by so many worker processes."""
    crew = Crew()
    try:
        for number in range(workers):
            child = roles.worker(environment)
            child.command[child.command.index("-c") + 1] = "1"
            child.command[child.command.index("-n") + 1] = f"bench-{number}@%h"
            crew.start(child)
        crew.start(roles.relay(environment))
        return ask(f"measure({workers})", environment)
    finally:
        crew.stop()


def main() -> None:
    """Fill a database, let one worker and then two do the same work, print the ratios."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--decks", type=int, default=10_000)
    options = parser.parse_args()
    crew = Crew()
    postgres = Postgres(crew, durable=True)
    with tempfile.TemporaryDirectory() as folder:
        socket = Path(folder) / "valkey.sock"
        environment = {**os.environ, "DJANGO_SETTINGS_MODULE": "config.settings.test", "REDIS_URL": f"unix://{socket}"}
        try:
            environment["DATABASE_URL"] = postgres.start()
            command = valkey.server_command(Path(folder), socket, durable=True)
            valkey.wait_until_ready(crew.start(Child("Valkey server", command, os.environ)), socket)
            subprocess.run(manage("migrate", "--verbosity", "0"), env=environment, check=True)
            ask(f"fill({options.decks})", environment)
            loop = ask("count_loop()", environment)
            one, two = (work(workers, environment) for workers in (1, 2))
        finally:
            crew.stop()
            postgres.remove()
    same = (one["results"], one["falling"]) == (two["results"], two["falling"])
    print(f"{options.decks} decks, {one['results']} verdicts kept, {one['falling']} fall; equal results: {same}")
    print(f"1 worker / plain count loop over the same rows: {one['seconds'] / loop['seconds']:.0f}")
    print(f"1 worker / 2 workers: {one['seconds'] / two['seconds']:.2f}")


if __name__ == "__main__":
    main()

"""The whole step of a round, read, paired, stored and published, on a real PostgreSQL with durable settings; one run.

`.venv/bin/python -m tests.benchmarks.pair_step [--players 1000 10000] [--rounds 14] [--seed 1]`, once ./test has
installed its requirements. After the rounds played before, it prints which share pairing proper takes of the step, how
many queries it asks, and its ratio to a bare baseline: the same rows read and written by plain SQL, nothing computed.
"""

import argparse
import json
import os
import subprocess
from typing import Any

from launch.children import Crew
from launch.database import manage
from launch.postgres import Postgres

SITE = "from tests.benchmarks.pair_step_site import measure"


def measure(players: int, options: argparse.Namespace) -> dict[str, Any]:
    """What the site's part measures on a fresh server."""
    crew = Crew()
    postgres = Postgres(crew, durable=True)
    try:
        environment = {
            **os.environ,
            "DATABASE_URL": postgres.start(),
            "REDIS_URL": "redis://127.0.0.1:1/0",  # nobody there: no cache helps
            "DJANGO_SETTINGS_MODULE": "config.settings.test",
        }
        subprocess.run(manage("migrate", "--verbosity", "0"), env=environment, check=True)
        call = f"{SITE}; measure({players}, {options.rounds}, {options.seed})"
        command = manage("shell", "--verbosity", "0", "-c", call)
        done = subprocess.run(command, env=environment, check=True, capture_output=True, text=True)
    finally:
        crew.stop()
        postgres.remove()
    answer: dict[str, Any] = json.loads(done.stdout)
    return answer


def main() -> None:
    """Measure each size and print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--players", type=int, nargs="+", default=[1_000, 10_000])
    parser.add_argument("--rounds", type=int, default=14, help="rounds played before the one that is measured")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    found = {players: measure(players, options) for players in options.players}
    parts = list(next(iter(found.values()))["shares"])
    print(f"one round after {options.rounds}, seed {options.seed}; shares: medians of 5 runs; ratio: the shortest ones")
    print(f"players | {' | '.join(parts)} | step / bare baseline | queries: pair, publish")
    print(" | ".join(["---"] * (len(parts) + 3)))
    for players, each in found.items():
        shares = " | ".join(f"{each['shares'][part]:.1%}" for part in parts)
        print(f"{players} | {shares} | {each['ratio']:.1f} | {each['queries'][0]}, {each['queries'][1]}")
    print(f"queries constant: {len({tuple(each['queries']) for each in found.values()}) == 1}")
    print(f"paired by {next(iter(found.values()))['engine']}, proved: {all(each['proved'] for each in found.values())}")


if __name__ == "__main__":
    main()

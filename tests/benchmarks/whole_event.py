"""A whole event on SQLite and on PostgreSQL in one run: which share pairing, standings and the database take.

`.venv/bin/python -m tests.benchmarks.whole_event [--players 256] [--rounds 9] [--seed 1]`, once ./test has installed
its requirements. Both databases run with the durability of production; only shares and ratios are printed.
"""

import argparse
import json
import os
import subprocess
import tempfile
from pathlib import Path
from typing import Any

from launch.children import Crew
from launch.database import manage
from launch.postgres import Postgres

PARTS = ("pairing", "standings", "database", "rest")


def play(database_url: str, options: argparse.Namespace) -> dict[str, Any]:
    """What `simulate_event` reports on one fresh database."""
    environment = {
        **os.environ,
        "DATABASE_URL": database_url,
        "REDIS_URL": "redis://127.0.0.1:1/0",  # nobody there: no cache helps
        "DJANGO_SETTINGS_MODULE": "config.settings.test",
    }
    subprocess.run(manage("migrate", "--verbosity", "0"), env=environment, check=True)
    numbers = [f"--{name}={getattr(options, name)}" for name in ("players", "rounds", "seed")]
    done = subprocess.run(
        manage("simulate_event", *numbers, "--json"), env=environment, check=True, capture_output=True, text=True
    )
    answer: dict[str, Any] = json.loads(done.stdout)
    return answer


def main() -> None:
    """Play on both databases and print the shares side by side."""
    parser = argparse.ArgumentParser(description=__doc__)
    for name, default in (("players", 256), ("rounds", 9), ("seed", 1)):
        parser.add_argument(f"--{name}", type=int, default=default)
    options = parser.parse_args()
    crew = Crew()
    postgres = Postgres(crew, durable=True)
    try:
        with tempfile.TemporaryDirectory() as folder:
            on_sqlite = play(f"sqlite:///{Path(folder) / 'desk.sqlite3'}", options)
        on_postgres = play(postgres.start(), options)
    finally:
        crew.stop()
        postgres.remove()
    same = on_sqlite["standings"] == on_postgres["standings"]
    print(f"{options.players} players, {options.rounds} rounds, seed {options.seed}; standings equal: {same}")
    print("share of the whole | SQLite | PostgreSQL\n--- | --- | ---")
    for part in PARTS:
        print(f"{part} | {on_sqlite['shares'][part]:.0%} | {on_postgres['shares'][part]:.0%}")
    ratio = sum(on_postgres["seconds"].values()) / sum(on_sqlite["seconds"].values())
    print(f"PostgreSQL / SQLite, whole event: {ratio:.2f}")


if __name__ == "__main__":
    main()

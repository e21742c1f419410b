"""What every page costs on a real PostgreSQL and Valkey: time, queries and weight; one run.

`.venv/bin/python -m tests.benchmarks.pages [--players 16 200 1000] [--runs 300]`, once ./test has installed what it
needs.

Server time is told as a ratio to an empty view behind the same middleware, asked for in turn with the page by the same
visitor: anew, as its second reader (lists are kept for all), and again while nothing happened (by the clock, and as
work of the web process alone, whatever else runs here); pages of players after results of others, whole and as an open
page is told. All is asked for as phones do, compressed. Reports to the API are told as a ratio to a bare view of Django
REST framework behind the same middleware that reads what is sent and stores one row. Weight is the first visit, page
and files.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from launch.children import Crew
from launch.database import manage
from launch.postgres import Postgres
from launch.valkey import server_command

SITE = "from tests.benchmarks.pages_site import measure, measure_papers, measure_reports, measure_rest"
MAX_RATIO, MAX_WEIGHT = 2.0, 150 * 1024


def on_fresh_servers(asked: str) -> list[Any]:
    """What Python code of the site prints on fresh servers, as JSON lines."""
    crew = Crew()
    postgres = Postgres(crew, durable=False)
    with tempfile.TemporaryDirectory(prefix="dd-pages-", dir="/tmp") as folder:
        broker = subprocess.Popen(server_command(Path(folder), Path(folder) / "v.sock", durable=False))
        try:
            environment = {
                **os.environ,
                "DATABASE_URL": postgres.start(),
                "REDIS_URL": f"unix://{folder}/v.sock?db=0",
                "DJANGO_SETTINGS_MODULE": "tests.benchmarks.pages_settings",
            }
            subprocess.run(manage("migrate", "--verbosity", "0"), env=environment, check=True)
            command = manage("shell", "--verbosity", "0", "-c", asked)
            done = subprocess.run(command, env=environment, check=True, stdout=subprocess.PIPE, text=True)
        finally:
            broker.terminate()
            broker.wait()
            crew.stop()
            postgres.remove()
    return [json.loads(line) for line in done.stdout.splitlines() if line.startswith(("[", "{"))]


def main() -> int:
    """Print the tables; answers 1 where a page is too dear or too heavy."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--players", type=int, nargs="+", default=[200])
    parser.add_argument("--runs", type=int, default=300)
    options = parser.parse_args()
    pages: dict[int, list[dict[str, Any]]] = {}
    for players in options.players:
        pages[players], *rest = on_fresh_servers(
            f"{SITE}; measure({players}, {options.runs}); measure_reports({players}); measure_rest({players});"
            f" measure_papers({players})"
        )
        print(f"{players} players, median of {options.runs}; times are ratios to an empty view")
        show(pages[players], *rest)
    if len(pages) > 1:
        compare(pages)
    return int(any(any(faults(each).values()) for found in pages.values() for each in found))


def show(found: list[dict[str, Any]], reports: dict[str, Any], rest: dict[str, Any], papers: dict[str, Any]) -> None:
    """What was measured with one number of players."""
    print("page | who | anew | second reader | again | work again | queries anew, again | page KB | first visit KB | ")
    print(" | ".join(["---"] * 10))
    for each in found:
        too_much = [word for word, is_so in faults(each).items() if is_so]
        print(
            f"{each['page']} | {each['who']} | {each['anew']:.1f} | {each['second']:.1f}"
            f" | {each['again']:.2f} | {each['work']:.2f}"
            f" | {each['queries']}, {each['queries_again']}"
            f" | {each['html'] / 1024:.1f} | {each['weight'] / 1024:.0f} | {', '.join(too_much)}"
        )
    for who, each in reports.items():
        print(
            f"a report by API, {who}: {each['work']:.1f} times the work of a bare view of Django REST framework that"
            f" stores a row ({each['clock']:.1f} by the clock), {each['queries']} queries"
        )
    for name, each in rest.items():
        told = (f"{how} {of['work']:.1f} ({of['bytes'] / 1024:.1f} KB)" for how, of in each.items())
        print(f"{name} of a player after a result of others, work in empty views: {', '.join(told)}")
    for name, each in papers.items():
        print(
            f"{name}, in empty views: begins after {each['first']:.0f}, longest piece {each['longest']:.0f}, whole"
            f" {each['whole']:.0f}; {each['pieces']} pieces, {each['bytes'] / 1024:.0f} KB compressed"
        )
    print(f"load of this machine in the last minute: {os.getloadavg()[0]:.1f}")
    print(f"empty view: {found[0]['empty_ms']:.2f} ms for a visitor on this machine")


def compare(pages: dict[int, list[dict[str, Any]]]) -> None:
    """Each page with every number of players: anew, for its second reader, and again while nothing happened."""
    sizes = list(pages)
    print(" | ".join(["page", "who", *(f"{size:,}: anew, second, again" for size in sizes)]))
    print(" | ".join(["---"] * (len(sizes) + 2)))
    told = {
        size: {
            (each["page"], each["who"]): f"{each['anew']:.1f}, {each['second']:.1f}, {each['again']:.1f}"
            for each in found
        }
        for size, found in pages.items()
    }
    for page, who in told[sizes[0]]:
        print(" | ".join([page, who, *(told[size][page, who] for size in sizes)]))


def faults(each: dict[str, Any]) -> dict[str, bool]:
    """What is over its limit."""
    return {
        "too dear": each["kept"] and each["again"] > MAX_RATIO,
        "too heavy": each["weight"] > MAX_WEIGHT,
    }


if __name__ == "__main__":
    sys.exit(main())

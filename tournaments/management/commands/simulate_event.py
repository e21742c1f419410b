"""`simulate_event --players N --rounds R --seed S [--json]`: a whole made-up event, with standings and timings."""

import json
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand
from django.db import connection

from rules_engine.errors import DomainError
from scoring.management.reading import refuse
from tournaments.management.printing import standing_line, standings_json
from tournaments.rehearsals.simulation import simulate_event
from tournaments.standings.selectors.standings import standing_rows


class Command(BaseCommand):
    help = (
        "Play a whole Swiss event with results from latent strength in the site's database, where it stays; "
        "print standings and timings a step."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--players", type=int, required=True, metavar="N")
        parser.add_argument("--rounds", type=int, required=True, metavar="R")
        parser.add_argument("--seed", type=int, default=1, metavar="S")
        parser.add_argument("--json", action="store_true", help="machine-readable answer on standard output")

    def handle(self, *_args: Any, **options: Any) -> None:
        try:
            simulation = simulate_event(options["players"], options["rounds"], options["seed"])
        except DomainError as error:
            refuse(error)
        rows, timings = standing_rows(simulation.tournament), simulation.timings
        if options["json"]:
            answer = {
                "tournament": simulation.tournament.slug, "database": connection.vendor, "seed": options["seed"],
                "standings": standings_json(rows), "seconds": timings.steps, "shares": timings.shares(),
            }  # fmt: skip
            self.stdout.write(json.dumps(answer, ensure_ascii=False))
            return
        for row in rows:
            self.stdout.write(standing_line(row))
        self.stdout.write(f"\nseed {options['seed']} on {connection.vendor}, seconds by step:")
        for name, seconds in timings.steps.items():
            self.stdout.write(f"  {name:<10}{seconds:9.3f}")
        self.stdout.write(
            "share of that: " + ", ".join(f"{name} {share:.0%}" for name, share in timings.shares().items())
        )

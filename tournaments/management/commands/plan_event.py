"""`plan_event --players N [--rounds R --cut C --draws P --runs N --seed S --json]`: what a structure comes to."""

import json
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from rules_engine.errors import DomainError
from scoring.management.reading import refuse
from tournaments.forecast.planning import MAX_PLAYERS, MAX_ROUNDS, Outcome, Plan, simulate_plan
from tournaments.pairing.brackets.cut import recommended_structure

MAX_RUNS = 1_000_000


class Command(BaseCommand):
    help = (
        "Simulate a planned Swiss event: players left without a loss, and how likely X-1, X-1-1 and X-2 make the cut, "
        "each with its error. Without --rounds and --cut, the structure recommended for so many players."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--players", type=int, required=True, metavar="N")
        parser.add_argument("--rounds", type=int, metavar="R")
        parser.add_argument("--cut", type=int, metavar="C", help="how many play on, 0 for none")
        parser.add_argument("--draws", type=int, default=5, metavar="P", help="drawn matches in a hundred (default 5)")
        parser.add_argument("--runs", type=int, default=2000, metavar="N", help="simulated events (default 2000)")
        parser.add_argument("--seed", type=int, default=1, metavar="S")
        parser.add_argument("--json", action="store_true", help="machine-readable answer on standard output")

    def handle(self, *_args: Any, **options: Any) -> None:
        try:
            plan = _plan_of(options)
        except DomainError as error:
            refuse(error)
        found = simulate_plan(plan, options["runs"], options["seed"])
        if options["json"]:
            self.stdout.write(json.dumps(_as_json(found)))
            return
        count = found.without_loss
        self.stdout.write(f"{plan.players} players, {plan.rounds} rounds, cut {plan.cut}; {found.runs} runs")
        self.stdout.write(f"without a loss: {count.mean:.2f} ({count.low} to {count.high})")
        for record, share in found.makes_cut.items():
            name = f"X-{record.losses}" + (f"-{record.draws}" if record.draws else "")
            self.stdout.write(f"{name} makes the cut: {share.value:.1%} ± {share.error:.1%}")


def _plan_of(options: dict[str, Any]) -> Plan:
    players, draws, runs = options["players"], options["draws"], options["runs"]
    if not (4 <= players <= MAX_PLAYERS and 0 <= draws <= 100 and 1 <= runs <= MAX_RUNS):
        raise DomainError("bad_plan", f"Choose 4 to {MAX_PLAYERS} players, 0 to 100 draws, 1 to {MAX_RUNS} runs.")
    advised = recommended_structure(players)
    rounds = advised.rounds if options["rounds"] is None else options["rounds"]
    cut = advised.cut if options["cut"] is None else options["cut"]
    if not (1 <= rounds <= MAX_ROUNDS and 0 <= cut <= players):
        raise DomainError("bad_plan", f"Choose 1 to {MAX_ROUNDS} rounds and a cut of at most all players.")
    return Plan(players, rounds, cut, draws / 100)


def _as_json(found: Outcome) -> dict[str, Any]:
    count = found.without_loss
    shares = [
        {"losses": record.losses, "draws": record.draws, "share": share.value, "error": share.error}
        for record, share in found.makes_cut.items()
    ]
    return {
        "rounds": found.plan.rounds, "cut": found.plan.cut, "runs": found.runs,
        "without_loss": {"mean": count.mean, "low": count.low, "high": count.high}, "makes_cut": shares,
    }  # fmt: skip

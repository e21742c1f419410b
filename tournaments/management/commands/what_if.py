"""`what_if EVENT [--rules KEY] [--result ROUND TABLE RESULT] …`: the standings supposed; nothing is stored."""

import json
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from accounts.http.numbers import read_number
from rules_engine.errors import DomainError
from scoring.management.reading import refuse
from scoring.standings.presets import PRESETS
from scoring.standings.records import MatchRecord
from scoring.standings.tiebreakers import TIEBREAKERS
from tournaments.models import Tournament
from tournaments.standings.forms.supposed_results import read_supposed
from tournaments.standings.selectors.what_if import SupposedLine, suppose_now, supposed_by

POINTS = ("win", "draw", "loss")
MAX_NUMBER = 10_000


class Command(BaseCommand):
    help = (
        "Show the standings of an event (its address, as in /e/ADDRESS/) by other rules, points or tiebreakers, after "
        "fewer rounds, with another cut or another result: rank, rank now, name, what decides the line."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("event", metavar="EVENT")
        parser.add_argument("--rules", choices=list(PRESETS), default="", help="a ready set of rules")
        for name in POINTS:
            parser.add_argument(f"--{name}", type=int, metavar="N", help=f"points for a {name}")
        parser.add_argument("--tiebreakers", nargs="+", choices=list(TIEBREAKERS), default=(), help="in their order")
        parser.add_argument("--after", type=int, metavar="N", help="the last round counted")
        parser.add_argument("--cut", type=int, metavar="N", help="how many play on")
        parser.add_argument(
            "--result", nargs=3, metavar=("ROUND", "TABLE", "RESULT"), help="another result of a match, such as 2 5 1-2"
        )
        parser.add_argument("--json", action="store_true", help="machine-readable answer on standard output")

    def handle(self, *_args: Any, **options: Any) -> None:
        tournament = Tournament.objects.filter(slug=options["event"]).first()
        if tournament is None:
            refuse(DomainError("unknown_event", "There is no such event."))
        asked = {name: options[name] for name in ("rules", "tiebreakers", "after", "cut")}
        points = {name: options[name] for name in POINTS}
        try:
            results = _results(tournament, options["result"], options["after"])
            supposed = supposed_by(tournament.scoring_policy, points=points, results=results, **asked)
            found = suppose_now(tournament, supposed)
        except (DomainError, ValueError) as error:
            refuse(error)
        names = dict(tournament.entries.values_list("pk", "name"))
        lines = [_as_json(each, names[each.standing.contender]) for each in found.lines]
        if options["json"]:
            self.stdout.write(json.dumps({"moved": found.moved, "lines": lines}))
            return
        for each in lines:
            cut = "*" if each["in_cut"] else " "
            self.stdout.write(f"{each['rank']:>4}{cut} was {each['rank_now'] or '–':>4}  {each['name']}  {each['by']}")
        self.stdout.write(f"{found.moved} lines have another rank")


def _results(tournament: Tournament, match: list[str] | None, after: int | None) -> dict[int, MatchRecord]:
    if not match:
        return {}
    round_number, table = (read_number(each, MAX_NUMBER) or 0 for each in match[:2])
    return read_supposed(tournament, round_number, table, match[2], after)


def _as_json(line: SupposedLine, name: str) -> dict[str, Any]:
    return {
        "rank": line.standing.rank,
        "rank_now": line.now.rank if line.now else None,
        "name": name,
        "by": line.decided_by,
        "in_cut": line.in_cut,
        "was_in_cut": line.was_in_cut,
    }

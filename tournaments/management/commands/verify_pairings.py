"""`verify_pairings EVENT|--all [--json]`: compute every round again and hold it against what is stored."""

import json
from argparse import ArgumentParser
from collections import Counter
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from rules_engine.errors import DomainError
from scoring.management.reading import refuse
from tournaments.models import Tournament
from tournaments.rounds.selectors.recomputed import Recomputed, Verdict, by_number, recompute_rounds

WORDS = {
    Verdict.SAME: "computed again, the same",
    Verdict.DIFFERENT: "DIFFERENT",
    Verdict.OTHER_ENGINE: "cannot be repeated here",
    Verdict.BY_HAND: "by hand or without its input, nothing to compute",
}


class Command(BaseCommand):
    help = (
        "Compute the rounds of an event (its address, as in /e/ADDRESS/) or of all events again; exit 1 if any differs."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        which = parser.add_mutually_exclusive_group(required=True)
        which.add_argument("event", metavar="EVENT", nargs="?")
        which.add_argument("--all", action="store_true", help="every event of this site")
        parser.add_argument("--json", action="store_true", help="machine-readable answer on standard output")

    def handle(self, *_args: Any, **options: Any) -> None:
        tournaments = Tournament.objects.order_by("pk")
        if not options["all"]:
            tournaments = tournaments.filter(slug=options["event"])
        if not options["all"] and not tournaments:
            refuse(DomainError("unknown_event", "There is no such event."))
        counted: Counter[Verdict] = Counter()
        rows = []
        for tournament in tournaments:
            for each in recompute_rounds(tournament):
                counted[each.verdict] += 1
                rows.append({"event": tournament.slug, **as_json(tournament, each)})
                if not options["json"]:
                    self.stdout.write(line_of(tournament, each))
        if options["json"]:
            self.stdout.write(json.dumps(rows))
        else:
            self.stdout.write(
                ", ".join(f"{count} {verdict}" for verdict, count in sorted(counted.items())) or "no rounds"
            )
        if counted[Verdict.DIFFERENT]:
            raise CommandError("some rounds are not what their input gives", returncode=1)


def line_of(tournament: Tournament, each: Recomputed) -> str:
    """One round in a line for people."""
    words = WORDS[each.verdict]
    if each.verdict is Verdict.OTHER_ENGINE:
        words = f"paired by engine {each.round.engine}, this is {each.engine}: cannot be repeated here"
    if each.faults:
        words += f": {', '.join(each.faults)}"
    if each.changes:
        words += f" ({each.changes} changed by hand since)"
    return f"{tournament.slug}  round {each.round.number} version {each.round.version}  {words}"


def as_json(tournament: Tournament, each: Recomputed) -> dict[str, Any]:
    """One round for machines; places are the table (0: a bye) and the numbers of the entries."""
    return {
        "round": each.round.number, "version": each.round.version, "verdict": each.verdict.value,
        "faults": list(each.faults), "changes": each.changes, "paired_by": each.round.engine, "engine": each.engine,
        "seed": each.round.seed, "input_hash": each.round.input_hash, "pairing_hash": each.round.pairing_hash,
        "computed": by_number(tournament, each.computed), "stored": by_number(tournament, each.stored),
    }  # fmt: skip

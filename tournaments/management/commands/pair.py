"""`pair [FILE] [--json]`: pair one Swiss round of a field given as JSON; needs no database and no queue."""

import json
from argparse import ArgumentParser
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from django.core.management.base import BaseCommand
from django.utils.translation import override

from rules_engine.errors import DomainError
from scoring.management.reading import read_text, refuse
from tournaments.pairing.statefile import State, answer_of, read_state
from tournaments.pairing.swiss.contenders import RoundPairing
from tournaments.pairing.swiss.explain import explain_round
from tournaments.pairing.swiss.swiss import pair_swiss
from tournaments.rounds.words import tell


class Command(BaseCommand):
    """Pairs and stores nothing."""

    help = (
        'Pair one Swiss round of a field (JSON: {"players": [{"id", "score", "opponents", "had_bye", "club"}, ...], '
        '"seed", "order": "least_squares" or "top_down", "keep_clubs_apart"}). Exit 2: the input cannot be used.'
    )
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        """FILE (standard input by default), --json."""
        parser.add_argument("file", nargs="?", default="-", metavar="FILE", help="default: standard input")
        parser.add_argument("--json", action="store_true", help="print JSON")

    def handle(self, *_args: Any, **options: Any) -> None:
        """Print the paired round with its cost, its bound and the reasons."""
        try:
            state = read_state(read_text(options["file"]))
        except (OSError, UnicodeDecodeError, DomainError) as error:
            refuse(error)
        paired = pair_swiss(state.given)
        explanations = _explain(state, paired)
        if options["json"]:
            self.stdout.write(json.dumps(answer_of(state, paired, explanations)))
            return
        for line in _in_words(state, paired, explanations):
            self.stdout.write(line)


def _explain(state: State, paired: RoundPairing) -> list[str]:
    """Why each pair meets, then why the bye is where it is: one English text each."""

    def name(contender: int) -> str:
        player = state.id_of(contender)
        return f"Player {player}" if isinstance(player, int) else player

    reasons = explain_round(state.given, paired)
    places = [*reasons.pairs, *([] if paired.bye is None else [reasons.bye])]
    with override("en"):
        return [" ".join(tell(each, name)) for each in places]


def _in_words(state: State, paired: RoundPairing, explanations: Sequence[str]) -> Iterator[str]:
    """One line a table, the bye, what the round costs and whether any could cost less."""
    score = {each.id: each.score for each in state.given.contenders}
    reasons = iter(explanations)

    def line_of(contender: int) -> str:
        return f"{state.id_of(contender)} ({score[contender]})"

    for table, (one, other) in zip(paired.tables, paired.pairs, strict=True):
        yield f"{table:>5}  {line_of(one)} - {line_of(other)}  {next(reasons, '')}".rstrip()
    if paired.bye is not None:
        yield f"  bye  {line_of(paired.bye)}  {next(reasons, '')}".rstrip()
    answer = answer_of(state, paired, explanations)
    yield f"cost: {_terms(answer['cost'])}"
    yield "proved: no pairing costs less" if paired.proved else f"not proved; bound: {_terms(answer['bound'])}"


def _terms(cost: Mapping[str, int]) -> str:
    return ", ".join(f"{name.replace('_', ' ')} {value}" for name, value in cost.items())

"""`verify_decks EVENT`: compute the commitment of every registered deck again and hold it against the ledger."""

from argparse import ArgumentParser
from collections import Counter
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from journal.ledger.selectors import verify_stream
from rules_engine.errors import DomainError
from scoring.management.reading import refuse
from tournaments.decks.selectors.deck_commitments import CommitmentState, commitments_of
from tournaments.models import Tournament

GOOD = (CommitmentState.WHOLE, CommitmentState.MISSING)


class Command(BaseCommand):
    help = "Show that no registered deck of an event (its address, as in /e/ADDRESS/) changed since it was registered."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("event", metavar="EVENT")

    def handle(self, *_args: Any, **options: Any) -> None:
        tournament = Tournament.objects.filter(slug=options["event"]).first()
        if tournament is None:
            refuse(DomainError("unknown_event", "There is no such event."))
        found = commitments_of(tournament)
        for each in found:
            self.stdout.write(f"{each.member.entry.number:>5}  {each.member.deck_commitment or '-':64}  {each.state}")
        counted = Counter(each.state for each in found)
        self.stdout.write(", ".join(f"{count} {state}" for state, count in sorted(counted.items())) or "no decks")
        if broken := verify_stream(tournament.stream):
            raise CommandError(f"the ledger itself is broken: {len(broken)} problems, see verify_ledger", returncode=1)
        if set(counted) - set(GOOD):
            raise CommandError("some decks are not what was registered", returncode=1)

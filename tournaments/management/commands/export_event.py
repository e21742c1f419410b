"""`export_event EVENT FILE [--scope public|whole]`: write an event as one signed file."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand

from rules_engine.errors import DomainError
from scoring.management.reading import refuse
from tournaments.bundles.scopes import Scope
from tournaments.bundles.services import event_file
from tournaments.bundles.storing import store
from tournaments.models import Tournament


class Command(BaseCommand):
    help = "Write an event (its address, as in /e/ADDRESS/) as one signed file that anybody can check."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("event", metavar="EVENT")
        parser.add_argument("file", metavar="FILE")
        parser.add_argument(
            "--scope", choices=[each.value for each in Scope], default=Scope.WHOLE.value,
            help="whole (for organisers) or public (what every visitor may read); whole unless you say otherwise",
        )  # fmt: skip

    def handle(self, *_args: Any, **options: Any) -> None:
        tournament = Tournament.objects.filter(slug=options["event"]).first()
        if tournament is None:
            refuse(DomainError("unknown_event", "There is no such event."))
        try:
            with event_file(tournament, Scope(options["scope"])) as source:
                store(source, Path(options["file"]))
        except OSError as error:
            error.filename = options["file"]  # not the draft beside it
            refuse(error)
        self.stdout.write(f"{tournament.name}: {options['file']} ({options['scope']})")

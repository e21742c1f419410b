"""`import_event FILE [--key KEY]`: bring a finished event from its public file, to be read."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand

from accounts.actors import SYSTEM
from journal.clock import database_now
from rules_engine.errors import DomainError
from scoring.management.reading import refuse
from tournaments.events.services.bringing import bring_event


class Command(BaseCommand):
    help = "Bring a finished event from its public file, once everything in it is checked. Nobody can change it here."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", metavar="FILE")
        parser.add_argument(
            "--key", default="", help="the key of the site that signed it, from its /verify/key.json; else this site's"
        )

    def handle(self, *_args: Any, **options: Any) -> None:
        try:
            tournament = bring_event(SYSTEM, Path(options["file"]).read_bytes(), database_now(), options["key"])
        except (DomainError, OSError) as error:
            refuse(error)
        self.stdout.write(f"{tournament.name}: /e/{tournament.slug}/")

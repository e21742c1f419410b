"""`import_event FILE [--key KEY]`: bring a finished event from its public file, or from a record of another program."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand

from accounts.actors import SYSTEM
from journal.clock import database_now
from rules_engine.errors import DomainError
from scoring.management.reading import refuse
from tournaments.events.services.bringing import bring_event
from tournaments.events.services.bringing_recorded import Recorded, bring_recorded_event, is_recorded


class Command(BaseCommand):
    help = (
        "Bring a finished event: from its public file, once everything in it is checked, to be read; or from a "
        "swiss-event/1 file, whose Swiss rounds and bracket are played again and whose standings are compared."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", metavar="FILE")
        parser.add_argument(
            "--key", default="", help="the key of the site that signed it, from its /verify/key.json; else this site's"
        )

    def handle(self, *_args: Any, **options: Any) -> None:
        try:
            data = Path(options["file"]).read_bytes()
            if is_recorded(data):
                return self._tell(bring_recorded_event(SYSTEM, data, database_now()))
            tournament = bring_event(SYSTEM, data, database_now(), options["key"])
        except (DomainError, OSError) as error:
            refuse(error)
        self.stdout.write(f"{tournament.name}: /e/{tournament.slug}/")

    def _tell(self, recorded: Recorded) -> None:
        self.stdout.write(f"{recorded.tournament.name}: /e/{recorded.tournament.slug}/")
        if recorded.left_out_words:
            self.stdout.write(recorded.left_out_words)
        for each in recorded.differences:
            self.stdout.write(f"differs: {each.player}, {each.what} {each.ours}, in the file {each.theirs}")

"""`replay_event FILE [--json]`: play a recorded event again through the services and print its standings."""

import json
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from rules_engine.errors import DomainError
from scoring.management.reading import refuse
from tournaments.events.recorded_files import read_recorded_file
from tournaments.events.services.replaying import replay_event
from tournaments.management.printing import standing_line, standings_json
from tournaments.standings.selectors.standings import standing_rows


class Command(BaseCommand):
    help = (
        "Create the tournament of a swiss-event/1 file in the site's database, where it stays, enter all its Swiss "
        "rounds, print the standings."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", metavar="FILE")
        parser.add_argument("--json", action="store_true", help="machine-readable standings on standard output")

    def handle(self, *_args: Any, **options: Any) -> None:
        try:
            with open(options["file"], "rb") as file:
                replay = replay_event(read_recorded_file(file.read()))
        except (OSError, DomainError) as error:
            refuse(error)
        tournament, rows = replay.tournament, standing_rows(replay.tournament)
        if options["json"]:
            answer = {"tournament": tournament.slug, "standings": standings_json(rows, replay.players)}
            self.stdout.write(json.dumps(answer, ensure_ascii=False))
            return
        self.stdout.write(f"{tournament.name}: /e/{tournament.slug}/")
        for row in rows:
            self.stdout.write(standing_line(row))

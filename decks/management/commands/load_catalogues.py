"""`load_catalogues`: bring the cards and card lists that ship with the games into the database."""

from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from decks.services.catalogues import load_catalogues
from journal.clock import database_now


class Command(BaseCommand):
    """Loads what ships; running it again changes nothing."""

    help = "Load the cards and card lists that ship with the games. Safe to run again."

    def add_arguments(self, parser: CommandParser) -> None:
        """--quiet."""
        parser.add_argument("--quiet", action="store_true", help="print nothing")

    def handle(self, *args: Any, **options: Any) -> None:
        """Print one line a game: cards and card lists stored."""
        for counts in load_catalogues(database_now()):
            if not options["quiet"]:
                self.stdout.write(f"{counts.game}: {counts.cards} cards, {counts.card_lists} card lists")

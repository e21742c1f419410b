"""`rate_games [--check]`: compute every rating again from the results; with --check only tell whether they agree."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from journal.clock import database_now
from tournaments.statistics.selectors.ratings import rated_games, ratings_of, stored_ratings
from tournaments.statistics.services import rate_game


class Command(BaseCommand):
    help = "Compute the ratings of every game again from the results."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--check", action="store_true", help="change nothing; fail where stored ratings differ")

    def handle(self, *_args: Any, **options: Any) -> None:
        differing = [game for game in rated_games() if not self._agrees(game, check=options["check"])]
        if differing:
            raise CommandError("The stored ratings differ from the results: " + ", ".join(differing))

    def _agrees(self, game: str, *, check: bool) -> bool:
        if not check:
            self.stdout.write(f"{game}: {rate_game(game, database_now())} rated")
            return True
        stored, computed = stored_ratings(game), ratings_of(game)
        self.stdout.write(f"{game}: {len(stored)} stored, {len(computed)} computed")
        return stored == computed

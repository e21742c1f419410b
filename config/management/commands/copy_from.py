"""`copy_from SOURCE`: fill this site's empty database from a backup or another database."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from config.copying import copy_site
from rules_engine.errors import DomainError
from scoring.management.reading import refuse


class Command(BaseCommand):
    help = "Fill this site's empty database with everything in another one, SQLite or PostgreSQL, row for row."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("source", metavar="SOURCE", help="a backup, an SQLite file, or postgresql://…")

    def handle(self, *_args: Any, **options: Any) -> None:
        try:
            count = copy_site(options["source"])
        except DomainError as error:
            refuse(error)
        self.stdout.write(
            f"{count} rows, compared one by one. Now start the site, with the SECRET_KEY of the other one."
        )

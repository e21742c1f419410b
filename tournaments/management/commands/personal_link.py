"""`personal_link EVENT NUMBER`: print a personal link of a player without an account."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand
from django.urls import reverse

from accounts.actors import SYSTEM
from accounts.http.addresses import site_address
from journal.clock import database_now
from rules_engine.errors import DomainError, NotFound
from scoring.management.reading import refuse
from tournaments.entries.services.desk_entries import issue_entry_link
from tournaments.models import Entry


class Command(BaseCommand):
    help = (
        "Print a personal link of a player without an account, to see or erase their data by. It ends the one before."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("event", metavar="EVENT")
        parser.add_argument("number", metavar="NUMBER", type=int)
        parser.add_argument("--member", type=int, default=1, help="place in the team (default: 1)")
        parser.add_argument(
            "--site", type=site_address, default="", help="address of the site, such as https://desk.example"
        )

    def handle(self, *_args: Any, **options: Any) -> None:
        entry = Entry.objects.filter(tournament__slug=options["event"], number=options["number"]).first()
        try:
            if entry is None:
                raise NotFound("unknown_entry", "This event has no such entry.")
            token = issue_entry_link(SYSTEM, entry, database_now(), member=options["member"])
        except DomainError as error:
            refuse(error)
        self.stdout.write(options["site"] + reverse("personal_link", args=[token]))

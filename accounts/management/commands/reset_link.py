"""`reset_link USERNAME`: print the path of a page that sets a new password."""

import sys
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from accounts.actors import SYSTEM
from accounts.http.addresses import site_address
from accounts.identity.services import issue_reset_link
from accounts.models import User
from journal.clock import database_now
from rules_engine.errors import DomainError, NotFound


class Command(BaseCommand):
    """Hands out a link for a new password without mail."""

    help = "Print a link where the holder of an account sets a new password. It works once."

    def add_arguments(self, parser: CommandParser) -> None:
        """USERNAME and the site's address."""
        parser.add_argument("username")
        parser.add_argument(
            "--site", type=site_address, default="", help="address of the site, such as https://desk.example"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Print the link; exit 2 with one line for an account that is not there or disabled."""
        user = User.objects.filter(username=options["username"]).first()
        try:
            if user is None:
                raise NotFound("unknown_account", f"There is no account named {options['username']!r}.")
            path = issue_reset_link(user, SYSTEM, database_now())
        except DomainError as error:
            self.stderr.write(error.message)
            sys.exit(2)
        self.stdout.write(options["site"] + path)

"""`reset_second_factor USERNAME`: let an account whose second factor was lost sign in with its password alone."""

import sys
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from accounts.actors import SYSTEM
from accounts.identity.keys import reset_second_factor
from accounts.models import User
from journal.clock import database_now
from rules_engine.errors import DomainError, NotFound


class Command(BaseCommand):
    """Takes a lost second factor away, with a line in the log."""

    help = "Take the second factor of an account away. Make sure who asks: the password alone signs in afterwards."

    def add_arguments(self, parser: CommandParser) -> None:
        """USERNAME."""
        parser.add_argument("username")

    def handle(self, *args: Any, **options: Any) -> None:
        """Say that it is done; exit 2 with one line for an account that is not there or has no second factor."""
        user = User.objects.filter(username=options["username"]).first()
        try:
            if user is None:
                raise NotFound("unknown_account", f"There is no account named {options['username']!r}.")
            reset_second_factor(user, SYSTEM, database_now())
        except DomainError as error:
            self.stderr.write(error.message)
            sys.exit(2)
        self.stdout.write("The second factor is gone; the password alone signs in.")

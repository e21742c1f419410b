"""`create_organiser USERNAME`: make an account and print its password once."""

import secrets
import sys
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from accounts.actors import SYSTEM
from accounts.identity.services import create_account
from accounts.models import User
from journal.clock import database_now
from rules_engine.errors import DomainError


class Command(BaseCommand):
    """Makes an account for an organiser; the first one of a site becomes its admin."""

    help = "Create an account and print its password once. The first account of a site becomes its site admin."

    def add_arguments(self, parser: CommandParser) -> None:
        """USERNAME, --if-missing, --site-admin."""
        parser.add_argument("username")
        parser.add_argument("--if-missing", action="store_true", help="say nothing if the account exists")
        parser.add_argument("--site-admin", action="store_true", help="may also manage accounts (default: the first)")

    def handle(self, *args: Any, **options: Any) -> None:
        """Print the password; exit 2 with one line for a name that is taken or not possible."""
        name = options["username"]
        if options["if_missing"] and User.objects.filter(username=name).exists():
            return
        password = secrets.token_urlsafe(12)
        site_admin = options["site_admin"] or not User.objects.exists()
        try:
            create_account(name, password, SYSTEM, database_now(), site_admin=site_admin)
        except DomainError as error:
            self.stderr.write(error.message)
            sys.exit(2)
        self.stdout.write(password)

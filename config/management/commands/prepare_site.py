"""`prepare_site`: bring the database up to the code in one process."""

from io import StringIO
from typing import Any

from django.core.checks import Tags, run_checks
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import DEFAULT_DB_ALIAS

from config.migrations_applied import is_ahead

AHEAD = "A newer version of Doomdesk upgraded this database. Start that version, or restore a backup from before."


class Command(BaseCommand):
    """Checks and migrates the database, loads catalogues, erases again; --laptop adds an organiser and a demo event."""

    help = __doc__ or ""
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        """Declare --laptop."""
        parser.add_argument("--laptop", action="store_true", help="also make the first organiser and a demo event")

    def handle(self, *args: Any, **options: Any) -> None:
        """Run the steps in order; what a newcomer must see is printed by `prepare_laptop` alone.

        CommandError for a database that may lose an act or waits without end (`config.checks`), and where a newer
        version changed it: older code would fail on it, or write what is missing.
        """
        if faults := run_checks(tags=[Tags.database], databases=[DEFAULT_DB_ALIAS]):
            raise CommandError(" ".join(f"{each.msg} {each.hint or ''}".strip() for each in faults))
        if is_ahead():
            raise CommandError(AHEAD)
        call_command("migrate", interactive=False, verbosity=0)
        call_command("load_catalogues", verbosity=0, stdout=StringIO())
        call_command("erase_again", stdout=self.stdout)
        if options["laptop"]:
            call_command("prepare_laptop", stdout=self.stdout)

"""`prepare_site`: bring the database up to the code in one process."""

from io import StringIO
from typing import Any

from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandParser


class Command(BaseCommand):
    """Applies migrations, loads catalogues, erases again; --laptop also makes the first organiser and demo event."""

    help = __doc__ or ""
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        """Declare --laptop."""
        parser.add_argument("--laptop", action="store_true", help="also make the first organiser and a demo event")

    def handle(self, *args: Any, **options: Any) -> None:
        """Run the steps in order; what a newcomer must see is printed by `prepare_laptop` alone."""
        call_command("migrate", interactive=False, verbosity=0)
        call_command("load_catalogues", verbosity=0, stdout=StringIO())
        call_command("erase_again", stdout=self.stdout)
        if options["laptop"]:
            call_command("prepare_laptop", stdout=self.stdout)

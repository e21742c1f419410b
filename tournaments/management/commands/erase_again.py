"""`erase_again`: erase whom a restored backup brought back."""

from typing import Any

from django.core.management.base import BaseCommand

from journal.clock import database_now
from tournaments.privacy.erasure_notes import notes_file
from tournaments.privacy.restores import erase_again


class Command(BaseCommand):
    help = "Erase again who was erased here and came back with a restored backup. Each start does it."

    def handle(self, *_args: Any, **_options: Any) -> None:
        done, waiting = erase_again(database_now())
        if done:
            self.stdout.write(f"Erased again after a restore: {done}")
        if waiting:
            self.stdout.write(f"To erase again once their events are over ({notes_file()}): {waiting}")

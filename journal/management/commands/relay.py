"""`relay`: hand outbox messages to Celery until it is stopped."""

import signal
from threading import Event
from typing import Any

from celery import current_app
from django.core.management.base import BaseCommand, CommandParser

from journal.outbox.relay import Outage, relay_batch, run_relay


class Command(BaseCommand):
    """Any number of relays may run; each message goes to the queue at least once, under its own id."""

    help = "Hand outbox messages to the task queue. Runs until stopped, through outages of queue and database."

    def add_arguments(self, parser: CommandParser) -> None:
        """--once."""
        parser.add_argument("--once", action="store_true", help="hand over what is due now, then end")

    def handle(self, *args: Any, **options: Any) -> None:
        """Relay; with --once exit 1 if the queue cannot be reached."""
        current_app.loader.import_default_modules()
        stop = Event()
        if options["once"]:
            self._relay_once(stop)
            return
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, lambda *_: stop.set())
        self.stdout.write("relay: handing outbox messages to the queue")
        self.stdout.flush()
        run_relay(current_app, stop)

    def _relay_once(self, stop: Event) -> None:
        try:
            while relay_batch(current_app, stop):
                pass
        except Outage as outage:
            self.stderr.write(f"relay: {outage}")
            raise SystemExit(1) from outage

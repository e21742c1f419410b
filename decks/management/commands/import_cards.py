"""`import_cards --game G FILE`: make a CSV file the cards of a set of one's own."""

import json
import sys
from typing import Any

from django.core.management.base import CommandParser

from decks.management.files import FileCommand
from decks.services.catalogues import ImportReport, import_cards
from journal.clock import database_now
from rules_engine.errors import DomainError

MAX_BYTES = 8 * 1024 * 1024


class Command(FileCommand):
    """Imports a card file, or says what is wrong with every bad row."""

    help = (
        "Make a CSV file (columns name, type and the game's fields) the cards of a set. "
        "Exit 0: stored, or with --dry-run sound; 1: bad rows, nothing stored; 2: unusable input."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        """FILE, --game, --set, --dry-run, --json."""
        parser.add_argument("file", help="CSV in UTF-8, - for standard input")
        parser.add_argument("--game", required=True, help="slug of the game system, such as doom_pile")
        parser.add_argument("--set", default="Own cards", help="name of the card set (default: Own cards)")
        parser.add_argument("--dry-run", action="store_true", help="only say what would happen")
        parser.add_argument("--json", action="store_true", help="print JSON")

    def handle(self, *args: Any, **options: Any) -> None:
        """Print the outcome; exit code as in `help`."""
        text = self.read_text(options["file"], MAX_BYTES)
        try:
            report = import_cards(options["game"], options["set"], text, database_now(), dry_run=options["dry_run"])
        except DomainError as error:
            self.refuse(error.message)
        self.stdout.write(_as_json(report, options) if options["json"] else _as_words(report, options["dry_run"]))
        if report.problems:
            sys.exit(1)


def _as_json(report: ImportReport, options: dict[str, Any]) -> str:
    change = report.change
    return json.dumps(
        {
            "game": options["game"],
            "set": report.card_set,
            "dry_run": options["dry_run"],
            "added": change.added,
            "changed": change.changed,
            "removed": change.removed,
            "unchanged": change.unchanged,
            "problems": [
                {"line": each.line, "column": each.column, "message": str(each.message)} for each in report.problems
            ],
        },
        ensure_ascii=False,
    )


def _as_words(report: ImportReport, dry_run: bool) -> str:
    if report.problems:
        rows = [f"line {each.line}: {each.message}" for each in report.problems]
        return "\n".join((*rows, f"{len(rows)} problems; nothing was stored."))
    change = report.change
    done = "would be " if dry_run else ""
    return (
        f"{report.card_set}: {change.added} {done}added, {change.changed} {done}changed, "
        f"{change.removed} {done}removed, {change.unchanged} as before."
    )

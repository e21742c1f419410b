"""`import_cards --game G FILE`: make a card file the cards of a set of one's own."""

import json
import sys
from typing import Any

from django.core.management.base import CommandParser

from accounts.actors import SYSTEM
from decks.management.files import FileCommand
from decks.services.card_imports import ImportReport, import_cards
from journal.clock import database_now
from rules_engine.errors import DomainError

MAX_BYTES = 8 * 1024 * 1024


class Command(FileCommand):
    """Imports a card file, or says what is wrong with every bad row."""

    help = (
        "Make a CSV or JSON file (columns name, type, set and the game's fields) the cards of a set. "
        "Exit 0: stored, or with --dry-run sound; 1: bad rows, nothing stored; 2: unusable input."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        """FILE, --game, --set, --dry-run, --json."""
        parser.add_argument("file", help="CSV or JSON in UTF-8, - for standard input")
        parser.add_argument("--game", required=True, help="slug of the game system, such as doom_pile")
        parser.add_argument("--set", default="Own cards", help="the set of rows that name none (default: Own cards)")
        parser.add_argument("--dry-run", action="store_true", help="only say what would happen")
        parser.add_argument("--json", action="store_true", help="print JSON")

    def handle(self, *args: Any, **options: Any) -> None:
        """Print the outcome; exit code as in `help`."""
        text, actor = self.read_text(options["file"], MAX_BYTES), SYSTEM.key
        game, name, dry_run = options["game"], options["set"], options["dry_run"]
        try:
            report = import_cards(actor, game, name, text, database_now(), dry_run)
        except DomainError as error:
            self.refuse(error.message)
        self.say(_as_json(report, options) if options["json"] else _as_words(report, dry_run))
        if report.problems:
            sys.exit(1)


def _as_json(report: ImportReport, options: dict[str, Any]) -> str:
    change = report.change
    return json.dumps(
        {
            "game": options["game"],
            "set": report.card_set,
            "dry_run": options["dry_run"],
            "sets": report.card_sets,
            "added": len(change.added),
            "changed": len(change.changed),
            "removed": len(change.removed),
            "unchanged": change.unchanged,
            "decks_naming_removed": report.decks,
            "card_lists_naming_removed": report.card_lists,
            "unit": report.unit,
            "problems": [
                {"line": each.line, "column": each.column, "message": str(each.message)} for each in report.problems
            ],
        }
    )


def _as_words(report: ImportReport, dry_run: bool) -> str:
    if report.problems:
        rows = [f"{report.unit} {each.line}: {each.message}" for each in report.problems]
        return "\n".join((*rows, f"{len(rows)} problems; nothing was stored."))
    change, done = report.change, "would be " if dry_run else ""
    said = (
        f"{', '.join(report.card_sets) or report.card_set}: {len(change.added)} {done}added, "
        f"{len(change.changed)} {done}changed, {len(change.removed)} {done}removed, {change.unchanged} as before."
    )
    if report.decks or report.card_lists:
        said += f"\nCards that {'would ' if dry_run else ''}go are named by {report.decks} stored decks and "
        said += f"{report.card_lists} card lists."
    return said

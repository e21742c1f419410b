"""`check_deck --game G --format F FILE…`: judge decklists in files."""

import json
import sys
from collections.abc import Iterator
from dataclasses import asdict
from datetime import date
from typing import Any

from django.core.management.base import CommandParser

from decks.formats.reading import Reading
from decks.formats.text import MAX_BYTES
from decks.management.files import FileCommand
from decks.selectors.legality import format_at, judge_decklist
from decks.services.decks import read_decklist
from journal.clock import database_now
from rules_engine.decklist import Decklist
from rules_engine.errors import DomainError
from rules_engine.repair import Verdict

KEYS_OF_A_VIOLATION = ("rule", "severity", "section", "cards", "message", "source")


class Command(FileCommand):
    """Judges decklists and stores nothing."""

    help = (
        "Judge decklists (UTF-8 files in any format known here) by the catalogue and the card lists in force. "
        "Exit 0: none is illegal; 1: some are; 2: unusable input."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        """FILE…, --game, --format, --variant, --on, --json."""
        parser.add_argument("files", nargs="+", metavar="FILE")
        parser.add_argument("--game", required=True, help="slug of the game system, such as doom_pile")
        parser.add_argument("--format", required=True, help="slug of the format, such as standard")
        parser.add_argument("--variant", default="", help="such as multi-player (default: the format's first)")
        parser.add_argument("--on", metavar="YYYY-MM-DD", help="judge as of this date (default: today)")
        parser.add_argument("--json", action="store_true", help="print JSON")

    def handle(self, *args: Any, **options: Any) -> None:
        """Print a verdict for each file; exit code as in `help`."""
        on_date = self.day(options["on"]) if options["on"] else database_now().date()
        try:
            decks = [self.judge(file, on_date, options) for file in options["files"]]
        except DomainError as error:
            self.refuse(error.message)
        for line in [json.dumps({"decks": decks}, ensure_ascii=False)] if options["json"] else _in_words(decks):
            self.stdout.write(line)
        if any(deck["legal"] is False for deck in decks):
            sys.exit(1)

    def day(self, text: str) -> date:
        """The date written as YYYY-MM-DD; exit 2 with one line for anything else."""
        try:
            return date.fromisoformat(text)
        except ValueError:
            self.refuse(f"{text}: not a date such as 2026-01-31.")

    def judge(self, file: str, on_date: date, options: dict[str, Any]) -> dict[str, Any]:
        """The verdict on one file; a deck with a line that was not understood is not legal."""
        text = self.read_text(file, MAX_BYTES)
        game, format_slug = options["game"], options["format"]
        checked = format_at(game, format_slug, on_date).checks_decks
        reading = read_decklist(text, game, format_slug, file) if checked else Reading(Decklist())
        return _verdict(file, reading, judge_decklist(reading.decklist, game, format_slug, on_date, options["variant"]))


def _verdict(file: str, reading: Reading, verdict: Verdict) -> dict[str, Any]:
    report = verdict.report
    return {
        "file": file,
        "legal": False if reading.problems else report.legal,
        "counts": dict(report.counts),
        "violations": [{key: each[key] for key in KEYS_OF_A_VIOLATION} for each in report.as_data()["violations"]],
        "unread": [
            {"line": each.line, "text": each.text, "suggestions": list(each.suggestions)} for each in reading.problems
        ],
        "repair": [asdict(change) for change in verdict.repair or ()],
    }


def _in_words(decks: list[dict[str, Any]]) -> Iterator[str]:
    words = {True: "legal", False: "not legal", None: "nothing to check"}
    for deck in decks:
        yield f"{deck['file']}: {words[deck['legal']]}"
        for each in deck["violations"]:
            cards = ", ".join(f"{card['name']} {card['found']} ({card['allowed']} allowed)" for card in each["cards"])
            yield f"  {each['rule']}: {each['message']} {cards}".rstrip() + f" [{each['source']}]"
        for each in deck["repair"]:
            yield f"  to mend: {each['change']:+d} {each['card'] or 'any legal card'} [{each['section']}]"
        for each in deck["unread"]:
            near = f" Near: {', '.join(each['suggestions'])}." if each["suggestions"] else ""
            yield f"  line {each['line']} not understood: {each['text']}.{near}"

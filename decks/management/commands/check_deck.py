"""`check_deck --game G --format F FILE…`: judge decklists in files."""

import json
import re
import sys
from collections.abc import Iterator
from dataclasses import asdict
from datetime import date
from typing import Any, TypeAlias

from django.core.management.base import CommandParser

from decks.formats.reading import Notice, Reading
from decks.formats.text import MAX_BYTES
from decks.management.files import FileCommand
from decks.selectors.legality import format_at, judge_decklist
from decks.services.decks import read_decklist
from journal.clock import database_now
from rules_engine.decklist import Decklist
from rules_engine.errors import DomainError
from rules_engine.repair import Verdict

Deck: TypeAlias = dict[str, Any]
"""The verdict on a file, as JSON says it."""

DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
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
        """Print a verdict for each file, in words also what was assumed in reading; exit code as in `help`."""
        on_date = database_now().date() if options["on"] is None else self.day(options["on"])
        try:
            format_at(options["game"], options["format"], on_date).get_variant(options["variant"])
            judged = [self.judge(file, on_date, options) for file in options["files"]]
        except DomainError as error:
            self.refuse(error.message)
        decks = [deck for deck, _notices in judged]
        if options["json"]:
            self.say(json.dumps({"decks": decks}))
        else:
            self.say_in_words(judged)
        if any(deck["legal"] is False for deck in decks):
            sys.exit(1)

    def say_in_words(self, judged: list[tuple[Deck, tuple[Notice, ...]]]) -> None:
        """The verdicts on standard output, the notices on standard error as FILE:LINE: TEXT."""
        for deck, notices in judged:
            for notice in notices:
                self.warn(f"{deck['file']}:{notice.line}: {notice.message}")
            for line in _in_words(deck):
                self.say(line)

    def day(self, text: str) -> date:
        """The date written as YYYY-MM-DD; exit 2 with one line for anything else."""
        try:
            if DATE.fullmatch(text):
                return date.fromisoformat(text)
        except ValueError:
            pass
        self.refuse(f"{text}: not a date such as 2026-01-31.")

    def judge(self, file: str, on_date: date, options: dict[str, Any]) -> tuple[Deck, tuple[Notice, ...]]:
        """The verdict on one file, and what was assumed; a deck with a line that was not understood is not legal."""
        text = self.read_text(file, MAX_BYTES)
        game, format_slug = options["game"], options["format"]
        checked = format_at(game, format_slug, on_date).checks_decks
        reading = read_decklist(text, game, format_slug, file) if checked else Reading(Decklist())
        verdict = judge_decklist(reading.decklist, game, format_slug, on_date, options["variant"])
        return _verdict(file, reading, verdict), reading.notices


def _verdict(file: str, reading: Reading, verdict: Verdict) -> Deck:
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


def _in_words(deck: Deck) -> Iterator[str]:
    words = {True: "legal", False: "not legal", None: "nothing to check"}
    yield f"{deck['file']}: {words[deck['legal']]}"
    for each in deck["violations"]:
        cards = ", ".join(f"{card['name']} {card['found']} ({card['allowed']} allowed)" for card in each["cards"])
        yield f"  {each['rule']}: {each['message']} {cards}".rstrip() + f" [{each['source']}]"
    for each in deck["repair"]:
        yield f"  to repair: {each['change']:+d} {each['card'] or 'any legal card'} [{each['section']}]"
    for each in deck["unread"]:
        near = f" Near: {', '.join(each['suggestions'])}." if each["suggestions"] else ""
        yield f"  line {each['line']} not understood: {each['text']}.{near}"

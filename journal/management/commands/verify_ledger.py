"""`verify_ledger [STREAM]`: recompute the hash chains of the ledger."""

import json
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from journal.ledger.selectors import Head, Problem, head_of, streams, verify_stream


class Command(BaseCommand):
    """Finds every entry that was changed, dropped, swapped or cut off."""

    help = "Recompute the ledger's hash chains. Exit 0: sound, 1: broken, 2: unusable input."

    def add_arguments(self, parser: CommandParser) -> None:
        """STREAM, --published and --json."""
        parser.add_argument("stream", nargs="?", help="one stream only")
        parser.add_argument("--published", metavar="NUMBER:HASH", help="a head of STREAM that was noted earlier")
        parser.add_argument("--json", action="store_true", help="print JSON")

    def handle(self, *args: Any, **options: Any) -> None:
        """Print each stream's head and problems; exit 1 if there is any problem."""
        published = self._published(options)
        if options["stream"] and published is None and options["stream"] not in streams():
            self.stderr.write(f"There is no stream {options['stream']}. Without a name all are verified and listed.")
            raise SystemExit(2)
        names = [options["stream"]] if options["stream"] else streams()
        found = {name: (head_of(name), verify_stream(name, published)) for name in names}
        if options["json"]:
            self.stdout.write(json.dumps({name: _as_json(*pair) for name, pair in found.items()}, indent=2))
        else:
            for name, (head, problems) in found.items():
                self._print(name, head, problems)
        if any(problems for _head, problems in found.values()):
            raise SystemExit(1)

    def _published(self, options: dict[str, Any]) -> Head | None:
        if options["published"] is None:
            return None
        number, _colon, digest = options["published"].partition(":")
        if options["stream"] and number.isdecimal() and len(digest) == 64:
            return Head(int(number), digest)
        self.stderr.write("--published needs one STREAM and a head like 12:5f3a… with 64 digits")
        raise SystemExit(2)

    def _print(self, name: str, head: Head, problems: list[Problem]) -> None:
        self.stdout.write(f"{name} {head}: {'BROKEN' if problems else 'sound'}")
        for problem in problems:
            self.stdout.write(f"  entry {problem.sequence}: {problem.text}")


def _as_json(head: Head, problems: list[Problem]) -> dict[str, object]:
    return {
        "sequence": head.sequence,
        "hash": head.hash,
        "sound": not problems,
        "problems": [{"sequence": problem.sequence, "text": problem.text} for problem in problems],
    }

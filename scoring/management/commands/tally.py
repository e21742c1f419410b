"""`tally GAME [FILE] [--json]`: what a score sheet given as JSON adds up to; needs no database and no queue."""

import json
from argparse import ArgumentParser, RawDescriptionHelpFormatter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NoReturn

from django.core.management.base import BaseCommand

from rules_engine.errors import BadInput, DomainError
from rules_engine.systems import list_systems
from scoring.game_folders import game_module
from scoring.management.reading import read_text, refuse
from scoring.sheets.tallies.batch import answer, read_sheets
from scoring.sheets.tallies.registry import get_tallier, has_sheet

MAX_BYTES = 64 * 2**20
MAX_SHEETS = 100_000


class Command(BaseCommand):
    """Tallies and stores nothing."""

    help = (
        'Add up a score sheet (a JSON object). Many at once are {"sheets": [...]}, answered by {"tallies": [...]} in '
        'the same order with {"error"} for a sheet that cannot be tallied. `tally GAME --help` tells the keys of a '
        "sheet. Exit 2: the input, or its only sheet, cannot be used."
    )
    requires_system_checks = []
    shown_game = ""

    def run_from_argv(self, argv: list[str]) -> None:
        """Note the game, so that its help can tell of its sheets."""
        self.shown_game = next((word for word in argv[2:] if has_sheet(word)), "")
        super().run_from_argv(argv)

    def add_arguments(self, parser: ArgumentParser) -> None:
        """GAME, FILE (standard input by default), --json."""
        games = [system.slug for system in list_systems() if has_sheet(system.slug)]
        parser.add_argument("game", metavar="GAME", help=f"one of: {', '.join(games)}")
        parser.add_argument("file", nargs="?", default="-", metavar="FILE", help="default: standard input")
        parser.add_argument("--json", action="store_true", help="print JSON")
        if self.shown_game:
            parser.formatter_class = RawDescriptionHelpFormatter
            parser.epilog = _schema(self.shown_game)

    def handle(self, *_args: Any, **options: Any) -> None:
        """Print the tally of each sheet."""
        try:
            tallier = get_tallier(options["game"])
            data = _read(options["file"])
            sheets = read_sheets(data, MAX_SHEETS)
        except (OSError, UnicodeDecodeError, DomainError) as error:
            self._refuse(error, as_json=options["json"])
        many = "sheets" in data
        answers = [answer(tallier, sheet) for sheet in sheets]
        if options["json"]:
            self.stdout.write(json.dumps({"tallies": answers} if many else answers[0]))
        if not many and "error" in answers[0]:
            refuse(DomainError("bad_sheet", answers[0]["error"]))
        for line in () if options["json"] else _in_words(answers):
            self.stdout.write(line)

    def _refuse(self, error: Exception, *, as_json: bool) -> NoReturn:
        if as_json:
            self.stdout.write(json.dumps({"error": error.message if isinstance(error, DomainError) else str(error)}))
        refuse(error)


def _schema(game: str) -> str:
    """What the game says of its sheets."""
    modules = [game_module(game, "tally.sheet"), game_module(game, "tally")]
    return next(filter(None, (getattr(each, "__doc__", "") for each in modules)), "")


def _read(file: str) -> Any:
    """What stands in a file; BadInput "bad_sheet" where it is no JSON."""
    try:
        data = json.loads(read_text(file, MAX_BYTES), parse_constant=_refuse_constant)
    except RecursionError:
        raise BadInput("bad_sheet", "This cannot be read: it is nested too deeply.") from None
    except UnicodeDecodeError:
        raise
    except ValueError as error:
        raise BadInput("bad_sheet", f"This is not JSON: {error}.") from None
    return data


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is no number")


def _in_words(answers: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Each sheet as a small table, parted by an empty line."""
    for number, tally in enumerate(answers):
        if number:
            yield ""
        if "error" in tally:
            yield f"This sheet cannot be tallied: {tally['error']}"
            continue
        for player in tally["players"]:
            yield f"{player['score']:>6}  {player['name']}{'  (wins)' if player['name'] in tally['winners'] else ''}"
            for line in player["lines"]:
                yield f"{line['points']:>12}  {line['kind']:<12}  {line['card']}".rstrip()
        for violation in tally["violations"]:
            yield f"  {violation['rule']}: {violation['message']}"

"""The tables and lists of docs/reference/, each made from the code that it tells of."""

import argparse
import re
import textwrap
import tomllib
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from django.apps import apps
from django.core.management import get_commands, load_command_class
from django.core.management.base import BaseCommand
from drf_spectacular.generators import SchemaGenerator

from accounts.http.permissions import PERMISSIONS, WORDS
from launch import checks
from launch.commands import build_parser
from rules_engine.game import GameSystem
from rules_engine.loading_rulebook import RULEBOOK_FILE
from rules_engine.systems import list_systems
from scoring.standings.tiebreakers import TIEBREAKERS
from tests.docs.error_codes import ROOT, find_codes
from tests.docs.reference import COMMAND
from tests.docs.worked_tiebreakers import worked
from tests.permission_rows import rows
from tournaments.core.audiences import ear_of
from tournaments.standings.words import name_of, said_of
from tournaments.web.shared.log_words import SENTENCES

METHODS = ("get", "post", "put", "patch", "delete")
RULEBOOKS = ROOT / "rules_engine" / "games"
PLACEHOLDER = re.compile(r"%\((\w+)\)[sd]")


def table(head: Iterable[str], rows: Iterable[Iterable[object]]) -> str:
    lines = [list(head), ["---"] * len(list(head)), *rows]
    return "\n".join("| " + " | ".join(cell(each) for each in line) + " |" for line in lines)


def cell(content: object) -> str:
    """A text that does not break a table."""
    return " ".join(str(content).replace("|", "\\|").replace("<", "&lt;").split())


def code(text: object) -> str:
    return f"`{text}`"


def commands() -> str:
    """`./run`, then every management command of ours."""
    run = build_parser()
    parts = [
        f"## ./run\n\n```text\n{run.epilog}\n```\n\n{arguments(run, set())}",
        f"## ./test\n\n```text\n{checks.HELP}\n```",
    ]
    usual = {action.dest for action in BaseCommand().create_parser("manage", "none")._actions}
    ours = {config.name for config in apps.get_app_configs() if Path(config.path).parent == ROOT}
    for name, app in sorted(get_commands().items()):
        if app in ours:
            parser = load_command_class(app, name).create_parser("manage", name)
            parts.append(f"## {name}\n\n{described(parser)}\n\n{arguments(parser, usual, f'./run manage {name}')}")
    return "\n\n".join(part.strip() for part in parts)


def described(parser: argparse.ArgumentParser) -> str:
    """What a command is for."""
    return " ".join((parser.description or "").split())


def arguments(parser: argparse.ArgumentParser, usual: set[str], command: str = "./run") -> str:
    """How a command is called, and a table of what it takes beside what every command takes."""
    actions = [action for action in parser._actions if action.dest not in usual | {"help"}]
    rows = [(code(spelled(action)), action.help % vars(action)) for action in actions if action.help]
    usage = " ".join([command, *(called(action) for action in actions)])
    return f"```text\n{usage}\n```" + (f"\n\n{table(('argument', 'meaning'), rows)}" if rows else "")


def spelled(action: argparse.Action) -> str:
    """An argument as it is written: --seed S, FILE."""
    value = "|".join(action.choices) if action.choices else action.metavar or action.dest.upper()
    if not action.option_strings:
        return str(value)
    return max(action.option_strings, key=len) + ("" if action.nargs == 0 else f" {value}")


def called(action: argparse.Action) -> str:
    """An argument in a line of usage: in brackets where it may be left out."""
    text = spelled(action)
    if action.option_strings:
        return text if action.required else f"[{text}]"
    return {"?": f"[{text}]", "+": f"{text}…", "*": f"[{text}…]"}.get(str(action.nargs), text)


def permission_rules() -> str:
    """Every permission about an object, and who may."""
    rows = [
        (code(row.name), row.lets, who_may(row.who), code(row.token.value))
        for row in sorted(PERMISSIONS.values(), key=lambda row: row.name)
    ]
    return table(("permission", "lets you", "who", "token needs"), rows)


def who_may(ways: Iterable[str]) -> str:
    """Whom a row lets in, in words: "player & players_report" is “player, if the event lets players report”."""
    return "; or ".join(", if ".join(WORDS[word] for word in way.split(" & ")) for way in ways)


def ledger_acts() -> str:
    """Every act of an event's log, its sentence, and whose pages are refreshed."""
    rows = [(code(act), sentence(words), ear_of(act, {"published": True})) for act, words in sorted(SENTENCES.items())]
    return table(("act", "sentence in the log, after the actor's name", "whose pages refresh at once"), rows)


def sentence(words: object) -> str:
    """A translated sentence, its values as {name}."""
    return PLACEHOLDER.sub(r"{\1}", str(words))


def error_codes() -> str:
    rows = ((code(name), ", ".join(map(str, sorted(found.statuses))), said(found.sentences))
            for name, found in find_codes()[0].items())  # fmt: skip
    return table(("code", "status", "what it says"), rows)


def list_of_codes() -> str:
    """The module from which the API's schema lists every code."""
    names = textwrap.wrap(" ".join(sorted({*find_codes()[0], *OF_FRAMEWORK})), 116, break_on_hyphens=False)
    return CODES.format(command=COMMAND, lines="\n".join(f"    {line}" for line in names))


CODES = '''"""Every code of an error; written by `{command}`."""

CODES = """
{lines}
""".split()  # noqa: SIM905 (a name a line would be four hundred lines)
'''
OF_FRAMEWORK = (
    "authentication_failed", "code_needed", "error", "invalid", "method_not_allowed", "not_authenticated",
    "parse_error", "permission_denied", "throttled", "unknown_scheme", "unsupported_media_type", "wrong_code",
    "wrong_credentials", "busy", "disk_full", "csrf", "not_found",
)  # fmt: skip
"""Codes that no sentence of ours goes with, or that a variable holds."""


def said(sentences: list[str], most: int = 3) -> str:
    """The first sentences of a code, and how many there are beside them."""
    more = len(sentences) - most
    return " · ".join(sentences[:most]) + (f" · and {more} more" if more > 0 else "")


def tiebreakers() -> str:
    """Every tiebreaker: what it is called, what it says, and Ada's value."""
    rows = [
        (name_of(key), code(key), each.abbreviation, said_of(key), worked(each)) for key, each in TIEBREAKERS.items()
    ]
    return table(("name", "key", "column", "what it is", "Ada's value"), rows)


def api_routes() -> str:
    """Every operation of the API by the first word of its path."""
    paths = SchemaGenerator().get_schema(request=None, public=True)["paths"]
    asked = rows("operations")
    lines = [
        (
            method.upper(),
            code(path.removeprefix("/api/v1")),
            first_line(operation["description"]),
            who(operation),
            code(asked[operation["operationId"]]),
        )
        for path, item in sorted(paths.items())
        for method, operation in item.items()
        if method in METHODS
    ]
    return table(("method", "path under /api/v1", "what it does", "visitors", "permission"), lines)


def first_line(text: str) -> str:
    """The first paragraph."""
    return text.split("\n\n")[0]


def who(operation: dict[str, list[dict[str, object]]]) -> str:
    """Whether an operation can be called without signing in."""
    return "yes" if {} in operation.get("security", []) else ""


def rules_coverage() -> str:
    """Each heading of each game's book, and the clauses that tell its rules; what else it goes by, below."""
    parts = []
    for system in list_systems():
        path = RULEBOOKS / system.slug / RULEBOOK_FILE
        if path.exists():
            rulebook = tomllib.loads(path.read_text(encoding="utf-8"))
            ids: dict[str, list[str]] = {heading: [] for heading in rulebook["headings"]}
            for clause in system.clauses:
                for heading in clause.headings if clause.book == system.book else ():
                    ids[heading].append(code(clause.id))
            rows = [(heading, ", ".join(each)) for heading, each in ids.items()]
            rows += [(heading, "no rules") for heading in rulebook["without_rules"]]
            parts.append(f"## {system.name}\n\n{table(('heading of the book', 'clauses'), rows)}")
            parts += other_documents(system)
    return "\n\n".join(parts)


def other_documents(system: GameSystem) -> Iterator[str]:
    """Each section of what a game goes by besides its book, and the clauses that tell it."""
    for document in dict.fromkeys(clause.book for clause in system.clauses if clause.book != system.book):
        ids: dict[str, list[str]] = {}
        for clause in system.clauses:
            for heading in clause.headings if clause.book == document else ():
                ids.setdefault(heading, []).append(code(clause.id))
        rows = [(heading, ", ".join(each)) for heading, each in ids.items()]
        yield f"### {document}\n\n{table(('section', 'clauses'), rows)}"


MODULES: dict[str, Callable[[], str]] = {"tournaments/api/error_codes.py": list_of_codes}
"""What is written as code, whole."""
PAGES: dict[str, Callable[[], str]] = {
    "commands.md": commands,
    "permissions.md": permission_rules,
    "ledger-acts.md": ledger_acts,
    "errors.md": error_codes,
    "tiebreakers.md": tiebreakers,
    "api.md": api_routes,
    "rules-coverage.md": rules_coverage,
}

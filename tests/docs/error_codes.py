"""The stable codes of errors, found in the code: each with its HTTP statuses and its sentences."""

import ast
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from rules_engine import errors

ROOT = Path(__file__).parents[2]
APPS = ("accounts", "config", "decks", "journal", "rules_engine", "scoring", "tournaments")
STATUS = {
    name: found.status
    for name, found in vars(errors).items()
    if isinstance(found, type) and issubclass(found, errors.DomainError)
}
TRANSLATES = ("_", "gettext", "gettext_lazy", "gettext_noop", "ngettext", "ngettext_lazy", "Message")
PLACEHOLDER = re.compile(r"%\((\w+)\)[sd]")
MAX_STEPS = 6
"""How often a name is followed to the place where it got its value."""

Call = tuple[ast.Call, ast.FunctionDef | None]
"""A call and the function around it."""


@dataclass
class ErrorCode:
    statuses: set[int] = field(default_factory=set)
    sentences: list[str] = field(default_factory=list)

    def add(self, status: int, sentences: list[str]) -> None:
        """Note one more place that uses the code."""
        self.statuses.add(status)
        self.sentences += [each for each in dict.fromkeys(sentences) if each not in self.sentences]


@dataclass(frozen=True)
class Scope:
    """What a name may stand for at a call: a variable or an argument of its function, else a constant.

    `calls` are those that may hand an argument over, by the name of what they call.
    """

    function: ast.FunctionDef | None
    calls: Mapping[str, Sequence[Call]]
    constants: Mapping[str, ast.expr]

    def values(self, name: str) -> list[ast.expr]:
        """Every expression that the name may stand for."""
        inside = [*_variables(self.function, name), *self._arguments(name)] if self.function else []
        return inside or [value for value in [self.constants.get(name)] if value is not None]

    def _arguments(self, name: str) -> Iterator[ast.expr]:
        """What the module hands to a parameter of the function, and its default."""
        arguments = self.function.args
        names = [each.arg for each in arguments.args]
        if name not in names:
            return
        place = names.index(name)
        for call, _around in self.calls.get(self.function.name, ()):
            yield from call.args[place : place + 1]
            yield from (word.value for word in call.keywords if word.arg == name)
        defaults = zip(reversed(names), reversed(arguments.defaults), strict=False)
        yield from (default for each, default in defaults if each == name)


@cache
def find_codes() -> tuple[dict[str, ErrorCode], list[str]]:
    """Every code; and the expressions for codes that only the run knows: they put another error in new words."""
    codes: defaultdict[str, ErrorCode] = defaultdict(ErrorCode)
    unknown = []
    modules = {path: ast.parse(path.read_text(encoding="utf-8")) for path in _product_files()}
    shared = {name: value for tree in modules.values() for name, value in _constants(tree)}
    calls = {path: list(_calls(tree, None)) for path, tree in modules.items()}
    everywhere = _by_name(each for found in calls.values() for each in found)
    for path, tree in modules.items():
        here, constants = _by_name(calls[path]), shared | dict(_constants(tree))
        for call, function in calls[path]:
            if _name(call.func) in STATUS and call.args:
                callers = everywhere if function and not function.name.startswith("_") else here
                found = list(_codes_of(call, Scope(function, callers, constants)))
                unknown += [] if found else [ast.unparse(call.args[0])]
                for code, sentences in found:
                    codes[code].add(STATUS[_name(call.func)], sentences)
    return dict(sorted(codes.items())), unknown


def _product_files() -> list[Path]:
    found = [path for app in APPS for path in sorted((ROOT / app).rglob("*.py"))]
    return [path for path in found if "migrations" not in path.parts]


def _constants(tree: ast.Module) -> Iterator[tuple[str, ast.expr]]:
    for statement in tree.body:
        if isinstance(statement, ast.Assign) and isinstance(statement.targets[0], ast.Name):
            yield statement.targets[0].id, statement.value


def _calls(node: ast.AST, function: ast.FunctionDef | None) -> Iterator[Call]:
    inside = node if isinstance(node, ast.FunctionDef) else function
    for child in ast.iter_child_nodes(node):
        yield from _calls(child, inside)
    if isinstance(node, ast.Call):
        yield node, function


def _by_name(calls: Iterable[Call]) -> dict[str, list[Call]]:
    """Calls by the name of what is called."""
    found: defaultdict[str, list[Call]] = defaultdict(list)
    for call, around in calls:
        found[_name(call.func)].append((call, around))
    return dict(found)


def _variables(function: ast.FunctionDef, name: str) -> Iterator[ast.expr]:
    for node in ast.walk(function):
        if isinstance(node, ast.Assign) and _name(node.targets[0]) == name:
            yield node.value


def _name(node: ast.expr) -> str:
    return node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""


def _codes_of(call: ast.Call, scope: Scope) -> Iterator[tuple[str, list[str]]]:
    """(code, sentences) of an error; where its sentence is looked up in a table, one for each row of the table."""
    words = call.args[1] if len(call.args) > 1 else ast.Constant(None)
    for code in _texts(call.args[0], scope):
        yield code, _sentences(words, scope)
    if isinstance(words, ast.Subscript):
        for table in scope.values(_name(words.value)):
            rows = zip(table.keys, table.values, strict=True) if isinstance(table, ast.Dict) else ()
            yield from ((code, _sentences(value, scope)) for key, value in rows for code in _texts(key, scope))


def _texts(node: ast.expr, scope: Scope, steps: int = 0) -> list[str]:
    """The texts that an expression may be, as far as the code says."""
    match node:
        case ast.Constant(value=str(text)):
            return [text]
        case ast.IfExp(body=one, orelse=other):
            return [*_texts(one, scope, steps), *_texts(other, scope, steps)]
        case ast.Name(id=name) if steps < MAX_STEPS:
            return [text for value in scope.values(name) for text in _texts(value, scope, steps + 1)]
    return []


def _sentences(node: ast.expr, scope: Scope, steps: int = 0) -> list[str]:
    """The sentences of a message in English, `{name}` where a value goes; none where only the run knows it."""
    match node:
        case ast.Constant(value=str(text)):
            return [PLACEHOLDER.sub(r"{\1}", text)]
        case ast.JoinedStr(values=parts):
            return ["".join(str(part.value) if isinstance(part, ast.Constant) else "{…}" for part in parts)]
        case ast.IfExp(body=one, orelse=other):
            return [*_sentences(one, scope, steps), *_sentences(other, scope, steps)]
        case ast.BoolOp(values=values):
            return [text for value in values for text in _sentences(value, scope, steps)]
        case ast.BinOp(left=left, op=ast.Mod()):
            return _sentences(left, scope, steps)
        case ast.Call(args=[first, *_]) if _name(node.func) in TRANSLATES:
            return _sentences(first, scope, steps)
        case ast.Name(id=name) if steps < MAX_STEPS:
            return [text for value in scope.values(name) for text in _sentences(value, scope, steps + 1)]
    return []

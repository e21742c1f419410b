"""JSON with line numbers: values as nodes that know where they begin; depth and size are limited."""

import json
import re
from bisect import bisect_right
from dataclasses import dataclass
from itertools import accumulate
from typing import NoReturn, TypeAlias

from decks.formats.limits import MAX_LINES
from rules_engine.messages import Message, gettext_noop

MAX_DEPTH = 8
MAX_NODES = 8 * MAX_LINES

_SPACE = re.compile(r"[ \t\n]*")
_DECODER = json.JSONDecoder()
_SCALARS = (str, int, float, bool)

Scalar: TypeAlias = str | int | float | bool | None


@dataclass(frozen=True, slots=True)
class Node:
    """A value that begins on `line`: a scalar, or a list of `items`, or an object of `members` (doubled keys stay)."""

    line: int
    scalar: Scalar = None
    items: "tuple[Node, ...]" = ()
    members: "tuple[tuple[str, Node], ...]" = ()

    @property
    def text(self) -> str:
        """The scalar as a person would write it; "" for null, truth values, lists and objects."""
        return "" if self.scalar is None or isinstance(self.scalar, bool) else str(self.scalar)


class NotJson(Exception):
    """The text is not JSON, or too deep or too large; `line` says where, `reason` why."""

    def __init__(self, line: int, reason: Message) -> None:
        super().__init__(line, reason)
        self.line = line
        self.reason = reason


def parse_json(lines: list[str]) -> Node:
    """The value that the lines hold; NotJson otherwise."""
    parser = _Parser(lines)
    value = parser.read_value(0)
    if parser.next_character():
        parser.fail()
    return value


class _Parser:
    def __init__(self, lines: list[str]) -> None:
        self.text = "\n".join(lines)
        self.begins = list(accumulate((len(line) + 1 for line in lines[:-1]), initial=0))
        self.place = 1 if self.text.startswith("\ufeff") else 0
        self.nodes = 0

    @property
    def line(self) -> int:
        return bisect_right(self.begins, self.place)

    def fail(self, template: str = gettext_noop("This is not JSON; nothing was read.")) -> NoReturn:
        raise NotJson(self.line, Message(template))

    def next_character(self) -> str:
        """The next character that is no space; "" at the end."""
        match = _SPACE.match(self.text, self.place)
        self.place = match.end() if match else self.place
        return self.text[self.place : self.place + 1]

    def accept(self, character: str) -> bool:
        found = self.next_character() == character
        self.place += found
        return found

    def expect(self, character: str) -> None:
        if not self.accept(character):
            self.fail()

    def read_value(self, depth: int) -> Node:
        first = self.next_character()
        self.nodes += 1
        if depth > MAX_DEPTH or self.nodes > MAX_NODES:
            self.fail(gettext_noop("Nothing read: this JSON is too deep or too long."))
        line = self.line
        if first == "{":
            return Node(line, members=tuple(self.read_members(depth)))
        if first == "[":
            return Node(line, items=tuple(self.read_items(depth)))
        return Node(line, self.read_scalar())

    def read_members(self, depth: int) -> list[tuple[str, Node]]:
        self.expect("{")
        members: list[tuple[str, Node]] = []
        while not self.accept("}"):
            if members:
                self.expect(",")
            self.next_character()
            key = self.read_text()
            self.expect(":")
            members.append((key, self.read_value(depth + 1)))
        return members

    def read_items(self, depth: int) -> list[Node]:
        self.expect("[")
        items: list[Node] = []
        while not self.accept("]"):
            if items:
                self.expect(",")
            items.append(self.read_value(depth + 1))
        return items

    def read_text(self) -> str:
        if self.text[self.place : self.place + 1] != '"':
            self.fail()
        return str(self.read_scalar())

    def read_scalar(self) -> Scalar:
        try:
            value, self.place = _DECODER.raw_decode(self.text, self.place)
        except ValueError:
            self.fail()
        return value if isinstance(value, _SCALARS) else None

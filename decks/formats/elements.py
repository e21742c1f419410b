"""Untrusted XML as a flat list of elements with their lines.

The standard library's expat is driven directly: it tells line numbers, and a document type, the only place where
entities can be declared, ends the reading before any of it is used. Depth and number of elements are limited too.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from xml.parsers import expat

from decks.formats.limits import MAX_LINES
from rules_engine.messages import Message, gettext_noop

MAX_DEPTH = 8
MAX_ELEMENTS = 2 * MAX_LINES


@dataclass(slots=True)
class Element:
    """An element that begins on `line`; `path` names its ancestors, the root first; `text` is what it holds itself."""

    tag: str
    line: int
    path: tuple[str, ...]
    attributes: Mapping[str, str]
    pieces: list[str] = field(default_factory=list)

    @property
    def text(self) -> str:
        """Its own text without that of its children."""
        return "".join(self.pieces).strip()


@dataclass(frozen=True, slots=True)
class Fault:
    """Where and why reading ended early."""

    line: int
    reason: Message


class _Refused(Exception):
    """Raised out of the parser; its argument is the Message that says why."""


class _Builder:
    def __init__(self, lines_before: int) -> None:
        self.lines_before = lines_before
        self.elements: list[Element] = []
        self.open: list[Element] = []
        self.parser = expat.ParserCreate("utf-8")
        self.parser.buffer_text = True
        self.parser.StartElementHandler = self.begin
        self.parser.EndElementHandler = self.end
        self.parser.CharacterDataHandler = self.add_text
        self.parser.StartDoctypeDeclHandler = self.refuse_doctype

    @property
    def line(self) -> int:
        return self.lines_before + self.parser.CurrentLineNumber

    def begin(self, tag: str, attributes: dict[str, str]) -> None:
        if len(self.open) >= MAX_DEPTH:
            raise _Refused(Message(gettext_noop("The elements are nested too deeply.")))
        if len(self.elements) >= MAX_ELEMENTS:
            raise _Refused(Message(gettext_noop("At most %(limit)s elements are read."), {"limit": MAX_ELEMENTS}))
        path = tuple(each.tag for each in self.open)
        self.open.append(Element(tag, self.line, path, attributes))
        self.elements.append(self.open[-1])

    def end(self, _tag: str) -> None:
        self.open.pop()

    def add_text(self, text: str) -> None:
        self.open[-1].pieces.append(text)

    def refuse_doctype(self, *_doctype: object) -> None:
        raise _Refused(Message(gettext_noop("XML with a DTD or entities isn't read.")))


def parse_elements(text: str) -> tuple[list[Element], Fault | None]:
    """The elements in the order in which they begin, and the fault that ended the reading early, if any."""
    body = text.lstrip("\ufeff \t\n")
    builder = _Builder(text[: len(text) - len(body)].count("\n"))
    fault = None
    try:
        builder.parser.Parse(body.encode("utf-8", "replace"), True)
    except _Refused as refused:
        fault = Fault(builder.line, refused.args[0])
    except expat.ExpatError as error:
        template = gettext_noop("Invalid XML (%(error)s); nothing read from here on.")
        message = Message(template, {"error": expat.ErrorString(error.code)})
        fault = Fault(builder.lines_before + error.lineno, message)
    return builder.elements, fault

"""A card list as lines of text: "Card Name: 0", with "[variant]" before the name where it holds for that one only."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from decks.formats.lines import physical_lines, tidy
from decks.formats.reading import LineProblem, Suggester
from rules_engine.cards import CardFacts, normalise_name
from rules_engine.limits import ANY_NUMBER
from rules_engine.messages import Message, gettext_noop

MAX_LIST_BYTES = 256 * 1024
MAX_LIST_LINES = 2000
MAX_LIST_LINE = 300
MAX_LISTED_COPIES = 99
_COMMENTS = ("#", "//")
_SCOPE = re.compile(r"\[([^\[\]]*)\] ?")
_NUMBER = re.compile(r"[0-9]{1,4}")

Limits = Mapping[str, Mapping[str, int | None]]
"""Copies by normalised name, by variant: "" for all variants, 0 banned, None any number."""


@dataclass(frozen=True, slots=True)
class ListReading:
    """A card list as read; use it only without problems."""

    limits: Limits
    problems: tuple[LineProblem, ...] = ()


class _Fault(Exception):
    def __init__(self, reason: Message, name: str = "") -> None:
        super().__init__(reason, name)
        self.reason, self.name = reason, name


def read_card_list(text: str, cards: Mapping[str, CardFacts], variants: Sequence[str] = ()) -> ListReading:
    """Read `text` against `cards` (by normalised name) and the slugs of `variants`; every faulty line is a problem.

    Blank lines and lines that begin with # or // say nothing. No name is replaced: an unknown one comes back with
    suggestions.
    """
    if len(text.encode()) > MAX_LIST_BYTES or len(lines := physical_lines(text)) > MAX_LIST_LINES:
        reason = Message(gettext_noop("The list is too long (at most %(lines)s lines)."), {"lines": MAX_LIST_LINES})
        return ListReading({}, (LineProblem(1, "", reason),))
    limits: dict[str, dict[str, int | None]] = {}
    problems, suggester = [], Suggester(cards)
    for number, raw in enumerate(lines, start=1):
        line = tidy(raw)
        if not line or line.startswith(_COMMENTS):
            continue
        try:
            _read_line(line, cards, variants, limits)
        except _Fault as fault:
            problems.append(LineProblem(number, line[:MAX_LIST_LINE], fault.reason, suggester.suggest(fault.name)))
    return ListReading(limits, tuple(problems))


def _read_line(
    line: str, cards: Mapping[str, CardFacts], variants: Sequence[str], limits: dict[str, dict[str, int | None]]
) -> None:
    if len(line) > MAX_LIST_LINE:
        raise _Fault(Message(gettext_noop("The line is too long.")))
    scopes, rest = _scopes(line, variants)
    name, colon, copies = rest.rpartition(":")
    if not colon:
        raise _Fault(Message(gettext_noop("Write the card, a colon and 0, 1, 2, … or “any”.")), rest)
    key, allowed = normalise_name(name), _copies(copies.strip().lower())
    if key not in cards:
        raise _Fault(Message(gettext_noop("No card of this game has this name.")), name)
    if any(key in limits.get(scope, {}) for scope in scopes):
        raise _Fault(Message(gettext_noop("This card is on the list already.")))
    for scope in scopes:
        limits.setdefault(scope, {})[key] = allowed


def _scopes(line: str, variants: Sequence[str]) -> tuple[tuple[str, ...], str]:
    found = _SCOPE.match(line)
    named = tuple(dict.fromkeys(each.strip().lower() for each in found[1].split(","))) if found else ()
    if found is None or not variants:
        return ("",), line
    if unknown := [each for each in named if each not in variants]:
        values = {"unknown": unknown[0], "known": ", ".join(variants)}
        raise _Fault(Message(gettext_noop("“%(unknown)s” isn't a variant here: %(known)s."), values))
    return named, line[found.end() :]


def _copies(word: str) -> int | None:
    if word == ANY_NUMBER:
        return None
    if not _NUMBER.fullmatch(word) or int(word) > MAX_LISTED_COPIES:
        raise _Fault(Message(gettext_noop("Write a number of copies up to 99, or “any”, after the last colon.")))
    return int(word)


def write_card_list(limits: Limits, names: Mapping[str, str], variants: Sequence[str] = ()) -> str:
    """The text that `read_card_list` reads back: strictest first, then by name; `names` by normalised name."""
    return "".join(f"{line}\n" for line in _lines(limits, names, variants))


def _lines(limits: Limits, names: Mapping[str, str], variants: Sequence[str]) -> Iterator[str]:
    for scope in ("", *variants):
        prefix = f"[{scope}] " if scope else ""
        for key, copies in sorted(limits.get(scope, {}).items(), key=_order):
            yield f"{prefix}{names.get(key, key)}: {ANY_NUMBER if copies is None else copies}"


def _order(item: tuple[str, int | None]) -> tuple[bool, int, str]:
    key, copies = item
    return copies is None, copies or 0, key

"""Corrects one line of a decklist with a name that was suggested for it."""

import io
import json
import re
from collections.abc import Callable, Iterator, Mapping
from html import escape
from typing import TypeAlias

from rapidfuzz import fuzz

from decks.formats import cockatrice, house, octgn, table
from decks.formats.limits import MAX_LINE_LENGTH
from decks.formats.lines import name_span, physical_lines, split_heading, tidy, tidy_places, unclear_number_span
from decks.formats.registry import detect
from rules_engine.cards import normalise_name

_Rename: TypeAlias = Callable[[str, str], str]

_NAMED_CARD = re.compile(r"(<card\b[^>]*\bname=)(\"[^\"]*\"|'[^']*')")
_WRAPPED_CARD = re.compile(r"(<card\b[^>]*>)([^<]*)(?=</card>)")
_JSON_NAME = re.compile(rf"(\"(?:{'|'.join(house.NAME_KEYS)})\"\s*:\s*)(\"(?:[^\"\\]|\\.)*\")")


def apply_suggestion(text: str, line: int, name: str) -> str:
    """The text with `name` in place of the name on `line` (from 1), count and all else on the line kept.

    `line` is that of a problem in the reading of `text`. The text comes back unchanged if there is no such line, if it
    is longer than a line may be, or if it is one of XML or JSON that names several cards.
    """
    rename = _renamer(detect(text), text)
    by_newline = rename is not _rename_in_text
    lines = list(io.StringIO(text, newline="")) if by_newline else text.splitlines(keepends=True)
    if not 1 <= line <= len(lines) or len(lines[line - 1]) > MAX_LINE_LENGTH:
        return text
    written = lines[line - 1]
    body = written.rstrip("\r\n") if by_newline else "".join(written.splitlines())
    lines[line - 1] = rename(body, name) + written[len(body) :]
    return "".join(lines)


def _renamer(key: str, text: str) -> _Rename:
    if key == table.KEY:
        return lambda line, name: table.rename(line, name, physical_lines(text))
    return _RENAMERS.get(key, _rename_in_text)


def _rename_in_text(line: str, name: str) -> str:
    """Of the parts of the line that may be its name, the one most like `name` gives way to it.

    Where the line has that name already, what stands before a colon is in the way and goes ("Source: 3 Name").
    """
    clean = tidy(line)
    best = max(_possible_names(clean), key=lambda span: fuzz.ratio(normalise_name(clean[span]), normalise_name(name)))
    if best.start >= best.stop:
        return line
    places = tidy_places(line)
    if best.start and normalise_name(clean[best]) == normalise_name(name) and (rest := split_heading(clean)[1]):
        return line[places[len(clean) - len(rest)] :]
    return line[: places[best.start]] + name + line[places[best.stop - 1] + 1 :]


def _possible_names(clean: str) -> Iterator[slice]:
    """With or without a heading in front ("SB: 2 Nmae"), with or without a number that may be a count ("Nmae 2")."""
    for start in (0, len(clean) - len(split_heading(clean)[1])):
        whole = name_span(clean[start:])
        name = clean[start:][whole]
        for part in (slice(0, len(name)), unclear_number_span(name)):
            yield slice(start + whole.start + part.start, start + whole.start + part.stop)


def _rename_by(pattern: re.Pattern[str], write: Callable[[str], str]) -> _Rename:
    def rename(line: str, name: str) -> str:
        found = pattern.findall(line)
        return pattern.sub(lambda match: match[1] + write(name), line) if len(found) == 1 else line

    return rename


_RENAMERS: Mapping[str, _Rename] = {
    cockatrice.KEY: _rename_by(_NAMED_CARD, lambda name: f'"{escape(name)}"'),
    octgn.KEY: _rename_by(_WRAPPED_CARD, escape),
    house.KEY: _rename_by(_JSON_NAME, lambda name: json.dumps(name, ensure_ascii=False)),
}

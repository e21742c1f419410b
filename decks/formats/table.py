"""Decklists as tables (CSV): a header row names the columns, in any order, parted by comma, semicolon or tab."""

import csv
import io
from collections.abc import Mapping
from dataclasses import dataclass

from decks.formats.collecting import Collector, start
from decks.formats.guards import refuse_lines_beyond
from decks.formats.headings import Setting
from decks.formats.limits import MAX_LINE_LENGTH, MAX_LINES
from decks.formats.lines import is_comment, physical_lines, tidy
from decks.formats.reading import Reading
from decks.formats.writing import portions, sections_of
from rules_engine.cards import normalise_name
from rules_engine.decklist import Decklist
from rules_engine.messages import Message, gettext_noop
from rules_engine.tables import csv_text, restored

KEY = "csv"
HEADER = ("count", "name", "section")
WORDS = {
    "count": "count quantity qty amount copies number-of-copies deck-quantity anzahl menge stuck nombre quantite",
    "name": "name card-name card cardname title karte kartenname carte nom nom-de-la-carte",
    "section": "section board zone category deck-section bereich abschnitt",
    "set": "set set-code set-name edition expansion edition-name edition-code erweiterung extension",
}
"""What heads each column, in the languages of the site, as `normalise_name` spells it."""
COLUMNS: Mapping[str, str] = {
    word.replace("-", " "): column for column, words in WORDS.items() for word in words.split()
}
DELIMITERS = ",;\t"


@dataclass(frozen=True, slots=True)
class _Header:
    """For each column of the table its meaning ("" if none), and what parts the columns."""

    delimiter: str
    columns: tuple[str, ...]


def recognise(lines: list[str], by_name_alone: bool = False) -> bool:
    """Whether the first line that is not blank names a column of names and, unless `by_name_alone`, one of counts."""
    first = next((line for line in lines if tidy(line[:MAX_LINE_LENGTH])), "")
    wanted = {"name"} if by_name_alone else {"count", "name"}
    return wanted <= set(_read_header(first[:MAX_LINE_LENGTH]).columns)


def read_table(text: str, setting: Setting) -> Reading:
    """Read CSV; a table without a column of counts has one copy a row. A row may not run over a line's end."""
    lines = physical_lines(text)
    collector = start(setting, lines)
    filled = [number for number, line in enumerate(lines[:MAX_LINES], 1) if tidy(line[:MAX_LINE_LENGTH])]
    header = _read_header(lines[filled[0] - 1]) if filled else _Header(",", ())
    if filled and _check_header(collector, filled[0], lines[filled[0] - 1], header):
        for number in filled[1:]:
            _read_line(collector, number, lines[number - 1], header)
    refuse_lines_beyond(collector, lines)
    return collector.finish(KEY)


def rename(line: str, name: str, lines: list[str]) -> str:
    """The row `line` of the table `lines` with `name` in its column of names; unchanged if it is no row."""
    header = _read_header(next((each for each in lines if tidy(each)), ""))
    cells = _cells(line, header.delimiter)
    if cells is None or "name" not in header.columns[: len(cells)]:
        return line
    cells[header.columns.index("name")] = name
    out = io.StringIO(newline="")
    csv.writer(out, delimiter=header.delimiter, lineterminator="").writerow(cells)
    return out.getvalue()


def write_table(decklist: Decklist, setting: Setting, _name: str = "") -> str:
    """The decklist as CSV with a header; a name like a formula gets an apostrophe in front, which reading ignores."""
    sections = sections_of(decklist, setting.game_format)
    return csv_text(
        HEADER, [(each.count, each.name, rule.title) for rule, found in sections for each in portions(found)]
    )


def _read_header(line: str) -> _Header:
    line = line.lstrip("\ufeff")
    delimiter = max(DELIMITERS, key=line.count)
    cells = _cells(line, delimiter) or []
    return _Header(delimiter, tuple(COLUMNS.get(normalise_name(cell), "") for cell in cells))


def _check_header(collector: Collector, number: int, line: str, header: _Header) -> bool:
    """Whether the columns are clear; if not, no row is read."""
    if len(line) > MAX_LINE_LENGTH or header.columns.count("name") != 1 or header.columns.count("count") > 1:
        message = Message(gettext_noop("The first row needs a column “name”; “count” is optional."))
        collector.refuse(number, line, message)
        collector.give_up(number)
        return False
    cells = _cells(line, header.delimiter) or []
    unread = [cell for cell, column in zip(cells, header.columns, strict=True) if cell and not column]
    if unread:
        collector.notice(number, gettext_noop("Columns not read: %(columns)s."), columns=", ".join(unread))
    return True


def _read_line(collector: Collector, number: int, line: str, header: _Header) -> None:
    if len(line) > MAX_LINE_LENGTH:
        message = Message(gettext_noop("A line has at most %(limit)s characters."), {"limit": MAX_LINE_LENGTH})
        collector.refuse(number, line, message)
    elif not is_comment(line):
        _read_row(collector, number, line, header)


def _read_row(collector: Collector, number: int, line: str, header: _Header) -> None:
    cells = _cells(line, header.delimiter)
    if cells is None or len(cells) > len(header.columns):
        message = Message(gettext_noop("This row doesn't match the columns."))
        collector.refuse(number, line, message)
        return
    row = {column: cell for column, cell in zip(header.columns, cells, strict=False) if column}
    if not any(row.values()):
        return
    collector.section, collector.placed = collector.setting.first_section, False
    if title := row.get("section", ""):
        section = collector.section_called(title)
        if section is None:
            collector.refuse_section(number, line, title)
            return
        collector.section, collector.placed = section, True
    collector.take(number, line, row.get("count", "1"), restored(row.get("name", "")), row.get("set", ""))


def _cells(line: str, delimiter: str) -> list[str] | None:
    """The cells of one row without spaces around them; None when its quotes are wrong."""
    try:
        rows = list(csv.reader([line], delimiter=delimiter, skipinitialspace=True, strict=True))
    except csv.Error:
        return None
    return [cell.strip() for cell in rows[0]] if rows else []

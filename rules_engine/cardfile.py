"""Card files as text, CSV or JSON: rows of texts by column, each with its number, and every fault of their form."""

import csv
import io
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from rules_engine.messages import Message, gettext_noop
from rules_engine.tables import restored

MAX_ROWS = 20_000
NEEDED_COLUMNS = ("name", "type")


class Unit(StrEnum):
    """What the number of a problem counts: lines of a CSV file, or entries of a JSON list."""

    LINE = "line"
    ENTRY = "entry"


@dataclass(frozen=True, slots=True)
class RowProblem:
    """Why the row on `line` of the file is not a card; `column` "" when the row as a whole is at fault.

    In a JSON file `line` is the number of the entry in its list, from 1, and 0 stands for the file.
    """

    line: int
    column: str
    message: Message


@dataclass(slots=True)
class Row:
    """The texts of one card by column, and what is wrong with them."""

    line: int
    values: dict[str, str] = field(default_factory=dict)
    problems: list[RowProblem] = field(default_factory=list)

    def refuse(self, column: str, template: str, **params: object) -> None:
        """Note a problem; the column may be named in `template` as %(column)s."""
        self.problems.append(RowProblem(self.line, column, Message(template, {"column": column, **params})))

    def is_refused(self, column: str) -> bool:
        """Whether a problem of this column, or of the row as a whole (""), is noted already."""
        return any(problem.column == column for problem in self.problems)


@dataclass(frozen=True, slots=True)
class CardFile:
    """The rows of a file; with problems of the file as a whole there are none."""

    unit: Unit
    rows: tuple[Row, ...] = ()
    problems: tuple[RowProblem, ...] = ()


class _Pairs(list[tuple[str, object]]):
    """A JSON object as written, so that a key that stands twice can be seen."""


def read_rows(text: str, columns: Sequence[str]) -> CardFile:
    """The rows of a card file, JSON if it begins with a bracket, else CSV; `columns` are those a row may fill.

    CSV is parted by comma or semicolon and has a header row; JSON is a list of objects, or an object whose "cards" is
    one. Texts lose spaces at their ends and the apostrophe that guards formulas (`tables.guarded`).
    """
    text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    return _read_json(text, columns) if text.lstrip()[:1] in ("[", "{") else _read_csv(text, columns)


def _refused(unit: Unit, number: int, template: str, **params: object) -> CardFile:
    return CardFile(unit, problems=(RowProblem(number, "", Message(template, params)),))


def _read_csv(text: str, columns: Sequence[str]) -> CardFile:
    header_line = text.lstrip().partition("\n")[0]
    delimiter = ";" if header_line.count(";") > header_line.count(",") else ","
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    lines: list[tuple[int, list[str]]] = []
    begins = 1
    try:
        for cells in reader:
            if any(cell.strip() for cell in cells):
                lines.append((begins, [restored(cell.strip()) for cell in cells]))
            if len(lines) > MAX_ROWS + 1:
                return _too_many(Unit.LINE, begins)
            begins = reader.line_num + 1
    except csv.Error as error:
        return _refused(Unit.LINE, reader.line_num, gettext_noop("This line is not CSV: %(error)s."), error=error)
    return _csv_rows(lines, columns)


def _csv_rows(lines: list[tuple[int, list[str]]], columns: Sequence[str]) -> CardFile:
    if not lines:
        return _refused(Unit.LINE, 1, gettext_noop("The file is empty."))
    header_at, names = lines[0]
    header = [name.casefold() for name in names]
    problems = tuple(_check_header(header_at, header, columns))
    if problems:
        return CardFile(Unit.LINE, problems=problems)
    if len(lines) == 1:
        return _refused(Unit.LINE, header_at, gettext_noop("The file has a header row, but no cards."))
    return CardFile(Unit.LINE, tuple(_csv_row(line, cells, header) for line, cells in lines[1:]))


def _too_many(unit: Unit, line: int) -> CardFile:
    return _refused(unit, line, gettext_noop("A file may hold at most %(limit)s cards."), limit=MAX_ROWS)


def _csv_row(line: int, cells: list[str], header: list[str]) -> Row:
    row = Row(line, dict(zip(header, cells, strict=False)))
    if len(cells) > len(header):
        row.refuse("", gettext_noop("This row has more values than the header."))
    return row


def _check_header(line: int, header: list[str], columns: Sequence[str]) -> Iterator[RowProblem]:
    for column in NEEDED_COLUMNS:
        if column not in header:
            template = gettext_noop("The column “%(column)s” is missing.")
            yield RowProblem(line, column, Message(template, {"column": column}))
    for column in dict.fromkeys(header):
        params = {"column": column, "columns": ", ".join(columns)}
        if column not in columns:
            template = gettext_noop("Unknown column “%(column)s”. Use: %(columns)s.")
            yield RowProblem(line, column, Message(template, params))
        elif header.count(column) > 1:
            yield RowProblem(line, column, Message(gettext_noop("The column “%(column)s” is there twice."), params))


def _read_json(text: str, columns: Sequence[str]) -> CardFile:
    try:
        value = json.loads(text, object_pairs_hook=_Pairs)
    except json.JSONDecodeError as error:
        template = gettext_noop("Invalid JSON in line %(at)s: %(error)s.")
        return _refused(Unit.ENTRY, 0, template, error=error.msg, at=error.lineno)
    except (ValueError, RecursionError):
        template = gettext_noop("This JSON is too deep, or a number is too long.")
        return _refused(Unit.ENTRY, 0, template)
    entries = dict(value).get("cards") if isinstance(value, _Pairs) else value
    if not isinstance(entries, list) or isinstance(entries, _Pairs):
        return _refused(Unit.ENTRY, 0, gettext_noop("A list of cards is needed, or an object whose “cards” is one."))
    if not entries:
        return _refused(Unit.ENTRY, 0, gettext_noop("The list is empty."))
    if len(entries) > MAX_ROWS:
        return _too_many(Unit.ENTRY, MAX_ROWS + 1)
    return CardFile(Unit.ENTRY, tuple(_json_row(number, each, columns) for number, each in enumerate(entries, start=1)))


def _json_row(number: int, entry: object, columns: Sequence[str]) -> Row:
    row = Row(number)
    if not isinstance(entry, _Pairs):
        row.refuse("", gettext_noop('A card is an object such as {"name": …, "type": …}.'))
        return row
    for key, value in entry:
        column = key.strip().casefold()
        if column not in columns:
            template = gettext_noop("Unknown column “%(column)s”. Use: %(columns)s.")
            row.refuse(column, template, columns=", ".join(columns))
        elif column in row.values:
            row.refuse(column, gettext_noop("The column “%(column)s” is there twice."))
        else:
            row.values[column] = _json_text(row, column, value)
    return row


def _json_text(row: Row, column: str, value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, bool) or not isinstance(value, str | int):
        row.refuse(column, gettext_noop("“%(column)s” must be text or a whole number."))
        return ""
    return restored(str(value).strip())

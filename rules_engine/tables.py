"""Tables that leave the house as CSV or XLSX, and what comes back: no cell can be taken for a formula.

See docs/how-it-works/trust.md#i2.
"""

import csv
import io
import re
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from decimal import Decimal
from typing import NamedTuple

FORMULA_STARTS = tuple("=+-@\t\r＝＋－＠")
_FORMULA = r"""(?=[ "']*[=+\-@＝＋－＠])"""
_PART = re.compile(rf"([;\t\r\n]){_FORMULA}")
_GUARDED_PART = re.compile(rf"([;\t\r\n])'{_FORMULA}")


MAX_CELL = 32_767
"""Characters that a spreadsheet takes in one cell."""
NO_TIME = datetime(2000, 1, 1, tzinfo=UTC)
MAX_WIDTH = 400
"""Pixels that a column is made wide for what stands in it."""


class Table(NamedTuple):
    """Rows with a heading; cells are texts, numbers (Decimal keeps its digits) or what has a text."""

    header: Sequence[str]
    rows: Iterable[Sequence[object]]


def csv_text(header: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Rows as CSV with a heading, the one writer of such files; texts are guarded, numbers stay as they are."""
    text = io.StringIO(newline="")
    writer = csv.writer(text)
    for row in (header, *rows):
        writer.writerow([_in_csv(cell) for cell in row])
    return text.getvalue()


def _in_csv(cell: object) -> object:
    if isinstance(cell, str):
        return guarded(cell)
    return format(cell, "f") if isinstance(cell, Decimal) else cell  # never 0E-10


def xlsx_file(header: Sequence[str], rows: Iterable[Sequence[object]]) -> bytes:
    """Rows as a workbook of one sheet, the one writer of such files: texts are texts whatever they start with.

    It needs no guess of a spreadsheet at separators or at how letters and decimals are written.
    """
    from xlsxwriter import Workbook  # noqa: PLC0415 (2 MiB that no process needs before a person asks)

    file = io.BytesIO()
    with Workbook(file, {"in_memory": True}) as book:
        book.set_properties({"created": NO_TIME})  # one table is one file, byte for byte
        sheet = book.add_worksheet()
        sheet.freeze_panes(1, 0)
        bold = book.add_format({"bold": True})
        for row, cells in enumerate((header, *rows)):
            for column, cell in enumerate(cells):
                if isinstance(cell, int | float | Decimal):
                    sheet.write_number(row, column, cell)
                else:
                    sheet.write_string(row, column, str(cell)[:MAX_CELL], None if row else bold)
        sheet.autofit(MAX_WIDTH)
    return file.getvalue()


def guarded(cell: str) -> str:
    """The text with an apostrophe in front if it starts like a formula, or if `restored` would take one off.

    Within the text, too: spreadsheets set to German or French begin a new cell at a semicolon, others at a tab.
    """
    inside = _PART.sub(r"\1'", cell)
    return f"'{inside}" if cell.lstrip("'").startswith(FORMULA_STARTS) else inside


def restored(cell: str) -> str:
    """The text that `guarded` was given."""
    front = cell.startswith("'") and cell.lstrip("'").startswith(FORMULA_STARTS)
    return _GUARDED_PART.sub(r"\1", cell[1:] if front else cell)

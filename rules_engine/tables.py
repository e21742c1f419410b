"""Tables that leave the house as CSV, and what comes back: no cell can be taken for a formula.

See docs/how-it-works/trust.md#i2.
"""

import csv
import io
import re
from collections.abc import Iterable, Sequence

FORMULA_STARTS = tuple("=+-@\t\r＝＋－＠")
_FORMULA = r"""(?=[ "']*[=+\-@＝＋－＠])"""
_PART = re.compile(rf"([;\t\r\n]){_FORMULA}")
_GUARDED_PART = re.compile(rf"([;\t\r\n])'{_FORMULA}")


def csv_text(header: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Rows as CSV with a heading, the one writer of such files; texts are guarded, numbers stay as they are."""
    text = io.StringIO(newline="")
    writer = csv.writer(text)
    writer.writerow(header)
    for row in rows:
        writer.writerow([guarded(cell) if isinstance(cell, str) else cell for cell in row])
    return text.getvalue()


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

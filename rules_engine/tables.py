"""Tables that leave the house as CSV, and what comes back: no cell can be taken for a formula (TRUST.md I2)."""

import csv
import io
from collections.abc import Iterable, Sequence

FORMULA_STARTS = tuple("=+-@\t\r＝＋－＠")


def csv_text(header: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Rows as CSV with a heading, the one writer of such files; texts are guarded, numbers stay as they are."""
    text = io.StringIO(newline="")
    writer = csv.writer(text)
    writer.writerow(header)
    for row in rows:
        writer.writerow([guarded(cell) if isinstance(cell, str) else cell for cell in row])
    return text.getvalue()


def guarded(cell: str) -> str:
    """The text with an apostrophe in front if it starts like a formula, or if `restored` would take one off."""
    return f"'{cell}" if cell.lstrip("'").startswith(FORMULA_STARTS) else cell


def restored(cell: str) -> str:
    """The text that `guarded` was given."""
    return cell[1:] if cell.startswith("'") and cell.lstrip("'").startswith(FORMULA_STARTS) else cell

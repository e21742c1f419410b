"""The one writer of tables that leave the house: no cell can be taken for a formula by a spreadsheet (TRUST.md I2)."""

from collections.abc import Iterable, Sequence

import tablib

from scoring.standings import decimal_text
from tournaments.selectors.standings import StandingRow

FORMULA_STARTS = tuple("=+-@\t\r＝＋－＠")
STANDINGS_HEADER = ("rank", "number", "player", "points", "wins", "draws", "losses", "omw", "gw", "ogw", "state")


def csv_text(header: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Rows as CSV with a heading; a text that starts like a formula gets an apostrophe in front."""
    table = tablib.Dataset(headers=list(header))
    for row in rows:
        table.append([_plain(cell) for cell in row])
    text: str = table.export("csv")
    return text


def _plain(cell: object) -> object:
    return f"'{cell}" if isinstance(cell, str) and cell.startswith(FORMULA_STARTS) else cell


def standings_csv(rows: Iterable[StandingRow], decimals: int) -> str:
    """Standings as CSV; percentages as decimals of 1 with the given number of digits."""
    return csv_text(STANDINGS_HEADER, (_standing_cells(row, decimals) for row in rows))


def _standing_cells(row: StandingRow, decimals: int) -> list[object]:
    standing, entry = row.standing, row.entry
    shares = [decimal_text(share, decimals) for share in (standing.omw, standing.gw, standing.ogw)]
    return [
        standing.rank, entry.number, entry.name, standing.match_points, standing.wins, standing.draws, standing.losses,
        *shares, entry.state,
    ]  # fmt: skip

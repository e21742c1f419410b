"""Standings as a table that leaves the house."""

from collections.abc import Iterable

from rules_engine.tables import csv_text
from scoring.standings import decimal_text
from tournaments.selectors.standings import StandingRow

STANDINGS_HEADER = ("rank", "number", "player", "points", "wins", "draws", "losses", "omw", "gw", "ogw", "state")


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

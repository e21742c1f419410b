"""Standings and entries as tables that leave the house."""

from collections.abc import Iterable, Mapping

from rules_engine.tables import csv_text
from scoring.standings import decimal_text
from tournaments.models import Entry
from tournaments.selectors.standings import StandingRow

STANDINGS_HEADER = ("rank", "number", "player", "points", "wins", "draws", "losses", "omw", "gw", "ogw", "state")

ENTRIES_HEADER = ("number", "name", "club", "team", "state", "checked_in", "first_round", "dropped_after", "byes")


def entries_csv(entries: Iterable[Entry], byes: Mapping[int, Iterable[int]]) -> str:
    """Entries as CSV for the staff, names, clubs and teams as a list to import has them; never what somebody needs.

    `byes` are the rounds in which an entry was given one, by entry id.
    """
    return csv_text(ENTRIES_HEADER, (_entry_cells(entry, byes.get(entry.pk, ())) for entry in entries))


def _entry_cells(entry: Entry, byes: Iterable[int]) -> list[object]:
    present = "" if entry.checked_in_at is None else "yes"
    dropped = "" if entry.dropped_after is None else entry.dropped_after
    return [
        entry.number, entry.name, entry.club, entry.team, entry.state, present, entry.entered_round, dropped,
        " ".join(map(str, byes)),
    ]  # fmt: skip


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

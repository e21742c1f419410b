"""Standings of a league as a table that leaves the house."""

from rules_engine.tables import Table
from tournaments.leagues.selectors import LeagueLine, LeagueTable


def league_export(table: LeagueTable) -> Table:
    """League standings, then for every event its rank and points; "dropped" where it does not count."""
    header = ["rank", "player", "points", "events"]
    for each in table.events:
        header += [f"{each.event.name}: {value}" for value in ("rank", "points", "counts")]
    return Table(header, (_league_cells(line, len(table.events)) for line in table.lines))


def _league_cells(line: LeagueLine, events: int) -> list[object]:
    standing, played = line.standing, {each.event: each for each in line.standing.events}
    cells: list[object] = [standing.rank, line.name, standing.points, len(played)]
    for place in range(events):
        each = played.get(place)
        cells += ["", "", ""] if each is None else [each.rank, each.points, "counts" if each.counted else "dropped"]
    return cells

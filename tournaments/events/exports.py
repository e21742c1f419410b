"""Standings and entries as tables that leave the house."""

from collections.abc import Iterable, Mapping
from decimal import Decimal
from fractions import Fraction

from rules_engine.tables import Table
from scoring.standings.records import ScoringPolicy
from scoring.standings.standings import decimal_text
from scoring.standings.tiebreakers import TIEBREAKERS
from tournaments.models import Entry
from tournaments.standings.selectors.standings import StandingRow

STANDINGS_HEADER = ("rank", "number", "player", "points", "wins", "draws", "losses")
TOLD_BESIDE = ("match_points", "wins")
"""Tiebreakers that stand in these columns already."""

ENTRIES_HEADER = (
    "number",
    "name",
    "club",
    "team",
    "state",
    "checked_in",
    "first_round",
    "dropped_after",
    "byes",
    "members",
)


def entries_table(
    entries: Iterable[Entry], byes: Mapping[int, Iterable[int]], members: Mapping[int, Iterable[str]]
) -> Table:
    """Entries for the staff, names, clubs, teams and members as a list to import has them; never private needs.

    `byes` are the rounds in which an entry was given one, `members` the names of a team's, both by entry id.
    """
    rows = (_entry_cells(entry, byes.get(entry.pk, ()), members.get(entry.pk, ())) for entry in entries)
    return Table(ENTRIES_HEADER, rows)


def _entry_cells(entry: Entry, byes: Iterable[int], members: Iterable[str]) -> list[object]:
    present = "" if entry.checked_in_at is None else "yes"
    dropped = "" if entry.dropped_after is None else entry.dropped_after
    return [
        entry.number, entry.name, entry.club, entry.team, entry.state, present, entry.entered_round, dropped,
        " ".join(map(str, byes)), " + ".join(members),
    ]  # fmt: skip


def standings_table(
    rows: Iterable[StandingRow],
    policy: ScoringPolicy,
    members: Mapping[int, Iterable[str]],
    *,
    digits: int | None = None,
) -> Table:
    """Standings with every tiebreaker in the event's order; numbers as decimals, percentages of 1.

    Rounded to `digits`, those of the policy by default; whole numbers stay so. `members` are the names of a team's by
    the id of its entry; where there are teams, they stand last.
    """
    header = (*STANDINGS_HEADER, *(key for key in policy.tiebreakers if key not in TOLD_BESIDE), "state")
    header = (*header, "members") if members else header
    places = policy.decimals if digits is None else digits
    cells = ((row.entry.pk, _standing_cells(row, policy, places)) for row in rows)
    return Table(header, ([*line, " + ".join(members.get(pk, ()))] if members else line for pk, line in cells))


def _standing_cells(row: StandingRow, policy: ScoringPolicy, digits: int) -> list[object]:
    standing, entry = row.standing, row.entry
    values = zip(policy.tiebreakers, standing.keys, strict=True)
    keys = [_number(key, value, digits) for key, value in values if key not in TOLD_BESIDE]
    points = _number("match_points", policy.shown_points(standing.match_points), digits)
    return [
        standing.rank, entry.number, entry.name, points, standing.wins, standing.draws, standing.losses,
        *keys, entry.state,
    ]  # fmt: skip


def _number(key: str, value: Fraction, digits: int) -> Decimal:
    is_whole = value.denominator == 1 and not TIEBREAKERS[key].percentage
    return Decimal(str(value) if is_whole else decimal_text(value, digits))

"""How the commands of tournaments print standings."""

from collections.abc import Mapping, Sequence
from typing import Any

from scoring.standings.standings import decimal_text
from tournaments.standings.selectors.standings import StandingRow

DIGITS = 10


def standings_json(rows: Sequence[StandingRow], names: Mapping[int, str] | None = None) -> list[dict[str, Any]]:
    """Standings ready for JSON; percentages as decimal text of 10 digits; `names` by entry id replace the entries'."""
    return [
        {
            "player": (names or {}).get(row.entry.pk, row.entry.name),
            "rank": row.standing.rank,
            "points": row.standing.match_points,
            **{key: decimal_text(getattr(row.standing, key), DIGITS) for key in ("omw", "gw", "ogw")},
        }
        for row in rows
    ]


def standing_line(row: StandingRow) -> str:
    """One line of standings for people."""
    shares = "  ".join(decimal_text(getattr(row.standing, key), 4) for key in ("omw", "gw", "ogw"))
    return f"{row.standing.rank:>5}  {row.standing.match_points:>4}  {shares}  {row.entry.name}"

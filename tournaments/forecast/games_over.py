"""The games that are over at tables that still play, where their score sheets are written game by game."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from functools import cache
from typing import Any, NamedTuple

from scoring.sheets.ledgers import GAMES, live_acts
from scoring.standings.results import MatchLength
from tournaments.models import Match, MatchSheet, Round

TABLE = 0
"""The part of a sheet that the whole table writes."""


class GamesOver(NamedTuple):
    """The games that each of two players has won, and drawn ones; `at` is when the last of them was written down."""

    won: tuple[int, int, int]
    at: datetime


def games_over(round_: Round) -> dict[int, GamesOver]:
    """The games of a round's open matches of two, by match id, where at least one is over; one query."""
    rows = MatchSheet.objects.filter(
        sheet__parts__place=TABLE, match__round=round_, match__state=Match.State.OPEN
    ).values_list("match_id", "sheet__players", "sheet__parts__content", "sheet__parts__saved_at")
    read = ((match, _read(players, content, saved_at)) for match, players, content, saved_at in rows)
    return {match: over for match, over in read if over is not None}


def _read(players: Sequence[Mapping[str, Any]], content: object, saved_at: datetime | None) -> GamesOver | None:
    """What a sheet says, as far as it can be read; None at a table of several and before the first game is over."""
    games = live_acts(content, GAMES) if len(players) == 2 and isinstance(content, Mapping) else []
    if not games or saved_at is None:
        return None
    first, second = (player.get("name") for player in players)
    winners = [game.get("winner") for game in games]
    won = (winners.count(first), winners.count(second), winners.count(None))
    return GamesOver(won, _moment(games[-1].get("when")) or saved_at)


def _moment(text: object) -> datetime | None:
    """The moment that was written down; None for anything else."""
    try:
        found = datetime.fromisoformat(text) if isinstance(text, str) else None
    except ValueError:
        return None
    return found if found is not None and found.tzinfo is not None else None


def share_left(length: MatchLength, won: Iterable[int]) -> float:
    """How much of a match is still to come after these games, 1.0 for all: by the number of games, each as likely won
    by either side.
    """
    first, second, drawn = won
    if length.exactly:
        return max(0, length.games - first - second - drawn) / length.games
    needed = length.wins_needed
    return _games_to_come(needed - first, needed - second) / _games_to_come(needed, needed)


@cache
def _games_to_come(first: int, second: int) -> float:
    """How many games a match lasts on average in which one side needs so many wins and the other so many."""
    if first <= 0 or second <= 0:
        return 0.0
    return 1 + (_games_to_come(first - 1, second) + _games_to_come(first, second - 1)) / 2

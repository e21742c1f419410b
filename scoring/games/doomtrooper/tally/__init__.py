"""The tally of a Doomtrooper game; `doomtrooper_sheet` tells its keys and those of its sheet."""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from rules_engine.errors import DomainError
from scoring.games.doomtrooper.tally.ends import next_of
from scoring.games.doomtrooper.tally.ledger import Ledger
from scoring.games.doomtrooper.tally.options import OPTIONS
from scoring.games.doomtrooper.tally.play import replay
from scoring.games.doomtrooper.tally.sheet import read_sheet
from scoring.sheets.tallies.registry import Tallier
from scoring.standings.results import GameResult, MatchResult, places_by, table_result

WIN_KINDS = {
    "target": "target", "draw_piles": "draw_piles", "no_warrior": "no_warrior",
    "time": "time", "card": "card_effect", "last_one": "concession",
}  # fmt: skip
"""Each way to end as the game system names it (rules.toml)."""


def tally(sheet: Mapping[str, Any]) -> dict[str, Any]:
    """The points of each side and how the game stands; DomainError "bad_sheet"."""
    read = read_sheet(sheet)
    ledger = replay(read)
    if read.options.check_limits and ledger.violations:
        first = ledger.violations[0]["message"]
        raise DomainError("bad_sheet", first, violations=ledger.violations)
    return {
        "players": [_player(ledger, place) for place in range(len(read.sides))],
        "winners": [read.sides[place].name for place in ledger.winners],
        "violations": ledger.violations,
        "ended_by": ledger.ended_by,
        "ended_at": ledger.ended_at,
        "turn": ledger.turn,
        "goal": ledger.goal,
        "next": next_of(ledger),
        "countdown": dict(ledger.countdown),
        "out": dict(ledger.out),
    }


def _player(ledger: Ledger, place: int) -> dict[str, Any]:
    side = ledger.sheet.sides[place]
    told: dict[str, Any] = {
        "name": side.name,
        "score": ledger.promotion[place],
        "promotion": ledger.promotion[place],
        "destiny": ledger.destiny_of(place),
        "lines": ledger.lines[place],
    }
    if ledger.sheet.is_teams:
        told["members"] = [{"name": member, "destiny": ledger.destiny.get(member)} for member in side.members]
    return told


def result_of(tally: Mapping[str, Any]) -> MatchResult:
    """The match result: winners first, then whoever is still in by Promotion Points, then the others, last out first.

    Promotion Points are the scores, also where somebody with more of them stands lower. Between two sides the game is
    told with how it was won. DomainError "bad_sheet" while the game goes on.
    """
    if not tally["winners"]:
        raise DomainError("bad_sheet", "This game is not over: nobody has won it yet.")
    players = tally["players"]
    scores = tuple(Fraction(player["score"]) for player in players)
    standings = [_standing(tally, player) for player in players]
    order = sorted(set(standings))
    placings = places_by([Fraction(order.index(standing)) for standing in standings])
    result = table_result(placings, scores)
    if len(players) != 2 or 1 not in result.games_won:
        return result
    game = GameResult(result.games_won.index(1), WIN_KINDS[tally["ended_by"]])
    return MatchResult(result.kind, result.games_won, games=(game,), placings=placings, scores=result.scores)


def _standing(tally: Mapping[str, Any], player: Mapping[str, Any]) -> tuple[int, int]:
    """What a side is ranked by, the highest first."""
    if player["name"] in tally["winners"]:
        return 2, 0
    order = list(tally["out"])
    members = [member["name"] for member in player.get("members", [])] or [player["name"]]
    if all(member in order for member in members):
        return 0, max(order.index(member) for member in members)
    return 1, player["promotion"]


TALLIER = Tallier(tally, result_of, OPTIONS, read=read_sheet)

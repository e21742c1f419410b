"""The tally of a Doomtrooper match; `sheet` tells its keys and those of its sheet."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import pairwise
from typing import Any

from rules_engine.errors import DomainError
from rules_engine.messages import gettext_noop
from scoring.games.doomtrooper.tally.ends import next_of
from scoring.games.doomtrooper.tally.ledger import Ledger
from scoring.games.doomtrooper.tally.options import OPTIONS
from scoring.games.doomtrooper.tally.play import replay
from scoring.games.doomtrooper.tally.sheet import Sheet, read_sheet
from scoring.sheets.tallies.json_reader import bad_sheet
from scoring.sheets.tallies.registry import Tallier
from scoring.standings.results import GameResult, MatchResult, ResultKind, places_by, table_result

WIN_KINDS = {
    "target": "target", "draw_piles": "draw_piles", "no_warrior": "no_warrior",
    "time": "time", "card": "card_effect", "last_one": "concession",
}  # fmt: skip
"""Each way to end as the game system names it (rules.toml)."""


def tally(sheet: Mapping[str, Any]) -> dict[str, Any]:
    """The points of each side and how the match stands; DomainError "bad_sheet"."""
    read = read_sheet(sheet)
    answer = match_of(tally_games(read))
    if read.options.check_limits and answer["violations"]:
        raise DomainError("bad_sheet", answer["violations"][0]["message"], violations=answer["violations"])
    return answer


def tally_games(read: Sheet) -> list[dict[str, Any]]:
    """The tally of each game of a sheet, as if it were the only one; the last one may still be in progress."""
    ledgers = [replay(game) for game in read.games]
    for before, ledger in pairwise(ledgers):
        ledger.violations = [each for each in ledger.violations if each["act"] is not None]  # the table's: said once
        if before.ended_by is None:
            text = gettext_noop("the game before isn't over. Finish it, or remove this.")
            ledger.object_to(ledger.sheet.acts[0], "DT-TARGET", text)
    return [_tally_of(ledger) for ledger in ledgers]


def match_of(games: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """The tally of a match from those of its games."""
    answer = {**games[-1], "games": [_game(each) for each in games]}
    if len(games) == 1:
        return answer
    won = [sum(game["winner"] == place for game in answer["games"]) for place in range(len(answer["players"]))]
    sides = zip(answer["players"], won, zip(*(each["players"] for each in games), strict=True), strict=True)
    return answer | {
        "players": [
            {
                **side,
                "score": score,
                "promotion": sum(each["promotion"] for each in by_game),
                "lines": [line for each in by_game for line in each["lines"]],
            }
            for side, score, by_game in sides
        ],
        "winners": [
            side["name"] for side, score in zip(answer["players"], won, strict=True) if any(won) and score == max(won)
        ],
        "violations": [violation for each in games for violation in each["violations"]],
    }  # fmt: skip


def _game(tally: Mapping[str, Any]) -> dict[str, Any]:
    names = [side["name"] for side in tally["players"]]
    winner = names.index(tally["winners"][0]) if len(tally["winners"]) == 1 else None
    promotion = [side["promotion"] for side in tally["players"]]
    return {"winner": winner, "ended_by": tally["ended_by"], "promotion": promotion}


def _tally_of(ledger: Ledger) -> dict[str, Any]:
    return {
        "players": [_player(ledger, place) for place in range(len(ledger.sheet.sides))],
        "winners": [ledger.sheet.sides[place].name for place in ledger.winners],
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
    player: dict[str, Any] = {
        "name": side.name,
        "score": ledger.promotion[place],
        "promotion": ledger.promotion[place],
        "destiny": ledger.destiny_of(place),
        "lines": ledger.lines[place],
    }
    if ledger.sheet.is_teams:
        player["members"] = [{"name": member, "destiny": ledger.destiny.get(member)} for member in side.members]
    return player


def result_of(tally: Mapping[str, Any]) -> MatchResult:
    """The match result: winners first, then whoever is still in by Promotion Points, then the others, last out first.

    Promotion Points are the scores, also where a person with more of them stands lower. Between two sides the game is
    reported with how it was won; a match of several games is reported by them, and the Promotion Points of all are the
    scores. DomainError "bad_sheet" while a game goes on.
    """
    players, played = tally["players"], tally.get("games") or [_game(tally)]  # tallies of before matches have no games
    if not all(game["ended_by"] for game in played):
        raise bad_sheet(gettext_noop("This game is not over: nobody has won it yet."))
    games = tuple(GameResult(game["winner"], WIN_KINDS[game["ended_by"]]) for game in played)
    if len(games) > 1:
        won = tuple(player["score"] for player in players)
        total = tuple(sum((Fraction(game["promotion"][place]) for game in played), Fraction(0)) for place in range(2))
        return MatchResult(ResultKind.PLAYED, won, games=games, scores=total)
    scores = tuple(Fraction(player["score"]) for player in players)
    standings = [_standing(tally, player) for player in players]
    order = sorted(set(standings))
    placings = places_by([Fraction(order.index(standing)) for standing in standings])
    result = table_result(placings, scores)
    if len(players) != 2 or 1 not in result.games_won:
        return result
    return MatchResult(result.kind, result.games_won, games=games, placings=placings, scores=result.scores)


def _standing(tally: Mapping[str, Any], player: Mapping[str, Any]) -> tuple[int, int]:
    """What a side is ranked by, the highest first."""
    if player["name"] in tally["winners"]:
        return 2, 0
    order = list(tally["out"])
    members = [member["name"] for member in player.get("members", [])] or [player["name"]]
    if all(member in order for member in members):
        return 0, max(order.index(member) for member in members)
    return 1, player["promotion"]


TALLIER = Tallier(tally, result_of, OPTIONS, is_one_game=False, read=read_sheet)

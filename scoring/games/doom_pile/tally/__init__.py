"""A match of Doom Pile game by game: who won, and how.

A sheet is {"players": [{"name"}, …], "games": [game, …], "options"?: {"check_limits"}}, two to four players, the games
in the order of play:

    winner  the name of the winner, null for a game that was drawn or not finished
    won_by  "master_plan", "empty_deck", "card_effect", "concession", "time", "game_loss" (a penalty) or "unknown",
            which is the default

The tally is {"players": [{"name", "score", "lines"}], "winners": [names], "violations": [], "games": […]}. The score is
the number of games won; a line is {"card": "", "kind": how it was won, "points": 1, "game": its number from 1}. With
equal scores all are winners. "games" are as in the sheet, everything filled in, with the winner's place for the name.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from rules_engine.messages import gettext_noop
from scoring.sheets.tallies.games import (
    GAME_WORDS,
    KEYS,
    MAX_GAMES,
    place_of_game,
    read_names,
    read_winner,
    result_of,
    tally_of,
)
from scoring.sheets.tallies.json_reader import SHEET_WORDS, Part, bad_sheet
from scoring.sheets.tallies.options_filled import read_options
from scoring.sheets.tallies.registry import Tallier
from scoring.standings.results import GAME_LOSS

WIN_CLAUSES = {"master_plan": "DP-WIN-PLAN", "empty_deck": "DP-WIN-EMPTY", "card_effect": "DP-WIN-OTHER"}
"""The clause behind each kind of win that a rule grants (keys of the game's rules.toml)."""
WON_BY = (*WIN_CLAUSES, "concession", "time", GAME_LOSS, "unknown")
MOST = 4


@dataclass(frozen=True, slots=True)
class Game:
    """One game as it was written; `winner` is a place."""

    number: int
    winner: int | None
    won_by: str
    roles: tuple[str, ...] = ()


def tally(sheet: Mapping[str, Any]) -> dict[str, Any]:
    """Games won by each, as the module says; DomainError "bad_sheet"."""
    part = Part(sheet, "", KEYS, words=SHEET_WORDS)
    read_options(part, ())
    names, games = read_names(part, MOST), read_games(sheet)
    if not games:
        raise bad_sheet(gettext_noop("No games: enter who won each and how."))
    lines = [{"card": "", "kind": game.won_by, "points": 1, "game": game.number} for game in games]
    return tally_of(names, games, [], lines)


def read_games(sheet: Mapping[str, Any]) -> tuple[Game, ...]:
    """The games of a sheet, which may be none yet; DomainError "bad_sheet"."""
    part = Part(sheet, "", KEYS, words=SHEET_WORDS)
    names = read_names(part, MOST)
    return tuple(_game(game, number, names) for number, game in enumerate(part.items("games", MAX_GAMES), 1))


def _game(value: object, number: int, names: list[str]) -> Game:
    game = Part(value, place_of_game(number), ("winner", "won_by"), words=GAME_WORDS)
    won_by = game.choice("won_by", WON_BY) or "unknown"
    return Game(number, read_winner(game, names, won_by), won_by)


TALLIER = Tallier(tally, result_of, is_one_game=False, read=read_games)

"""Matches that a sheet tells game by game: who plays, how many games each has won, and what that is as a result."""

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any, Protocol

from rules_engine.messages import Message, Sentence, gettext_noop
from scoring.sheets.tallies.json_reader import SHEET_WORDS, Part, bad_sheet, place_of, place_of_player, shown
from scoring.standings.results import GameResult, MatchResult, ResultKind, places_by, table_result

KEYS = ("players", "games", "options")
GAME_WORDS = {"winner": gettext_noop("Winner"), "won_by": gettext_noop("How"), "roles": gettext_noop("Roles")}
"""What people call the keys of a game."""
MAX_GAMES = 99
MAX_NAME = 200


class PlayedGame(Protocol):
    """A game as it was written: `number` from 1, the `winner`'s place or None, and how it was won."""

    @property
    def number(self) -> int:
        """Its number in the match."""

    @property
    def winner(self) -> int | None:
        """The place of the winner."""

    @property
    def won_by(self) -> str:
        """How it was won."""

    @property
    def roles(self) -> tuple[str, ...]:
        """The role of each player; () in a game without roles."""


def read_names(sheet: Part, most: int = 2) -> list[str]:
    """Two different names, or up to `most`; DomainError "bad_sheet"."""
    listed = enumerate(sheet.items("players", most), 1)
    players = [Part(each, place_of_player(number), ("name",), words=SHEET_WORDS) for number, each in listed]
    names = [player.text("name", MAX_NAME) or "" for player in players]
    if len(names) < 2 or "" in names or len(set(names)) < len(names):
        text = gettext_noop("Enter two different names.") if most == 2 else gettext_noop("Enter different names.")
        raise bad_sheet(text)
    return names


def place_of_game(number: int) -> Sentence:
    """What refusals call a game of the match."""
    return place_of(gettext_noop("game %(number)d"), number, "game")


def read_winner(game: Part, names: Sequence[str], won_by: str) -> int | None:
    """The place of a game's winner; None for one that nobody won. DomainError "bad_sheet"."""
    winner = game.get("winner")
    if winner is not None and winner not in names:
        game.refuse(gettext_noop("“%(key)s”: %(name)s does not play here."), key="winner", name=shown(winner))
    if winner is None and won_by != "unknown":
        game.refuse(gettext_noop("No winner: leave out “%(key)s” or name one."), key="won_by")
    return None if winner is None else names.index(winner)


def violation(rule: str, game: PlayedGame, player: str | None, template: str, **params: Any) -> dict[str, Any]:
    place = place_of_game(game.number)
    sentence = Message(gettext_noop("%(place)s: %(sentence)s"), {"place": place, "sentence": Message(template, params)})
    return {"rule": rule, "player": player, "message": Sentence(sentence), "cards": [], "game": game.number}


def games_won(names: Sequence[str], games: Iterable[PlayedGame]) -> list[int]:
    played = list(games)
    return [sum(game.winner == place for game in played) for place in range(len(names))]


def tally_of(
    names: Sequence[str],
    games: Sequence[PlayedGame],
    violations: Sequence[Mapping[str, Any]],
    lines: Sequence[Mapping[str, Any]],
) -> dict[str, Any]:
    """The tally: the score is the number of games won, `lines` are one a game; with equal scores all are winners."""
    won = games_won(names, games)
    return {
        "players": [
            {
                "name": name,
                "score": won[place],
                "lines": [line for game, line in zip(games, lines, strict=True) if game.winner == place],
            }
            for place, name in enumerate(names)
        ],
        "winners": [name for place, name in enumerate(names) if won[place] == max(won) and any(won)],
        "violations": list(violations),
        "games": [{"winner": game.winner, "won_by": game.won_by, "roles": list(game.roles)} for game in games],
    }


def result_of(tally: Mapping[str, Any]) -> MatchResult:
    """The match result of a tally: of two players game by game, of several by games won."""
    won = tuple(player["score"] for player in tally["players"])
    if len(won) > 2:
        return table_result(places_by([Fraction(each) for each in won]))
    games = tuple(GameResult(game["winner"], _kind(game), tuple(game["roles"])) for game in tally["games"])
    return MatchResult(ResultKind.PLAYED, won, len(games) - sum(won), games)


def _kind(game: Mapping[str, Any]) -> str:
    return "" if game["winner"] is None else str(game["won_by"])

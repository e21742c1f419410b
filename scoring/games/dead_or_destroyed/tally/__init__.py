"""A match of Dead or Destroyed game by game: who played which role, who won, and how.

A sheet is {"players": [{"name"}, {"name"}], "games": [game, …], "options"?: {…}}, the games in the order of play:

    roles        ["necromancer", "paladin"] or the other way round: what the first and the second player played. Where
                 they are missing, a win by its role tells them
    winner       the name of the winner, null for a game that was drawn or not finished
    won_by       "necromancer", "paladin", "concession", "time", "game_loss" (a penalty) or "unknown", which is the
                 default. The first two are the role of the winner
    last_attack  {"zombies", "deck"}, may be left out: how many zombies were neither killed nor destroyed in the attack
                 that ended the game, and the cards in the Deck before it

"options" are those of `dead_or_destroyed_options`, which a tally does not ask for, and "check_limits" (usually true):
games that cannot be stop the tally; with false they are reported and count as written.

The tally is {"players": [{"name", "score", "lines"}], "winners": [names], "violations": [{"rule", "player", "message",
"cards", "game"}], "games": […]}. The score is the number of games won; a line is {"card": "", "kind": how it was won,
"points": 1, "game": its number from 1, "role": the winner's or ""}. With equal scores all are winners. "games" are as
in the sheet, with everything filled in and the winner's place (0, 1 or null) for the name.

Rules: DD-ROLES (of two games in a row both play both roles: the first and second, the third and fourth, …; the odd last
game is free), DD-WIN-NECRO, DD-WIN-PALADIN. The calculators for a game are in `dead_or_destroyed_rules`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rules_engine.errors import DomainError
from rules_engine.messages import Message, Sentence, gettext_noop
from scoring.games.dead_or_destroyed.tally.options import OPTIONS
from scoring.games.dead_or_destroyed.tally.rules import attack_outcome
from scoring.sheets.tallies.games import (
    GAME_WORDS,
    KEYS,
    MAX_GAMES,
    place_of_game,
    read_names,
    read_winner,
    result_of,
    tally_of,
    violation,
)
from scoring.sheets.tallies.json_reader import SHEET_WORDS, Part, bad_sheet
from scoring.sheets.tallies.options_filled import read_options
from scoring.sheets.tallies.registry import Tallier
from scoring.standings.results import GAME_LOSS

ROLES = ("necromancer", "paladin")
ROLE_WORDS = {"necromancer": gettext_noop("Necromancer"), "paladin": gettext_noop("Paladin")}
WIN_CLAUSES = {"necromancer": "DD-WIN-NECRO", "paladin": "DD-WIN-PALADIN"}
WON_BY = (*ROLES, "concession", "time", GAME_LOSS, "unknown")
MAX_CARDS = 52


@dataclass(frozen=True, slots=True)
class Game:
    """One game as it was written; `winner` is a place, `attack` the zombies and the Deck of the last attack."""

    number: int
    winner: int | None
    won_by: str
    roles: tuple[str, ...]
    attack: tuple[int, int] | None

    @property
    def won_as(self) -> str:
        """The role of the winner; "" where it was not written."""
        return self.roles[self.winner] if self.roles and self.winner is not None else ""


def tally(sheet: Mapping[str, Any]) -> dict[str, Any]:
    """Games won by each, as the module says; DomainError "bad_sheet"."""
    part = Part(sheet, "", KEYS, words=SHEET_WORDS)
    names, agreed, games = read_names(part), read_options(part, OPTIONS), read_games(sheet)
    if not games:
        raise bad_sheet(gettext_noop("No games: enter who won each and how."))
    violations = [violation for game in games for violation in _against(game, names)]
    violations += _roles_twice(games)
    if violations and agreed["check_limits"]:
        raise DomainError("bad_sheet", violations[0]["message"], violations=violations)
    return tally_of(names, games, violations, [_line(game) for game in games])


def read_games(sheet: Mapping[str, Any]) -> tuple[Game, ...]:
    """The games of a sheet, which may be none yet; DomainError "bad_sheet"."""
    part = Part(sheet, "", KEYS, words=SHEET_WORDS)
    names = read_names(part)
    return tuple(_game(game, number, names) for number, game in enumerate(part.items("games", MAX_GAMES), 1))


def _game(value: object, number: int, names: Sequence[str]) -> Game:
    game = Part(value, place_of_game(number), ("roles", "winner", "won_by", "last_attack"), words=GAME_WORDS)
    won_by = game.choice("won_by", WON_BY) or "unknown"
    place = read_winner(game, names, won_by)
    attack = None
    if game.has("last_attack"):
        part = game.part("last_attack", ("zombies", "deck"))
        attack = (part.number("zombies", 0, MAX_CARDS) or 0, part.number("deck", 0, MAX_CARDS) or 0)
    return Game(number, place, won_by, _roles(game, place, won_by), attack)


def _roles(game: Part, winner: int | None, won_by: str) -> tuple[str, ...]:
    """Both roles in the order of the players: as written, else as the win says, else ()."""
    written = tuple(game.items("roles", 2))
    if written and written not in (ROLES, ROLES[::-1]):
        game.refuse(gettext_noop("“%(key)s”: one necromancer, one paladin."), key="roles")
    if written or winner is None or won_by not in ROLES:
        return written
    return ROLES if (ROLES[winner] == won_by) else ROLES[::-1]


def _against(game: Game, names: Sequence[str]) -> list[dict[str, Any]]:
    """What the rules say against one game."""
    winner = None if game.winner is None else names[game.winner]
    violations = []
    if game.won_by in ROLES and game.won_as != game.won_by:
        message = gettext_noop("%(name)s won as %(role)s: correct the roles or the win.")
        role = Sentence(Message(ROLE_WORDS.get(game.won_as, game.won_as)), game.won_as)
        violations.append(violation(WIN_CLAUSES[game.won_by], game, winner, message, name=winner, role=role))
    if game.won_by == "necromancer" and game.attack and not attack_outcome(*game.attack).necromancer_wins:
        message = gettext_noop("The Deck had enough: the necromancer didn't win.")
        violations.append(violation("DD-WIN-NECRO", game, winner, message))
    return violations


def _roles_twice(games: Sequence[Game]) -> list[dict[str, Any]]:
    """Two games in a row in which nobody changed the role."""
    message = gettext_noop("Swap the roles: they change every game.")
    pairs = zip(games[::2], games[1::2], strict=False)
    return [
        violation("DD-ROLES", second, None, message)
        for first, second in pairs
        if first.roles and first.roles == second.roles
    ]


def _line(game: Game) -> dict[str, Any]:
    return {"card": "", "kind": game.won_by, "points": 1, "game": game.number, "role": game.won_as}


TALLIER = Tallier(tally, result_of, OPTIONS, is_one_game=False, read=read_games)

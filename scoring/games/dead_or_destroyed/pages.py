"""A match of Dead or Destroyed at the table: who is the necromancer now, the games so far, one game more, the board."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _

from scoring.games.dead_or_destroyed.forms import HOW, GameForm
from scoring.games.dead_or_destroyed.tally import ROLES
from scoring.games.dead_or_destroyed.tally.board import play
from scoring.sheets.forms.games import game_in_words
from scoring.sheets.web.frames import SheetFrame
from scoring.sheets.web.games import Games, GamesSheet, games_pages, names_of


def next_necromancer(frame: SheetFrame, games: Games) -> str:
    """Who is the necromancer now: roles swap from game to game; the first of the sheet begins so."""
    names = names_of(frame.sheet)
    held = _necromancer(games[-1], names) if games else ""
    if not held:
        return names[len(games) % 2]
    return next(name for name in names if name != held)


def _necromancer(game: Mapping[str, Any], names: Sequence[str]) -> str:
    """Who was the necromancer; "" where nobody said."""
    return names[game["roles"].index(ROLES[0])] if game["roles"] else ""


def _sentence(game: Mapping[str, Any], names: Sequence[str]) -> str:
    words, held = game_in_words(game, names, HOW), _necromancer(game, names)
    return _("%(words)s · Necromancer: %(name)s") % {"words": words, "name": held} if held else words


def _roles(frame: SheetFrame, games: Games) -> dict[str, str]:
    necromancer = next_necromancer(frame, games)
    paladin = next(name for name in names_of(frame.sheet) if name != necromancer)
    return {"necromancer": necromancer, "paladin": paladin}


PAGES = games_pages(GamesSheet("dead_or_destroyed/duel", play, GameForm, next_necromancer, _sentence, _roles))

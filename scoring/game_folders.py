"""Finds what a game has in its folder of `scoring.games`, by name: nothing lists the games."""

from importlib import import_module
from importlib.util import find_spec
from pkgutil import iter_modules
from types import ModuleType

FOLDERS = "scoring.games"


def game_module(game: str, name: str) -> ModuleType | None:
    """A module of a game's folder; None where the game has no folder or the folder no such module."""
    folder = f"{FOLDERS}.{game}"
    if not game.isidentifier() or find_spec(folder) is None or find_spec(f"{folder}.{name}") is None:
        return None
    return import_module(f"{folder}.{name}")


def games_with(name: str) -> list[str]:
    """The games whose folder has such a module."""
    games = sorted(each.name for each in iter_modules(import_module(FOLDERS).__path__) if each.ispkg)
    return [game for game in games if find_spec(f"{FOLDERS}.{game}.{name}") is not None]

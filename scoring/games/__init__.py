"""Games that are scored by sheet or have help at the table: a folder each, named like the game.

A folder may hold `tally` (pure: what a sheet adds up to), `forms` and `pages` of its sheet, `helper_pages` with `urls`.
Everything is found by these names; no folder knows another.
"""

from importlib import import_module
from importlib.util import find_spec
from pkgutil import iter_modules
from types import ModuleType


def game_module(game: str, name: str) -> ModuleType | None:
    """A module of a game's folder; None where the game has no folder or the folder no such module."""
    folder = f"{__name__}.{game}"
    if not game.isidentifier() or find_spec(folder) is None or find_spec(f"{folder}.{name}") is None:
        return None
    return import_module(f"{folder}.{name}")


def games_with(name: str) -> list[str]:
    """The games whose folder has such a module."""
    folders = sorted(each.name for each in iter_modules(__path__) if each.ispkg)
    return [game for game in folders if find_spec(f"{__name__}.{game}.{name}") is not None]

"""Pages that a game's sheet has besides those of every sheet, one module of this package a game.

A game gets them by a module `scoring/web/<game>.py` with `PAGES`: views `view(request, frame)` by the last part of
their address, below `<root>play/`. The one called "" takes the place of the overview.
"""

from collections.abc import Callable, Mapping
from importlib import import_module
from importlib.util import find_spec

from django.http import HttpResponse

OwnPages = Mapping[str, Callable[..., HttpResponse]]


def own_pages(game: str) -> OwnPages:
    """The pages of a game's own by name; none for a game whose sheet is parts alone."""
    name = f"{__package__}.{game}"
    if not game.isidentifier() or find_spec(name) is None:
        return {}
    pages: OwnPages = getattr(import_module(name), "PAGES", {})
    return pages

"""Pages that a game's sheet has besides those of every sheet.

A game has them in `scoring/games/<slug>/pages.py` as `PAGES`: views `view(request, frame)` by the last part of their
address, below `<root>play/`. The one called "" takes the place of the overview.
"""

from collections.abc import Callable, Mapping

from django.http import HttpResponse

from scoring.game_folders import game_module

OwnPages = Mapping[str, Callable[..., HttpResponse]]


def own_pages(game: str) -> OwnPages:
    """The pages of a game's own by name; none for a game whose sheet is parts alone."""
    pages: OwnPages = getattr(game_module(game, "pages"), "PAGES", {})
    return pages

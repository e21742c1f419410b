"""The frame of a game's calculators: a tab each, what was asked, and the rules behind it."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from rules_engine.systems import get_system
from scoring.sheets.helpers import helpers_of


def show_helper(
    request: HttpRequest, game: str, template: str, clauses: tuple[str, ...], **context: Any
) -> HttpResponse:
    """One of the pages that the game's `helpers` lead to, from its template in `scores/<game>/`."""
    system, helpers = get_system(game), helpers_of(game, keeps_sheet=False)
    found = {
        "system": system,
        "helpers": helpers,
        "title": next(each.label for each in helpers if each.path == request.path),
        "clauses": [system.find_clause(each) for each in clauses],
    }
    return render(request, f"scores/{game}/{template}.html", found | context)

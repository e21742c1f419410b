"""The public page of a game's rules, clause by clause."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from accounts.access import access
from decks.selectors.legality import announced_lists
from journal.clock import database_now
from rules_engine.legality import SITE_CLAUSES
from rules_engine.systems import get_system


@access("public")
@require_safe
def rules_page(request: HttpRequest, game: str) -> HttpResponse:
    """GET /rules/<game>/: every clause under its id, and the card lists in force today. NotFound "unknown_game"."""
    system = get_system(game)
    today = database_now().date()
    checked = [each for each in system.formats if each.checks_decks]
    context = {
        "system": system,
        "clauses": (*system.clauses, *SITE_CLAUSES) if checked else system.clauses,
        "formats": [(each, announced_lists(game, each.slug, today)) for each in checked],
    }
    return render(request, "decks/rules.html", context)

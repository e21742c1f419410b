"""Search in the rules of a game, quick on a phone: by the id of a clause or by words."""

import re

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext

from accounts.http.access import page_view
from decks.selectors.clauses import list_terms
from decks.selectors.rules import clauses_of
from decks.services.missed_searches import MAX_WORDS, search_clauses
from journal.clock import database_now
from rules_engine.systems import get_system, list_systems


@page_view("public")
def search_rules(request: HttpRequest, game: str) -> HttpResponse:
    """GET /rules/<game>/search/?q=…&from=<event>: the clauses that fit; `from` names an event to go back to.

    Words that nothing fits are counted for the site admin.

    NotFound "unknown_game".
    """
    system, words = get_system(game), request.GET.get("q", "").replace("\0", "").strip()[:MAX_WORDS]
    asked_from = request.GET.get("from", "")
    context = {
        "system": system,
        "games": list_systems(),
        "words": words,
        "found": search_clauses(system, words, database_now().date()),
        "terms": list_terms(clauses_of(system), gettext),
        "back": asked_from if re.fullmatch(r"[-a-zA-Z0-9_]{1,80}", asked_from) else "",
    }
    return render(request, "decks/rules_search.html", context)

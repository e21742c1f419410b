"""The public pages of a game's rules: every clause, what each format asks, the card lists in force and to come."""

from collections.abc import Iterable

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext

from accounts.http.access import page_view
from decks.forms.card_lists import ListSearchForm
from decks.selectors.cards import cards_of
from decks.selectors.clauses import list_terms
from decks.selectors.house_formats import HOUSE_PREFIX, version_at
from decks.selectors.legality import format_at
from decks.selectors.rules import FormatView, format_views, house_view, own_clauses, rules_of
from journal.clock import database_now
from rules_engine.systems import get_system


@page_view("public")
def rules_page(request: HttpRequest, game: str) -> HttpResponse:
    """GET /rules/<game>/?q=…: every clause under its id, every format with its lists. NotFound "unknown_game"."""
    system = get_system(game)
    words = _words(request)
    formats, sections = format_views(system, database_now().date(), words), rules_of(system)
    context = {
        "system": system,
        "sections": sections,
        "terms": list_terms((clause for each in sections for clause in each.clauses), gettext),
        "formats": formats,
        "known": cards_of(game),
        "hits": count_listed(formats),
        "searchable": any(each.has_lists for each in formats),
        "form": ListSearchForm(request.GET),
        "words": words,
    }
    return render(request, "decks/rules.html", context)


@page_view("public")
def format_page(request: HttpRequest, game: str, format_slug: str) -> HttpResponse:
    """GET /rules/<game>/<format>/?q=…: a house format with its own clauses; others stand on the game's page.

    NotFound "unknown_game", "unknown_format".
    """
    if not format_slug.startswith(HOUSE_PREFIX):
        format_at(game, format_slug)
        return redirect(f"{reverse('rules', args=[game])}#format-{format_slug}")
    system, today, words = get_system(game), database_now().date(), _words(request)
    version = version_at(game, format_slug, today)
    house, view = version.house_format, house_view(version, today, words)
    later = [each for each in house.versions.order_by("number") if each.number > version.number]
    context = {
        "system": system,
        "house": house,
        "version": version,
        "base": system.get_format(house.base),
        "clauses": own_clauses(view, system),
        "view": view,
        "known": cards_of(game),
        "hits": count_listed([view]),
        "later": later,
        "today": today,
        "searchable": view.has_lists,
        "form": ListSearchForm(request.GET),
        "words": words,
    }
    return render(request, "decks/house_rules.html", context)


def count_listed(views: Iterable[FormatView]) -> int:
    """How many cards the lists shown name, each once."""
    lists = (each for view in views for each in (*view.in_force, *view.coming))
    return len({listing.name for each in lists for group in each.groups for listing in group.listings})


def _words(request: HttpRequest) -> str:
    form = ListSearchForm(request.GET)
    return str(form.cleaned_data["q"]) if form.is_valid() else ""

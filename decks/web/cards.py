"""The public pages of a game's cards: search and filters, one card, names for type-ahead, all of them as CSV."""

from dataclasses import dataclass

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.utils.translation import gettext as _

from accounts.http.access import page_view
from accounts.http.downloads import csv_download
from accounts.http.requests import ActorRequest
from decks.forms.cards import CardSearchForm
from decks.selectors.card_limits import coming_limits, limits_of
from decks.selectors.card_words import card_words, shown_facts
from decks.selectors.cards import (
    cards_of,
    find_card,
    find_cards,
    other_printings,
    sets_of,
    suggest_names,
)
from decks.selectors.house_formats import house_names
from journal.clock import database_now
from rules_engine.cards import CardFacts
from rules_engine.catalogue import CardField, write_cards
from rules_engine.errors import NotFound
from rules_engine.game import GameSystem
from rules_engine.systems import get_system

CARDS_A_PAGE = 50


@dataclass(frozen=True, slots=True)
class CardLine:
    """A card in the list: its facts, each with its field, and the name of its set."""

    card: CardFacts
    facts: list[tuple[CardField, str | int]]
    card_set: str


@page_view("public")
def cards_page(request: HttpRequest, game: str) -> HttpResponse:
    """GET /cards/<game>/?q=…&type=…&set=…&f_<filter>=…&page=…: the game's cards by name.

    NotFound "unknown_game", "no_cards".
    """
    system = system_with_cards(game)
    sets = [each for each in sets_of(game) if each.cards]
    form = CardSearchForm(request.GET or None, system, sets)
    found = find_cards(game, form.query)
    page = Paginator(found, CARDS_A_PAGE).get_page(request.GET.get("page"))
    names, samples = {each.slug: each.name for each in sets}, {each.slug for each in sets if each.sample}
    context = {
        "system": system,
        "form": form,
        "page": page,
        "found": len(found),
        "total": len(cards_of(game)),
        "fields": system.card_schema.listed,
        "lines": [_line(card, system, names) for card in page.object_list],
        "sample": any(card.set_slug in samples for card in page.object_list),
    }
    return render(request, "decks/cards.html", context)


def system_with_cards(game: str) -> GameSystem:
    """The game system; NotFound `unknown_game`, and `no_cards` for one that has none."""
    system = get_system(game)
    if not system.card_schema.types:
        raise NotFound("no_cards", _("This game has no cards here."))
    return system


def _line(card: CardFacts, system: GameSystem, set_names: dict[str, str]) -> CardLine:
    facts = [(each, card.fields.get(each.key, "")) for each in system.card_schema.listed]
    return CardLine(card, facts, set_names.get(card.set_slug, card.set_slug))


@page_view("public")
def card_page(request: ActorRequest, game: str, key: str) -> HttpResponse:
    """GET /cards/<game>/card/<key>/: one card, the copies each shipped format allows, now and by announced lists.

    House formats of the signed-in account are linked, not judged.

    NotFound "unknown_game", "no_cards", "unknown_card".
    """
    system = system_with_cards(game)
    card, today = find_card(game, key), database_now().date()
    card_set = next((each for each in sets_of(game) if each.slug == card.set_slug), None)
    context = {
        "system": system,
        "card": card,
        "card_set": card_set,
        "facts": shown_facts(card, system),
        "texts": list(card_words(card, system)),
        "printings": other_printings(card, game),
        "errata": system.card_texts.errata_of(card.name),
        "clauses": system.clauses_on(card),
        "formats": limits_of(card, system, today),
        "coming": coming_limits(card, system, today),
        "house_formats": house_names(request.actor.user).get(game, ()),
    }
    return render(request, "decks/card.html", context)


@page_view("public")
def names_page(request: HttpRequest, game: str) -> HttpResponse:
    """GET /cards/<game>/names/?q=…: at most twelve cards that may be meant, best first, as JSON."""
    found = suggest_names(system_with_cards(game).slug, request.GET.get("q", ""))
    cards = [{"name": card.name, "type": card.type, "set": card.set_slug} for card in found]
    return JsonResponse({"cards": cards})


@page_view("public")
def cards_csv(request: HttpRequest, game: str) -> HttpResponse:
    """GET /cards/<game>/cards.csv: every card of the game as a file that can be imported again."""
    system = system_with_cards(game)
    return csv_download(f"{game}-cards", write_cards(find_cards(game), system.card_schema), marked=False)

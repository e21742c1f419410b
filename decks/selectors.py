"""Answers about cards, card lists and legality; nothing here says whose deck is whose."""

from collections.abc import Mapping
from datetime import date

from django.db.models import QuerySet

from decks import models
from rules_engine.cards import CardFacts, index_cards, normalise_name
from rules_engine.constraints import CardList, lists_in_force
from rules_engine.decklist import Decklist
from rules_engine.legality import LegalityReport, check_decklist
from rules_engine.systems import get_system

_cards_by_game: dict[str, tuple[tuple[str, ...], Mapping[str, CardFacts]]] = {}


def cards_of(game: str) -> Mapping[str, CardFacts]:
    """The cards of a game by normalised name: one query to see that nothing changed, a second one when something did.

    Kept per process under the random tokens that every change of a game's cards renews, so that no process and no
    rolled-back transaction ever reads cards that are not there.
    """
    versions = tuple(
        models.CardSet.objects.filter(game=game).order_by("id").values_list("catalogue_version", flat=True)
    )
    kept = _cards_by_game.get(game)
    if kept is None or kept[0] != versions:
        cards = models.Card.objects.filter(game=game).select_related("card_set")
        kept = (versions, index_cards(card.as_facts() for card in cards))
        _cards_by_game[game] = kept
    return kept[1]


def card_lists_in_force(game: str, format_slug: str, on_date: date) -> tuple[CardList, ...]:
    """The card lists of a format as of `on_date`, each in its newest version by then; two queries."""
    return lists_in_force(map(_as_list, _lists_by_then(game, format_slug, on_date)), on_date)


def list_rows_in_force(game: str, format_slug: str, on_date: date) -> list[models.CardList]:
    """The same lists as rows with their entries, to show them by name; two queries."""
    newest = {row.slug: row for row in _lists_by_then(game, format_slug, on_date).order_by("valid_from")}
    return [newest[slug] for slug in sorted(newest)]


def legality_of(decklist: Decklist, game: str, format_slug: str, on_date: date) -> LegalityReport:
    """The verdict on a decklist as of `on_date`, not stored; at most four queries."""
    game_format = get_system(game).get_format(format_slug)
    if not game_format.checks_decks:
        return check_decklist(decklist, game_format, {}, on_date)
    lists = card_lists_in_force(game, format_slug, on_date)
    return check_decklist(decklist, game_format, cards_of(game), on_date, lists)


def find_cards(game: str, words: str = "", card_type: str = "") -> QuerySet[models.Card]:
    """The cards of a game whose name contains `words` in any spelling, of one type if given, by name."""
    cards = models.Card.objects.filter(game=game).select_related("card_set")
    if words.strip():
        cards = cards.filter(normalised_name__contains=normalise_name(words))
    return cards.filter(card_type=card_type) if card_type else cards


def _lists_by_then(game: str, format_slug: str, on_date: date) -> QuerySet[models.CardList]:
    rows = models.CardList.objects.filter(game=game, format=format_slug, valid_from__lte=on_date)
    return rows.prefetch_related("entries")


def _as_list(row: models.CardList) -> CardList:
    limits = {entry.normalised_name: entry.max_copies for entry in row.entries.all()}
    return CardList(row.slug, row.name, row.valid_from, limits)

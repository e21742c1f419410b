"""Answers about the cards of a game."""

from collections.abc import Mapping

from django.db.models import QuerySet

from decks import models
from rules_engine.cards import CardFacts, index_cards, normalise_name

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


def find_cards(game: str, words: str = "", card_type: str = "") -> QuerySet[models.Card]:
    """The cards of a game whose name contains `words` in any spelling, of one type if given, by name."""
    cards = models.Card.objects.filter(game=game).select_related("card_set")
    if words.strip():
        cards = cards.filter(normalised_name__contains=normalise_name(words))
    return cards.filter(card_type=card_type) if card_type else cards

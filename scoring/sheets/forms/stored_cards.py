"""The cards that this site keeps of a game, as the app that keeps them hands them in."""

from collections.abc import Mapping

from django.conf import settings
from django.utils.module_loading import import_string

from rules_engine.cards import CardFacts, normalise_name
from rules_engine.systems import get_system


def stored_cards(game: str) -> Mapping[str, CardFacts]:
    """The cards by normalised name, imported ones among them; the same object while nothing changed."""
    found: Mapping[str, CardFacts] = import_string(settings.STORED_CARDS)(game)
    return found


def known_cards(game: str) -> Mapping[str, CardFacts]:
    """The cards by normalised name that this site keeps, imported ones too; where it keeps none, those shipped."""
    return stored_cards(game) or {normalise_name(card.name): card for card in get_system(game).shipped_cards}

"""The tables of the app; nothing else belongs here."""

from decks.models.cards import MAX_SLUG_LENGTH, Card, CardList, CardListEntry, CardSet, new_catalogue_version
from decks.models.decks import Deck, DeckVersion, LegalityCheck
from decks.models.formats import HouseFormat, HouseFormatVersion, Recheck, RecheckResult
from decks.models.searches import MissedSearch

__all__ = [
    "MAX_SLUG_LENGTH",
    "Card",
    "CardList",
    "CardListEntry",
    "CardSet",
    "Deck",
    "DeckVersion",
    "HouseFormat",
    "HouseFormatVersion",
    "LegalityCheck",
    "MissedSearch",
    "Recheck",
    "RecheckResult",
    "new_catalogue_version",
]

"""What a card's page says of it in words: its facts by field, and what they mean."""

import re
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

from django.utils.translation import gettext as _

from rules_engine.cards import CardFacts
from rules_engine.catalogue import CardField
from rules_engine.game import GameSystem

MINUS = re.compile(r"-(?=\d)")


def shown_facts(card: CardFacts, system: GameSystem) -> list[tuple[CardField, str | int]]:
    """The facts of a card that pages show, each with its field."""
    return [(each, _said(each, card)) for each in system.card_schema.shown if each.key in card.fields]


def _said(card_field: CardField, card: CardFacts) -> str | int:
    """The value of a field for reading: one of its choices in the reader's language."""
    value = card.fields[card_field.key]
    return _(str(value)) if card_field.choices else value


def card_words(card: CardFacts, system: GameSystem) -> Iterator[tuple[str, str]]:
    """What the facts of a card mean: a label and a sentence for each, in the reader's language."""
    words = system.card_texts.words

    def said(value: Any) -> Any:
        if isinstance(value, list):
            return ", ".join(map(said, value))
        return _(words[value]) if value in words else value

    with suppress(KeyError, TypeError, ValueError):  # an imported card may be of a kind without a sentence
        for label, sentence, values in system.card_texts.said_of(card):
            params = {key: said(value) for key, value in values.items()}
            yield _(label), MINUS.sub("−", _(sentence) % params)

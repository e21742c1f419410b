"""What a card's page says of it in words: its facts by field, and what they mean."""

import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import Any

from django.utils.translation import gettext as _

from rules_engine.cards import CardFacts
from rules_engine.catalogue import CardField
from rules_engine.game import GameSystem

NOTE = "note"
"""The field of a card that says something about it in English; shipped ones are among the translators' texts."""
MINUS = re.compile(r"-(?=\d)")


def shown_facts(card: CardFacts, system: GameSystem) -> list[tuple[CardField, str | int]]:
    """The facts of a card that pages show, each with its field."""
    words = system.card_texts.words
    return [(each, _said(each, card, words)) for each in system.card_schema.shown if each.key in card.fields]


def _said(card_field: CardField, card: CardFacts, words: Mapping[str, str]) -> str | int:
    """The value of a field for reading: a choice, a note or one of the game's `words` in the reader's language."""
    value = card.fields[card_field.key]
    if card_field.choices or card_field.key == NOTE:
        return _(str(value))
    return _in_words(value.split(", "), words) if isinstance(value, str) else value


def _in_words(value: Any, words: Mapping[str, str]) -> Any:
    """A value, or several, with those that the game has words for in the reader's language."""
    if isinstance(value, list):
        return ", ".join(_in_words(each, words) for each in value)
    return _(words[value]) if value in words else value


def card_words(card: CardFacts, system: GameSystem) -> Iterator[tuple[str, str]]:
    """What the facts of a card mean: a label and a sentence for each, in the reader's language."""
    words = system.card_texts.words
    with suppress(KeyError, TypeError, ValueError):  # an imported card may be of a kind without a sentence
        for label, sentence, values in system.card_texts.said_of(card):
            params = {key: _in_words(value, words) for key, value in values.items()}
            yield _(label), MINUS.sub("−", _(sentence) % params)

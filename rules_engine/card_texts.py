"""What cards do in words: sentences for the kinds and numbers of their facts, and what was corrected after printing."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from rules_engine.cards import CardFacts


@dataclass(frozen=True, slots=True)
class Explained:
    """A field of a card whose value is a kind of effect; `numbers` is the field with its values, a JSON object."""

    field: str
    numbers: str
    label: str


@dataclass(frozen=True, slots=True)
class Erratum:
    """A correction of some cards, in our own words, and where it was published."""

    cards: tuple[str, ...]
    text: str
    book: str


@dataclass(frozen=True, slots=True)
class CardTexts:
    """What is said of a game's cards besides their facts.

    `texts` are sentences by kind, or by kind and one of its values: "kind:number=value". Their %(name)s places are
    filled with the card's values; `words` are values to be said otherwise.
    """

    explained: tuple[Explained, ...] = ()
    texts: Mapping[str, str] = field(default_factory=dict)
    words: Mapping[str, str] = field(default_factory=dict)
    errata: tuple[Erratum, ...] = ()

    def said_of(self, card: CardFacts) -> Iterator[tuple[str, str, dict[str, Any]]]:
        """For each explained fact of a card its label, its sentence in English, and the values for it.

        KeyError, its argument the kind, if there is no sentence; ValueError where the numbers are no JSON.
        """
        for each in self.explained:
            if kind := card.fields.get(each.field):
                values = json.loads(str(card.fields.get(each.numbers, "{}")))
                values = values if isinstance(values, dict) else {}
                yield each.label, self._text_of(str(kind), values), values

    def errata_of(self, name: str) -> list[Erratum]:
        """What was corrected of the card called `name`."""
        return [each for each in self.errata if name in each.cards]

    def _text_of(self, kind: str, values: Mapping[str, Any]) -> str:
        special = (f"{kind}:{key}={value}" for key, value in values.items())
        return self.texts[next((each for each in special if each in self.texts), kind)]

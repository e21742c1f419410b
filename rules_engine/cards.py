"""What is known of a card, and when two spellings of a name mean the same card."""

import re
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

APOSTROPHES_AND_DOTS = dict.fromkeys(map(ord, "'`´‘’‚‛ʹʻʼʽ′＇."))
LETTERS_WITHOUT_ACCENT = str.maketrans(
    {"æ": "ae", "œ": "oe", "ø": "o", "đ": "d", "ð": "d", "ł": "l", "þ": "th", "ı": "i"}
)
ASCII_AS_KEY = {
    code: None if code in APOSTROPHES_AND_DOTS else chr(code).casefold() if chr(code).isalnum() else " "
    for code in range(128)
}
MAX_NAME_LENGTH = 200
_SEVERAL = re.compile(r", | / ")


@dataclass(frozen=True, slots=True)
class CardFacts:
    """A card as its game prints it: `fields` holds what its type has (countdown, strength …)."""

    name: str
    type: str
    set_slug: str = ""
    fields: Mapping[str, str | int] = field(default_factory=dict)


def normalise_name(text: str) -> str:
    """The key under which spellings of one name meet; idempotent, linear in the length of `text`.

    Case, accents, apostrophes, dots and the kind of dash or space do not matter. A name without any letter or digit
    is its own key.
    """
    letters = text.translate(ASCII_AS_KEY) if text.isascii() else _fold(text)
    return " ".join(letters.split()) or text.strip().casefold()


def _fold(text: str) -> str:
    """Plain letters and digits of `text`, with spaces between."""
    decomposed = unicodedata.normalize("NFKD", text.translate(APOSTROPHES_AND_DOTS)).casefold()
    folded = unicodedata.normalize("NFKD", decomposed).translate(LETTERS_WITHOUT_ACCENT).translate(APOSTROPHES_AND_DOTS)
    return "".join(
        character if character.isalnum() else " " for character in folded if not unicodedata.combining(character)
    )


def several(value: object) -> tuple[str, ...]:
    """The values of a fact: one, or each of several parted by ", " or " / "; none of an empty one."""
    text = str(value)
    return tuple(_SEVERAL.split(text)) if text else ()


def index_cards(cards: Iterable[CardFacts]) -> dict[str, CardFacts]:
    """The cards by normalised name, as `check_decklist` and the decklist readers want them."""
    return {normalise_name(card.name): card for card in cards}

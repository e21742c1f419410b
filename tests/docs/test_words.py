"""English texts keep to docs/develop/style.md: none uses a word that is banned there."""

import re
from pathlib import Path

import polib
import pytest

CATALOGUE = Path(__file__).parents[2] / "locale" / "de" / "LC_MESSAGES" / "django.po"
BANNED = (
    "whoever", "somebody", "nobody else", "alone", "stands", "told", "made", "the own", "anew", "meanwhile",
    "worthless", "mend", "so many",
)  # fmt: skip


def texts_with(word, texts):
    """The texts that use a word, as a whole word in any case."""
    pattern = re.compile(rf"\b{word}\b", re.IGNORECASE)
    return [text for text in texts if pattern.search(text)]


def english_texts():
    """Every text for people, singular and plural, as the code says it."""
    entries = (entry for entry in polib.pofile(CATALOGUE) if not entry.obsolete)
    return [text for entry in entries for text in (entry.msgid, entry.msgid_plural) if text]


@pytest.mark.parametrize("word", BANNED)
def test_no_text_uses_a_banned_word(word):
    assert texts_with(word, english_texts()) == []


def test_a_banned_word_is_found_as_a_word_alone():
    texts = ["Somebody left.", "Undo or amend", "Mend the deck.", "Commander"]
    assert texts_with("somebody", texts) == ["Somebody left."]
    assert texts_with("mend", texts) == ["Mend the deck."]

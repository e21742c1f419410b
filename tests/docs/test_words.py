"""English texts keep to docs/develop/style.md: its banned words may only become fewer."""

import re
from pathlib import Path

import polib
import pytest

CATALOGUE = Path(__file__).parents[2] / "locale" / "de" / "LC_MESSAGES" / "django.po"
LEFT = {
    "whoever": 37,
    "somebody": 59,
    "nobody else": 7,
    "alone": 22,
    "stands": 30,
    "told": 19,
    "made": 34,
    "the own": 5,
    "anew": 9,
    "meanwhile": 15,
    "worthless": 3,
    "mend": 8,
    "so many": 6,
}
"""In how many texts each banned word is still found. Lower a number when you rewrite texts; never raise one."""


def texts_with(word, texts):
    """The texts that use a word, as a whole word in any case."""
    pattern = re.compile(rf"\b{word}\b", re.IGNORECASE)
    return [text for text in texts if pattern.search(text)]


def english_texts():
    """Every text for people, singular and plural, as the code says it."""
    entries = (entry for entry in polib.pofile(CATALOGUE) if not entry.obsolete)
    return [text for entry in entries for text in (entry.msgid, entry.msgid_plural) if text]


@pytest.mark.parametrize("word", LEFT)
def test_banned_words_become_fewer(word):
    found = texts_with(word, english_texts())
    assert len(found) <= LEFT[word], f"“{word}” is banned (docs/develop/style.md):\n" + "\n".join(found)


def test_a_banned_word_is_found_as_a_word_alone():
    texts = ["Somebody left.", "Undo or amend", "Mend the deck.", "Commander"]
    assert texts_with("somebody", texts) == ["Somebody left."]
    assert texts_with("mend", texts) == ["Mend the deck."]

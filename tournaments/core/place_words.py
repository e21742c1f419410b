"""A place among others in words: 1st, 2nd, 21st."""

from functools import lru_cache

from django.contrib.humanize.templatetags.humanize import ordinal
from django.utils.html import strip_tags
from django.utils.translation import get_language


def place_words(number: int) -> str:
    """A rank as plain text in the reader's language: 1st, 1er, 1.

    Django writes French ones as markup and gives 21 and 31 the form that French keeps for the first alone.
    """
    return _words(number, get_language())


@lru_cache(maxsize=4096)
def _words(number: int, _language: str | None) -> str:
    text = strip_tags(str(ordinal(number)))
    return f"{number}e" if text.endswith("er") and number != 1 else text

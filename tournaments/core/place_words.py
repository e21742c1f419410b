"""A place among others in words: 1st, 2nd, 21st."""

from django.contrib.humanize.templatetags.humanize import ordinal
from django.utils.html import strip_tags


def place_words(number: int) -> str:
    """A rank as plain text in the reader's language: 1st, 1er, 1.

    Django writes French ones as markup and gives 21 and 31 the form that French keeps for the first alone.
    """
    text = strip_tags(str(ordinal(number)))
    return f"{number}e" if text.endswith("er") and number != 1 else text

"""Places in words: plain text in every language, with French's own form for the first alone."""

from decimal import Decimal

import pytest
from django.utils import translation

from tournaments.core.place_words import place_words
from tournaments.web.shared.match_rows import _place_text


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("en", ["1st", "2nd", "3rd", "11th", "21st"]),
        ("de", ["1.", "2.", "3.", "11.", "21."]),
        ("fr", ["1er", "2e", "3e", "11e", "21e"]),
    ],
)
def test_places_are_plain_words(language, words):
    with translation.override(language):
        assert [place_words(number) for number in (1, 2, 3, 11, 21)] == words


def test_scores_beside_places_are_written_as_the_reader_writes_numbers():
    with translation.override("fr"):
        assert _place_text(1, Decimal("12.50")) == "1er (12,5)"
        assert _place_text(2, Decimal(14)) == "2e (14)"
    with translation.override("en"):
        assert _place_text(None, Decimal("0.25")) == "– (0.25)"

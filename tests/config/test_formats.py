"""Dates and numbers as people write them in each language, and as programs read them in none."""

import re
from datetime import UTC, datetime
from fractions import Fraction

import pytest
from django.template import Context, Template
from django.utils.formats import date_format, get_format
from django.utils.translation import override

from launch.places import ROOT
from scoring.standings.records import ScoringPolicy
from scoring.standings.tiebreakers import TIEBREAKERS
from tournaments.standings.words import exact_text, short_name, value_text

AT = datetime(2026, 11, 28, 10, 0, tzinfo=UTC)
WRITTEN = {
    "en": ("28 November 2026, 10:00", "Saturday, 28 November, 10:00", "28 Nov 2026", "28 Nov, 10:00 UTC"),
    "de": (
        "28. November 2026, 10:00 Uhr", "Samstag, 28. November, 10:00 Uhr", "28. Nov. 2026", "28. Nov., 10:00 Uhr UTC",
    ),
    "fr": ("28 novembre 2026 à 10:00", "samedi 28 novembre à 10:00", "28 nov. 2026", "28 nov. à 10:00 UTC"),
}  # fmt: skip
FOR_PROGRAMS = {"c", "U"}


@pytest.mark.parametrize("language", WRITTEN)
def test_dates_are_written_as_in_the_language(language: str) -> None:
    with override(language):
        patterns = ("j F Y, H:i", "l, j F, H:i", "j M Y", "j M, H:i T")
        assert tuple(date_format(AT, pattern) for pattern in patterns) == WRITTEN[language]
        assert Template('{{ at|date:"c" }} {{ at|date:"H:i" }}').render(Context({"at": AT})).endswith(" 10:00")


@pytest.mark.parametrize("language", ["de", "fr"])
def test_every_date_of_a_page_is_written_as_in_the_language(language: str) -> None:
    pages = "".join(path.read_text() for path in (ROOT / "templates").rglob("*.html"))
    days = {each for each in re.findall(r'\|date:"([^"]*)"', pages) if "j" in each or "d" in each} - FOR_PROGRAMS
    with override(language):
        assert [each for each in sorted(days) if language == "de" and get_format(each) == each] == []
        timed = [each for each in sorted(days) if "H:i" in each and get_format(each) == each]
    assert len(days) > 8
    assert timed == []


def test_a_colon_after_a_label_is_that_of_the_language() -> None:
    for language, written in {"en": "A: 1", "de": "A: 1", "fr": "A\N{NO-BREAK SPACE}: 1"}.items():
        with override(language):
            assert Template("A{% colon %} 1").render(Context()) == written
    sentences = re.compile(r"{% blocktranslate.*?{% endblocktranslate %}|{#.*?#}|{% comment.*?endcomment %}", re.DOTALL)
    pages = {path: sentences.sub("", path.read_text()) for path in (ROOT / "templates").rglob("*.html")}
    assert [path.name for path, page in pages.items() if re.search(r"(?:}}|%}|</\w+>):(?=[\s{<]|$)", page)] == []


@pytest.mark.parametrize(("language", "mark"), [("en", "."), ("de", ","), ("fr", ",")])
def test_percentages_have_the_decimal_mark_of_the_language(language: str, mark: str) -> None:
    with override(language):
        written = value_text(TIEBREAKERS["omw"], Fraction(7, 12), ScoringPolicy())
        assert written == f"58{mark}33"
        assert f"= 58{mark}333333 %" in exact_text(TIEBREAKERS["omw"], Fraction(7, 12))


def test_heads_of_columns_are_short_in_each_language() -> None:
    with override("de"):
        assert short_name(TIEBREAKERS["match_points"]) == "Pkt."

"""The public pages of a game, and how verdicts and unread lines are shown."""

import re

import pytest
from django.template import engines
from django.template.loader import render_to_string
from django.utils.translation import override

from decks.forms.decks import DecklistForm
from decks.selectors.legality import judge_decklist
from decks.services.decks import read_decklist
from decks.templatetags.decks import in_words
from rules_engine.cards import index_cards
from rules_engine.decklist import DeckEntry, Decklist
from rules_engine.legality import check_decklist
from rules_engine.messages import Message
from rules_engine.systems import extra_games, get_system
from tests.decks.conftest import NOW
from tests.rules_engine.test_loading import GAMES


def get(client, address):
    response = client.get(address)
    return response.status_code, response.content.decode()


def test_rules_page_names_every_clause_and_the_list(client, catalogue):
    status, page = get(client, "/rules/doom_pile/")
    assert status == 200
    for clause in ("DP-SIZE", "DP-COPIES", "DP-BANNED", "DP-LIMITED", "DP-TYPES", "DP-PLAN", "UNKNOWN-CARD"):
        assert f'id="{clause}"' in page
    assert "Borrowed Apocalypse" in page


def test_rules_page_of_a_game_without_checks_says_so(client, db):
    assert "nothing is checked" in get(client, "/rules/house_game/")[1]


@pytest.mark.parametrize("address", ["/rules/chess/", "/cards/chess/", "/cards/house_game/"])
def test_unknown_game_is_not_found(client, db, address):
    assert get(client, address)[0] == 404


@pytest.mark.parametrize(
    ("query", "found", "missing"),
    [
        ("", "Ash Ledger", "Winter Without End"),
        ("?q=widow", "Glass Widow", "Ash Ledger"),
        ("?q=UBERKOBOLD", "Überkobold", "Ash Ledger"),
        ("?type=Master+Plan", "Winter Without End", "Ash Ledger"),
        ("?page=2", "Winter Without End", "Ash Ledger"),
        ("?q=nothing+like+it", "Try fewer letters", "<table"),
        ("?type=Spell&page=x", "Ash Ledger", "Winter Without End"),
    ],
)
def test_cards_are_searched_by_name_and_type(client, catalogue, query, found, missing):
    status, page = get(client, f"/cards/doom_pile/{query}")
    assert status == 200
    assert found in page
    assert missing not in page


def test_cards_page_marks_the_sample_set(client, catalogue):
    assert "are invented" in get(client, "/cards/doom_pile/")[1]


def test_pages_take_a_constant_number_of_queries(client, catalogue, django_assert_max_num_queries):
    for address in ("/cards/doom_pile/", "/cards/doom_pile/?type=Minion", "/rules/doom_pile/"):
        with django_assert_max_num_queries(6):
            get(client, address)


def test_fifth_game_has_its_pages(client, db):
    with extra_games(GAMES):
        assert "TS-KNIGHTS" in get(client, "/rules/toy_skirmish/")[1]


def test_verdict_links_each_violation_to_its_clause(client, catalogue):
    decklist = read_decklist(
        "4 Ash Ledger\n1 Borrowed Apocalypse\nWinter Without End", "doom_pile", "standard"
    ).decklist
    verdict = judge_decklist(decklist, "doom_pile", "standard", NOW.date())
    source = '{% load decks %}{% verdict verdict "doom_pile" "standard" %}'
    page = engines["django"].from_string(source).render({"verdict": verdict})
    assert re.findall(r'href="/rules/doom_pile/#([A-Z-]+)"', page) == ["DP-SIZE", "DP-COPIES", "DP-BANNED"]
    link = '<a class="tap" href="/cards/doom_pile/card/ash-ledger/">Ash Ledger</a>'
    assert f"{link}: 4 found, 3 allowed" in " ".join(page.split())
    assert "Doomdesk sample list, 2026-01-01" in page
    for address in re.findall(r'href="([^"#]+)#', page):
        assert get(client, address)[0] == 200


def test_unread_lines_are_shown_escaped_with_suggestions(catalogue):
    reading = read_decklist("3 Glas Widow\n<script>x</script>\nWinter Without End", "doom_pile", "standard")
    page = render_to_string("decks/problems.html", {"reading": reading})
    assert "Line 1" in page
    assert "Glass Widow" in page
    assert "<script>" not in page
    assert "Put in “Master Plan”" in page


def test_form_keeps_the_text_when_lines_are_unread(catalogue):
    form = DecklistForm({"name": "", "text": "3 Glas Widow\n"})
    assert form.is_valid()
    form.refuse_unread(read_decklist(form.cleaned_data["text"], "doom_pile", "standard"))
    assert form.errors == {"text": ["1 line was not understood."]}
    assert "3 Glas Widow" in str(form["text"])


def test_form_refuses_an_empty_and_an_endless_list(db):
    assert not DecklistForm({"text": ""}).is_valid()
    assert not DecklistForm({"text": "x" * (256 * 1024 + 1)}).is_valid()


def test_message_is_put_into_words():
    assert in_words(Message("%(n)s of 100 %%", {"n": 3})) == "3 of 100 %"
    assert in_words("") == ""


def test_c4_verdicts_name_sections_and_types_in_the_readers_language(catalogue):
    system = get_system("doom_pile")
    (violation,) = check_decklist(
        Decklist((DeckEntry("Winter Without End", 1, "master_plan"),)), system.get_format("standard"),
        index_cards(system.shipped_cards), NOW.date(),
    ).violations  # fmt: skip
    words = {}
    for language in ("en", "de", "fr"):
        with override(language):
            words[language] = in_words(violation.message)
    assert words == {
        "en": "Main deck: the number of cards is 0 and must be exactly 30.",
        "de": "Hauptdeck: Die Zahl der Karten ist 0 und muss genau 30 sein.",
        "fr": "Deck principal\N{NO-BREAK SPACE}: le nombre de cartes est de 0 et doit être de 30 exactement.",
    }

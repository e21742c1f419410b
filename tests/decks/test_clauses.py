"""Search in the rules of a game: by id, by words in any form, mistyped ones too."""

import pytest
from django.test import Client

from decks.selectors.clauses import find_clauses, list_terms
from rules_engine.systems import get_system

CLAUSES = get_system("doom_pile").clauses


def found(words: str) -> list[str]:
    return [each.clause.id for each in find_clauses(CLAUSES, words)]


@pytest.mark.parametrize("typed", ["DP-STACK", "dp-stack", "dp stack", "DPSTACK"])
def test_id_of_a_clause_finds_it_first(typed):
    assert found(typed)[0] == "DP-STACK"


@pytest.mark.parametrize(
    ("words", "clause"),
    [
        ("master plan won", "DP-WIN-PLAN"),
        ("empty deck", "DP-WIN-EMPTY"),
        ("30 cards", "DP-SIZE"),
        ("coppies", "DP-COPIES"),
        ("minute", "DP-STACK"),
        ("stacking", "DP-STACK"),
        ("disagree", "DP-CARDRULE"),
        ("draw phase", "DP-TURN-DRAW"),
    ],
)
def test_words_find_the_clause_they_are_about(words, clause):
    assert clause in found(words)[:3]


@pytest.mark.parametrize(
    ("game", "words", "clause"),
    [
        ("doom_pile", "thwart", "DP-THWART"),
        ("doom_pile", "attack", "DP-TURN-ATTACK"),
        ("doom_pile", "revive", "DP-REVIVE"),
        ("doom_pile", "sacrifice", "DP-KILL"),
        ("doom_pile", "restack", "DP-RESTACK"),
        ("doom_pile", "counter a card", "DP-THWART"),
        ("doomlings", "swap", "DL-SWAP"),
        ("doomlings", "action", "DL-ACTION"),
        ("doomlings", "7 players", "DL-PLAYERS"),
        ("doomlings", "drop of life", "DL-SCORE"),
        ("doomlings", "hand limit", "DL-STABILIZE"),
        ("doomlings", "Gene Pool", "DL-GENES"),
        ("doomtrooper", "personality", "DT-PERSONALITY"),
        ("doomtrooper", "outpost", "DT-OUTPOST"),
        ("doomtrooper", "immunity", "DT-IMMUNE"),
        ("doomtrooper", "vehicle", "DT-VEHICLE"),
        ("doomtrooper", "timing", "DT-TIMING"),
        ("doomtrooper", "cardinal", "DT-GIFT"),
        ("doomtrooper", "mulligan", "DT-GIFT"),
        ("doomtrooper", "redraw", "DT-GIFT"),
        ("doomtrooper", "heal", "DT-HIT"),
        ("doom_pile", "dice", "DP-ZONE-COUNTDOWN"),
        ("doom_pile", "summoning sickness", "DP-TURN-ATTACK"),
        ("doomlings", "negative", "DL-SCORE"),
        ("doomtrooper", "ties", "DT97-TIE"),
        ("doom_pile", "mulligan", "DP-FIRST"),
        ("doom_pile", "sideboard", "DP-SIZE"),
        ("dead_or_destroyed", "maximum", "DD-SUMMON"),
        ("doomtrooper", "grenade", "DT-EQUIP"),
        ("doomtrooper", "aircraft", "DT-VEHICLE-IN"),
        ("doomtrooper", "Nepharites", "DT-ATTACK-WHOM"),
        ("doomtrooper", "zero", "DT-MODIFY"),
        ("doomtrooper", "unaffected", "DT-IMMUNE"),
        ("doomtrooper", "sealed", "DT97-SEALED"),
        ("doomtrooper", "booster", "DT97-SEALED"),
        ("doomtrooper", "warnings", "DT97-TIME"),
        ("doomtrooper", "target in the final", "DT97-TARGET"),
        ("doomtrooper", "dead", "DT-KILL"),
        ("doomtrooper", "dies", "DT-KILL"),
        ("doomtrooper", "flip", "DT-SEEK"),
        ("doomtrooper", "5 copies", "DT-COPIES"),
        ("doomlings", "gray", "DL-COLORS"),
        ("doomlings", "two colors", "DL-COLORS"),
        ("doomlings", "tiebreaker", "DL-TIE"),
        ("doomlings", "deck is empty", "DL-EMPTY"),
        ("dead_or_destroyed", "leave crypt", "DD-CRYPT"),
        ("dead_or_destroyed", "cycle", "DD-CYCLE"),
        ("dead_or_destroyed", "sap", "DD-CYCLE"),
        ("dead_or_destroyed", "shuffle", "DD-SHUFFLE"),
        ("dead_or_destroyed", "smite", "DD-SMITE"),
        ("doom_pile", "Kopien", "DP-COPIES"),
        ("doom_pile", "abwerfen", "DP-ZONE-DISCARD"),
        ("doom_pile", "gewonnen", "DP-WIN-PLAN"),
        ("doomtrooper", "Söldner", "DT-FREELANCER"),
        ("doomtrooper", "Befestigungen", "DT-FORTIFY"),
        ("doomtrooper", "Ausruestung", "DT-EQUIP"),
        ("doomtrooper", "Handkarten", "DT-START"),
        ("doomlings", "Genpools", "DL-GENES"),
        ("doomlings", "abwerfen", "DL-STABILIZE"),
        ("dead_or_destroyed", "Friedhof", "DD-OPEN"),
        ("dead_or_destroyed", "aufdecken", "DD-REVEAL"),
        ("doom_pile", "victory", "DP-WIN-PLAN"),
        ("doom_pile", "setup", "DP-STACK"),
        ("doom_pile", "combat", "DP-TURN-ATTACK"),
        ("doom_pile", "instant", "DP-RESOLVE-PLOT"),
        ("doom_pile", "mana", "DP-PLAY"),
        ("doomlings", "score", "DL-SCORE"),
        ("doomlings", "mulligan", "DL-SETUP"),
        ("doomlings", "trade", "DL-SWAP"),
        ("doomlings", "priority", "DL-PRECEDENCE"),
        ("doomlings", "victory", "DL-AIM"),
        ("doomtrooper", "victory", "DT-TARGET"),
        ("doomtrooper", "resource", "DT-MARKERS"),
        ("doomtrooper", "extra turns", "DT97-TIME"),
        ("doomtrooper", "setup", "DT-START"),
        ("doomtrooper", "health", "DT-RATINGS"),
        ("dead_or_destroyed", "block", "DD-BATTLE"),
        ("dead_or_destroyed", "victory", "DD-WIN-NECRO"),
        ("dead_or_destroyed", "opening hand", "DD-ROLES"),
        ("dead_or_destroyed", "health", "DD-TABLE"),
    ],
)
def test_b6_a_judge_finds_a_ruling_by_its_term_or_by_what_people_call_it(game, words, clause):
    assert find_clauses(get_system(game).clauses, words)[0].clause.id == clause


def test_terms_are_found_and_listed_in_the_language_of_the_reader():
    german = {"Swap": "Tausch"}.get
    clauses = get_system("doomlings").clauses
    assert find_clauses(clauses, "tausch", lambda text: german(text, text))[0].clause.id == "DL-SWAP"
    words = [term.word for term in list_terms(clauses, lambda text: german(text, text))]
    assert "Tausch" in words
    assert "Swap" not in words
    assert words == sorted(words, key=str.casefold)


@pytest.mark.parametrize("words", ["zebra", "qwertz", "-", ""])
def test_words_that_are_nowhere_find_nothing(words):
    assert found(words) == []


@pytest.mark.django_db
def test_page_says_what_to_try_where_nothing_fits():
    page = Client().get("/rules/doom_pile/search/?q=zebra&from=some-event").content.decode()
    assert "Nothing fits" in page
    assert "?q=Stacking&amp;from=some-event" in page
    assert "/e/some-event/floor/" in page


@pytest.mark.django_db
@pytest.mark.parametrize("query", ["?q=%00", "?q=" + "x" * 5000, "?from=//evil.example", "?q=<script>"])
def test_odd_questions_are_answered(query):
    answer = Client().get(f"/rules/doom_pile/search/{query}")
    assert answer.status_code in (200, 400)
    assert b"/e//evil.example" not in answer.content
    assert b"<script>" not in answer.content

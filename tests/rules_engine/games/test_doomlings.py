"""Doomlings: nothing to check in the normal game, a drafted deck of 28 against the box; the facts scoring needs."""

import json
from collections import Counter
from datetime import date

import pytest

from rules_engine.decklist import DeckEntry
from rules_engine.systems import get_system
from tests.rules_engine.games.decks import Bench, breaches, fill, in_lines, rules

SYSTEM = get_system("doomlings")
DRAFT = Bench(SYSTEM, SYSTEM.get_format("intelligent-design"), date(2026, 3, 1))
CARDS = {card.name: card for card in SYSTEM.shipped_cards}
TRAITS = [card for card in SYSTEM.shipped_cards if card.type == "Trait"]
BOX = [card for card in TRAITS if card.set_slug == "classic" and "printing" not in card.fields]
*SINGLES, SPARE = [card.name for card in BOX if card.fields["copies"] == 1]
COLORS = {"blue", "green", "purple", "red"}
JSON_FIELDS = ("bonus_params", "worlds_end_params")


def drafted(*extra, size=28):
    """`extra` filled up to `size` with traits that the box has once."""
    return [*(DeckEntry(*each) for each in extra), *fill(SINGLES, size - sum(count for _, count in extra), 1)]


def test_normal_game_has_nothing_to_check_and_says_why():
    standard = SYSTEM.get_format("standard")
    report = Bench(SYSTEM, standard, date(2026, 3, 1)).judge(drafted())
    assert (report.legal, report.checked, report.violations) == (None, False, ())
    assert standard.note


@pytest.mark.parametrize(("size", "broken"), [(0, True), (27, True), (28, False), (29, True)])
def test_drafted_deck_has_twenty_eight_traits(size, broken):
    assert breaches(DRAFT.judge(drafted(size=size))) == ([("DL-V-DESIGN", "main", [])] if broken else [])


@pytest.mark.parametrize(
    ("name", "copies", "allowed"),
    [
        (SPARE, 1, None),
        (SPARE, 2, 1),
        ("Kidney", 6, None),
        ("Kidney", 7, 6),
        ("Swarm", 5, None),
        ("Swarm", 6, 5),
        ("Brave (1e)", 1, None),
        ("Brave (1e)", 2, 1),
        ("Cherished", 1, None),
        ("Cherished", 2, 1),
        ("Tiny (3e)", 2, 1),
    ],
)
def test_box_holds_so_many_of_a_trait(name, copies, allowed):
    report = DRAFT.judge(drafted((name, copies)))
    assert breaches(report) == ([("DL-BOX", "main", [(name, copies, allowed)])] if allowed else [])


@pytest.mark.parametrize("name", ["Kidney (green)", "Serrated Teeth", "Mecha (1e)", "Bushwhacker"])
def test_traits_of_expansions_are_not_in_the_box(name):
    assert breaches(DRAFT.judge(drafted((name, 1)))) == [("DL-BOX", "main", [(name, 1, 0)])]


@pytest.mark.parametrize("name", ["Birth of a Hero", "Ice Age", "The Birth of Life"])
def test_ages_and_catastrophes_are_no_traits(name):
    assert breaches(DRAFT.judge(drafted((name, 1)))) == [("DL-V-DESIGN", "main", [(name, 1, 0)])]


def test_five_faults_give_five_violations_whatever_the_order_of_lines():
    deck = drafted(("Nobody's Trait", 1), ("Ice Age", 1), ("Kidney", 7), ("Mecha", 1), size=29)
    expected = [
        ("UNKNOWN-CARD", "main", [("Nobody's Trait", 1, 0)]),
        ("DL-V-DESIGN", "main", []),
        ("DL-V-DESIGN", "main", [("Ice Age", 1, 0)]),
        ("DL-BOX", "main", [("Kidney", 7, 6)]),
        ("DL-BOX", "main", [("Mecha", 1, 0)]),
    ]
    assert breaches(DRAFT.judge(deck)) == expected
    lines = in_lines(deck)
    assert rules(DRAFT.judge(reversed(lines))) == [rule for rule, _section, _cards in expected]


def test_catalogue_holds_traits_ages_and_catastrophes_by_set():
    assert Counter(card.type for card in SYSTEM.shipped_cards) == {"Trait": 345, "Age": 64, "Catastrophe": 45}
    assert Counter(card.set_slug for card in TRAITS) == {
        "classic": 121,
        "special-edition": 18,
        "multi-color": 10,
        "dinolings": 17,
        "mythlings": 18,
        "techlings": 20,
        "overlush": 141,
    }
    printings = Counter(card.fields.get("printing", "") for card in TRAITS if card.set_slug == "classic")
    assert printings == {"": 107, "1e": 6, "3e": 8}
    assert sum(card.fields["copies"] for card in BOX) == 116


def test_facts_that_scoring_needs_are_whole():
    assert sum("bonus_kind" in card.fields for card in TRAITS) == 70
    assert sum(card.fields.get("drop_of_life") == "yes" for card in TRAITS) == 70
    assert sum(card.fields.get("dominant") == "yes" for card in TRAITS) == 64
    assert sum("face_value" not in card.fields for card in TRAITS) == 15
    assert sum(card.fields.get("face_value", 0) < 0 for card in TRAITS) == 37
    assert CARDS["Automimicry"].fields["face_value"] == -1
    assert CARDS["Brute Strength"].fields["gene_pool_change"] == -1
    assert json.loads(CARDS["Branches"].fields["bonus_params"]) == {"color": "green", "every": 2, "amount": 1}
    assert json.loads(CARDS["Ice Age"].fields["worlds_end_params"]) == {"color": "red", "amount": -1}


def test_colors_and_numbers_of_effects_can_be_read():
    for card in SYSTEM.shipped_cards:
        assert set(filter(None, card.fields.get("colors", "").split(", "))) <= COLORS
        assert all(isinstance(json.loads(card.fields.get(key, "{}")), dict) for key in JSON_FIELDS)
        assert ("bonus_params" in card.fields) <= ("bonus_kind" in card.fields)


def test_printed_name_is_the_name_without_its_suffix():
    for card in SYSTEM.shipped_cards:
        printed, bracket, _suffix = card.name.partition(" (")
        assert card.fields.get("base_name") == (printed if bracket else None)

"""Figures of decks and differences between them: pure, in tables."""

from fractions import Fraction

import pytest

from decks.differences import compare_decklists
from decks.statistics import charts_of
from rules_engine.cards import CardFacts, index_cards
from rules_engine.catalogue import CardField, CardSchema, CardType
from rules_engine.decklist import DeckEntry, Decklist
from rules_engine.systems import extra_games, get_system
from tests.rules_engine.test_loading import GAMES

POWER = CardField("power", "Power", number=True, signed=True, chart=True)
COLOUR = CardField("colour", "Colour", optional=True, chart=True)
KNIGHT = CardType("Knight", "Knights", (POWER, COLOUR))
TRICK = CardType("Trick", "Tricks", (COLOUR,))
SCHEMA = CardSchema((POWER, COLOUR), (KNIGHT, TRICK))


def facts(name, card_type="Knight", **fields):
    return CardFacts(name, card_type, "", fields)


CARDS = index_cards(
    [
        facts("Ash", power=-1, colour="red"),
        facts("Bog", power=2, colour="blue, red"),
        facts("Cold", "Trick", colour="blue"),
        facts("Dun", "Trick"),
    ]
)


def figures(*entries):
    return {
        chart.title: ([(bar.label, bar.count) for bar in chart.bars], chart.counted, chart.average)
        for chart in charts_of(Decklist(tuple(DeckEntry(*each) for each in entries)), SCHEMA, CARDS)
    }


def test_types_stand_in_the_order_of_the_game_and_unknown_cards_in_none():
    found = figures(("Dun", 2), ("Ash", 3), ("Nobody", 9))
    assert found["Card types"] == ([("Knight", 3), ("Trick", 2)], 5, None)


def test_numbers_make_a_curve_with_gaps_and_an_exact_average():
    found = figures(("Ash", 1), ("Bog", 2), ("Cold", 4))
    assert found["Power"] == ([("-1", 1), ("0", 0), ("1", 0), ("2", 2)], 3, Fraction(1))


def test_card_of_two_values_counts_once_and_stands_in_both_bars():
    assert figures(("Bog", 2), ("Cold", 1))["Colour"] == ([("blue", 3), ("red", 2)], 3, None)


def test_nothing_to_draw_gives_no_figure():
    assert figures() == {}
    assert list(figures(("Dun", 1))) == ["Card types"]


@pytest.mark.parametrize(
    ("values", "order"),
    [((1, 40), ["1", "40"]), (("7", "2x", "12"), ["7", "12", "2x"]), (("2", "3"), ["2", "3"])],
)
def test_values_too_wide_or_not_all_numbers_stand_by_size_then_by_letters(values, order):
    cards = index_cards([facts(f"N{n}", power=value) for n, value in enumerate(values)])
    deck = Decklist(tuple(DeckEntry(f"N{n}", 1) for n in range(len(values))))
    chart = charts_of(deck, CardSchema((POWER,), (KNIGHT,)), cards)[1]
    assert [bar.label for bar in chart.bars] == order


def test_fifth_game_gets_its_figures():
    with extra_games(GAMES):
        system = get_system("toy_skirmish")
        card = next(each for each in system.shipped_cards if each.type == "Knight")
        deck = Decklist((DeckEntry(card.name, 2),))
        charts = charts_of(deck, system.card_schema, index_cards(system.shipped_cards))
    assert [chart.title for chart in charts] == ["Card types", "Power"]


def test_differences_name_every_card_once_by_section():
    old = Decklist((DeckEntry("Ash", 3), DeckEntry("Bog", 1), DeckEntry("Cold", 2)))
    new = Decklist((DeckEntry("Ash", 1), DeckEntry("Bog", 1), DeckEntry("Cold", 2, "side"), DeckEntry("Dun", 1)))
    found = [(each.section, each.name, each.change, each.taken) for each in compare_decklists(old, new)]
    assert found == [("main", "Ash", -2, 2), ("main", "Cold", -2, 2), ("main", "Dun", 1, -1), ("side", "Cold", 2, -2)]
    assert compare_decklists(old, old) == ()

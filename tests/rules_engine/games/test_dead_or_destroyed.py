"""Dead or Destroyed: nobody brings a deck, and the shared one is the complete 52."""

from datetime import date

import pytest

from rules_engine.decklist import DeckEntry
from rules_engine.systems import get_system
from tests.rules_engine.games.decks import Bench, breaches, fill, in_lines

SYSTEM = get_system("dead_or_destroyed")
SHARED = Bench(SYSTEM, SYSTEM.get_format("shared-deck"), date(2026, 3, 1))
NAMES = [card.name for card in SYSTEM.shipped_cards]


def test_nobody_brings_a_deck_and_the_format_says_why():
    standard = SYSTEM.get_format("standard")
    assert Bench(SYSTEM, standard, date(2026, 3, 1)).judge([]).legal is None
    assert standard.note


def test_catalogue_is_four_suits_of_thirteen_ranks():
    suits, ranks = ({card.fields[key] for card in SYSTEM.shipped_cards} for key in ("suit", "rank"))
    assert (len(suits), len(ranks), len(set(NAMES))) == (4, 13, 52)
    assert {f"{rank} of {suit}" for suit in suits for rank in ranks} == set(NAMES)


SIZE = ("DD-DECK", "main", [])


@pytest.mark.parametrize(
    ("entries", "broken"),
    [
        (fill(NAMES, 52, 1), []),
        (in_lines(fill(NAMES[::-1], 52, 1)), []),
        (fill(NAMES, 51, 1), [SIZE]),
        ((), [SIZE]),
        ([*fill(NAMES, 52, 1), DeckEntry("Ace of Clubs", 1)], [SIZE, ("DD-DECK", "main", [("Ace of Clubs", 2, 1)])]),
        ([*fill(NAMES, 51, 1), DeckEntry("Ace of Clubs", 1)], [("DD-DECK", "main", [("Ace of Clubs", 2, 1)])]),
        ([*fill(NAMES, 52, 1), DeckEntry("Joker", 1)], [("UNKNOWN-CARD", "main", [("Joker", 1, 0)]), SIZE]),
    ],
)
def test_shared_deck_has_each_of_the_fifty_two_once(entries, broken):
    assert breaches(SHARED.judge(entries)) == broken


def test_a_win_belongs_to_a_role():
    assert SYSTEM.match.win_kinds[:2] == ("necromancer", "paladin")
    assert (SYSTEM.match.seats_min, SYSTEM.match.seats_max) == (2, 2)

"""A fifth game is one folder with rules.toml and cards.csv: all of the vocabulary works for it; decks are generated."""

from datetime import date
from pathlib import Path

import pytest

from rules_engine.decklist import DeckEntry
from rules_engine.systems import extra_games, get_system, list_systems, load_systems
from tests.rules_engine.games.decks import Bench, breaches, fill

GAMES = Path(__file__).parent
(SYSTEM,) = load_systems(GAMES)
DUEL = Bench(SYSTEM, SYSTEM.get_format("duel"), date(2021, 6, 1))
KNIGHTS = ["Sir One", "Sir Two", "Sir Three", "Sir Nobody"]


def duel_deck(*extra):
    """Ten cards, three of them Knights, and `extra` on top."""
    return [*fill(KNIGHTS, 3, 1), *fill(["Pawn Swarm"], 7, 7), *(DeckEntry(*each) for each in extra)]


def test_folder_holds_rules_and_cards_and_nothing_else():
    assert {path.name for path in (GAMES / "toy_skirmish").iterdir()} == {"rules.toml", "cards.csv"}


def test_game_is_offered_with_the_shipped_ones_while_asked_for():
    shipped = [system.slug for system in list_systems()]
    with extra_games(GAMES):
        assert sorted(system.slug for system in list_systems()) == sorted([*shipped, "toy_skirmish"])
        assert get_system("toy_skirmish") == SYSTEM
    assert [system.slug for system in list_systems()] == shipped


@pytest.mark.parametrize(
    ("extra", "variant", "broken"),
    [
        ((), "", []),
        ([("Bishop's Tale", 2)], "two", []),
        ([("Bishop's Tale", 3)], "two", [("TS-COPIES", "main", [("Bishop's Tale", 3, 2)])]),
        ([("Endless Page", 9)], "two", []),
        ([("Lone Star", 2)], "two", [("TS-CARD", "main", [("Lone Star", 2, 1)])]),
        ([("Far Banner", 1)], "two", [("TS-SETS", "main", [("Far Banner", 1, 0)])]),
        ([("Rook's Feint", 1)], "two", []),
        ([("Rook's Feint", 2)], "two", [("TS-LIMITED", "main", [("Rook's Feint", 2, 1)])]),
        ([("Rook's Feint", 1)], "four", [("TS-BANNED", "main", [("Rook's Feint", 1, 0)])]),
    ],
)
def test_vocabulary_works_for_it(extra, variant, broken):
    report = DUEL.judge(duel_deck(*extra), variant)
    assert breaches(report) == broken
    assert report.variant == (variant or "two")


def test_clause_may_come_from_a_book_of_its_own():
    report = DUEL.judge(duel_deck(("Lone Star", 2)))
    assert report.violations[0].source == "Toy supplement, Sheet"

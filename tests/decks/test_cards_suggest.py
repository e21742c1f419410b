"""Type-ahead: the names someone may mean, best first, in one query."""

import pytest

from decks.selectors.cards import cards_of, suggest_names
from tests.queries import count_queries

pytestmark = pytest.mark.sqlite


def names(words, limit=12, game="doomtrooper"):
    return [card.name for card in suggest_names(game, words, limit)]


def test_exact_then_prefix_then_word_then_inside(catalogue):
    found = names("bauhaus")
    assert found[:2] == ["BAUHAUS", "BAUHAUS BANK"]
    assert found[-1] == "EX-BAUHAUS FREELANCER"
    inside = names("legion")
    assert inside[0].startswith("LEGION")
    assert all(name.split()[0] != "LEGIONNAIRE" for name in inside[1:])


@pytest.mark.parametrize(
    ("words", "best"),
    [
        ("CLOSE CALL", "CLOSE CALL!"),
        ("close call!", "CLOSE CALL!"),
        ("undead legionaire", "UNDEAD LEGIONNAIRE"),
        ("bahaus", "BAUHAUS"),
        ("justifeir", 'AC-40 "JUSTIFIER"'),
        ("  ac 40  ", 'AC-40 "JUSTIFIER"'),
    ],
)
def test_spelling_does_not_matter_much(catalogue, words, best):
    assert names(words)[0] == best


@pytest.mark.parametrize("words", ["", "   ", "qq", "zzzzzz", "z" * 5000])
def test_nothing_is_suggested_for_nothing(catalogue, words):
    assert names(words) == []


def test_limit_holds_and_no_name_comes_twice(catalogue):
    assert len(names("a")) == 12
    assert len(names("the", 3)) == 3
    found = names("dark legion", 50)
    assert len(found) == len(set(found))


def test_suggesting_costs_one_query(catalogue):
    cards_of("doomtrooper")
    assert count_queries(names, "undead legionaire") == 1

"""Spellings of a name, and decklists that compare equal."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules_engine.cards import normalise_name
from rules_engine.decklist import DeckEntry, Decklist


@pytest.mark.parametrize(
    "spelling",
    [
        "Devil's Abacus",
        "DEVIL’S ABACUS",
        "  devils   abacus ",
        "Dévil`s Abacus",
        "Devil's\u00a0Abacus!",
        "Devil's-Abacus",
    ],
)
def test_spellings_of_one_name_meet(spelling):
    assert normalise_name(spelling) == "devils abacus"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Salt-Eyed Oracle", "Salt–Eyed Oracle"),
        ("Überkobold", "Uberkobold"),
        ("Dr. Doom", "Dr Doom"),
        ("Ærie", "aerie"),
    ],
)
def test_dashes_accents_and_dots_do_not_matter(one, other):
    assert normalise_name(one) == normalise_name(other)


@pytest.mark.parametrize(("one", "other"), [("Training", "Retraining"), ("Close Call 2", "Close Call"), ("???", "!!!")])
def test_different_names_stay_apart(one, other):
    assert normalise_name(one) != normalise_name(other)


@given(st.text())
def test_normalising_twice_changes_nothing(text):
    assert normalise_name(normalise_name(text)) == normalise_name(text)


@given(st.text(st.characters(max_codepoint=127)))
def test_plain_text_is_normalised_like_any_other(text):
    assert normalise_name(f"x{text}") == normalise_name(f"’x{text}")


def test_decklist_adds_up_per_section():
    deck = Decklist((DeckEntry("Ash", 1), DeckEntry("ash", 2), DeckEntry("Ash", 1, "side")))
    assert deck.counts() == {"main": 3, "side": 1}
    assert {key: entry.count for key, entry in deck.copies(["main", "side"]).items()} == {"ash": 4}


def test_decklist_equality_ignores_order():
    one, two = DeckEntry("Ash", 1), DeckEntry("Bell", 2)
    assert Decklist((one, two)) == Decklist((two, one))


def test_deck_entry_refuses_a_count_below_one():
    with pytest.raises(ValueError, match="1 or more"):
        DeckEntry("Ash", 0)

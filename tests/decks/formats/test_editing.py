"""Copies put into the text of a list and taken out of it; all else in the text stays."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from decks.formats.editing import CopyChange, change_copies
from decks.formats.headings import Setting
from decks.formats.text import read_text_lines
from rules_engine.cards import index_cards
from rules_engine.systems import get_system

TROOPER = get_system("doomtrooper")
PILE = get_system("doom_pile")


def setting_of(system, slug):
    return Setting(system.get_format(slug), system.card_schema, index_cards(system.shipped_cards))


TOURNAMENT, STANDARD = setting_of(TROOPER, "tournament-1997"), setting_of(PILE, "standard")


@pytest.mark.parametrize(
    ("text", "change", "after"),
    [
        ("", (1, "main", "Ash Ledger"), "1 Ash Ledger\n"),
        ("2x Ash Ledger // mine", (1, "main", "Ash Ledger"), "3x Ash Ledger // mine\n"),
        ("Ash Ledger", (2, "main", "Ash Ledger"), "3 Ash Ledger\n"),
        ("Ash Ledger x2", (1, "main", "Ash Ledger"), "3 Ash Ledger\n"),
        ("2 Ash Ledger\n// end", (1, "main", "Glass Widow"), "2 Ash Ledger\n1 Glass Widow\n// end\n"),
        ("2 Ash Ledger", (-1, "main", "Ash Ledger"), "1 Ash Ledger\n"),
        ("2 Ash Ledger\n1 Glass Widow", (-2, "main", "Ash Ledger"), "1 Glass Widow\n"),
        ("1 Ash Ledger\n1 Ash Ledger", (-2, "main", "Ash Ledger"), ""),
        ("1 Ash Ledger", (-9, "main", "Glass Widow"), "1 Ash Ledger\n"),
        ("3 Glas Widow\n1 Ash Ledger", (1, "main", "Ash Ledger"), "3 Glas Widow\n2 Ash Ledger\n"),
        (
            "1 Ash Ledger",
            (1, "master_plan", "Winter Without End"),
            "1 Ash Ledger\n\nMaster Plan:\n1 Winter Without End\n",
        ),
        (
            "Master Plan:\n1 Winter Without End",
            (1, "main", "Ash Ledger"),
            "1 Ash Ledger\n\nMaster Plan:\n1 Winter Without End\n",
        ),
    ],
)
def test_change_touches_only_its_line(text, change, after):
    number, section, name = change
    assert change_copies(text, CopyChange(name, section, number), STANDARD) == after


def test_name_that_begins_with_a_number_keeps_it():
    shared, name = setting_of(get_system("dead_or_destroyed"), "shared-deck"), "2 of Clubs"
    for text, change, after in (
        (name, 1, "2 2 of Clubs\n"),
        ("2 2 of Clubs", 1, "3 2 of Clubs\n"),
        ("2 2 of Clubs", -1, "1 2 of Clubs\n"),
        (name, -1, ""),
    ):
        assert change_copies(text, CopyChange(name, "main", change), shared) == after


def test_side_bar_is_begun_and_left_again():
    text = change_copies("5 AGENT NICK MICHAELS", CopyChange("NARROW ESCAPE!", "side_bar", 2), TOURNAMENT)
    assert text == "5 AGENT NICK MICHAELS\n\nSide Bar:\n2 NARROW ESCAPE!\n"
    text = change_copies(text, CopyChange("NARROW ESCAPE!", "main", 1), TOURNAMENT)
    assert read_text_lines(text, TOURNAMENT).decklist.counts() == {"main": 6, "side_bar": 2}


LINES = st.lists(
    st.sampled_from(
        [
            "2 Ash Ledger",
            "Ash Ledger x3",
            "Glass Widow",
            "3 Glas Widow",
            "Master Plan:",
            "Deck",
            "// note",
            "",
            "SB: 1 Ash Ledger",
        ]
    ),
    max_size=8,
)


@given(LINES, st.sampled_from(["Ash Ledger", "Glass Widow"]), st.integers(-4, 4).filter(bool))
def test_change_does_what_it_says_and_nothing_else(lines, name, number):
    text = "\n".join(lines)
    before = {(each.section, each.name): each.count for each in read_text_lines(text, STANDARD).entries}
    reading = read_text_lines(change_copies(text, CopyChange(name, "main", number), STANDARD), STANDARD)
    after = {(each.section, each.name): each.count for each in reading.entries}
    wanted = {**before, ("main", name): max(0, before.get(("main", name), 0) + number)}
    assert after == {key: count for key, count in wanted.items() if count}
    assert len(reading.problems) == len(read_text_lines(text, STANDARD).problems)

"""Card files: every bad row is reported, with line and column."""

import csv
import json
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules_engine.cardfile import MAX_ROWS, Unit
from rules_engine.cards import CardFacts, index_cards
from rules_engine.catalogue import CardSchema, Shelf, example_cards, read_cards, write_cards
from rules_engine.systems import get_system, list_systems
from rules_engine.tables import FORMULA_STARTS, guarded, restored

SCHEMA = get_system("doom_pile").card_schema
HEADER = "name,type,subtype,countdown,strength,health,text\n"


def problems(text):
    return [(problem.line, problem.column) for problem in read_cards(text, SCHEMA).problems]


def test_rows_become_cards_whatever_the_column_order():
    reading = read_cards(
        "\ufefftype;name;countdown;subtype;text\nplot;Cold Tea;2;Butler;\n", SCHEMA, Shelf({"mine": "Mine"})
    )
    assert reading.problems == ()
    (card,) = reading.cards
    assert (card.name, card.type, card.set_slug, dict(card.fields)) == (
        "Cold Tea",
        "Plot",
        "mine",
        {"subtype": "Butler", "countdown": 2},
    )


@pytest.mark.parametrize(
    ("row", "found"),
    [
        ("Cold Tea,Plot,Butler,2,,,", []),
        (",Plot,Butler,2,,,", [(2, "name")]),
        ("x" * 201 + ",Plot,Butler,2,,,", [(2, "name")]),
        ("Cold Tea,Spell,,,,,", [(2, "type")]),
        ("Cold Tea,Plot,Butler,,,,", [(2, "countdown")]),
        ("Cold Tea,Plot,Butler,-1,,,", [(2, "countdown")]),
        ("Cold Tea,Plot,Butler,²,,,", [(2, "countdown")]),
        ("Cold Tea,Plot,Butler,2,3,4,", [(2, "strength"), (2, "health")]),
        ("Cold Tea,Minion,Butler,2,,4,", [(2, "strength")]),
        ("Cold Tea,Master Plan,Butler,,,,", [(2, "subtype")]),
        ("Cold Tea,Plot,Butler,2,,,,extra", [(2, "")]),
        ("Cold Tea,Plot,Butler,2,,," + "x" * 2001, [(2, "text")]),
        ("Cold Tea,Plot,Butler,2,,,\x00", [(2, "text")]),
        ('Cold Tea,Plot,Butler,2,,,"two\nlines"\nBroken,Spell,,,,,', [(4, "type")]),
        ("Cold Tea,Plot,Butler,2,,,\nCOLD-TEA,Plot,Butler,2,,,", [(3, "name")]),
        ("Ember,Spell,,,,,\nCold Tea,Plot,Butler,many,,,", [(2, "type"), (3, "countdown")]),
    ],
)
def test_every_bad_row_is_reported(row, found):
    assert problems(HEADER + row + "\n") == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("", [(1, "")]),
        ("name\nCold Tea\n", [(1, "type")]),
        ("name,type,mana\n", [(1, "mana")]),
        ("name,type,type\n", [(1, "type")]),
        (HEADER, [(1, "")]),
        ("\n\nname,type,mana\n", [(3, "mana")]),
        (HEADER + '"Cold Tea,Plot\n', [(2, "")]),
    ],
)
def test_file_that_is_no_card_list_says_why(text, found):
    assert problems(text) == found


@given(st.text(alphabet=st.characters(), max_size=300))
def test_any_text_gives_cards_of_known_types_or_problems_that_say_why(text):
    for reading in (read_cards(text, SCHEMA), read_cards(HEADER + text, SCHEMA)):
        assert all(problem.line >= 0 and str(problem.message) for problem in reading.problems)
        assert reading.problems or all(card.name and SCHEMA.get_type(card.type) for card in reading.cards)


def problems_of(entries, shelf=None):
    text = entries if isinstance(entries, str) else json.dumps(entries)
    reading = read_cards(text, SCHEMA, shelf)
    assert reading.unit is Unit.ENTRY
    return [(problem.line, problem.column) for problem in reading.problems]


def test_json_gives_the_same_cards_as_csv():
    card = {"name": " Cold Tea ", "Type": "plot", "subtype": "Butler", "countdown": 2, "strength": None}
    (expected,) = read_cards(HEADER + "Cold Tea,Plot,Butler,2,,,\n", SCHEMA).cards
    for entries in ([card], {"cards": [card], "made": "today"}):
        reading = read_cards(json.dumps(entries), SCHEMA)
        assert (reading.cards, reading.problems) == ((expected,), ())


PLOT = {"name": "Cold Tea", "type": "Plot", "subtype": "Butler", "countdown": 2}


@pytest.mark.parametrize(
    ("entries", "found"),
    [
        ([], [(0, "")]),
        ({}, [(0, "")]),
        ({"cards": {}}, [(0, "")]),
        ("[", [(0, "")]),
        ("[" * 200_000, [(0, "")]),
        ("[" + "9" * 5000 + "]", [(0, "")]),
        ([[], "x", 3, None], [(1, ""), (2, ""), (3, ""), (4, "")]),
        ([PLOT, {**PLOT, "mana": 1, "name": "Hot Tea"}], [(2, "mana")]),
        ([PLOT, PLOT], [(2, "name")]),
        ([{**PLOT, "countdown": 2.5}], [(1, "countdown")]),
        ([{**PLOT, "text": True}], [(1, "text")]),
        ([{**PLOT, "text": ["x"]}], [(1, "text")]),
        ([{**PLOT, "text": "\ud800"}], [(1, "text")]),
        ([{**PLOT, "name": "\udfff"}], [(1, "name")]),
        ('[{"name": "Cold Tea", "name": "x", "type": "Plot", "subtype": "B", "countdown": 1}]', [(1, "name")]),
        ([{}], [(1, "name"), (1, "type")]),
    ],
)
def test_every_bad_entry_of_a_json_file_is_reported(entries, found):
    assert problems_of(entries) == found


def test_file_of_too_many_cards_is_refused_whole():
    rows = "".join(f"Card {number},Plot,B,1,,,\n" for number in range(MAX_ROWS + 1))
    assert len(problems(HEADER + rows)) == 1
    assert problems_of([PLOT] * (MAX_ROWS + 1)) == [(MAX_ROWS + 1, "")]


HELD = index_cards(
    [
        CardFacts("Old Oath", "Master Plan", "core", {"text": "-1"}),
        CardFacts("Tin Toy", "Master Plan", "sample", {"text": "x"}),
        CardFacts("Own Goal", "Master Plan", "first", {"text": "x"}),
    ]
)
SHELF = Shelf(
    {"mine": "Mine", "core": "Core set", "sample": "Sample set", "first": "First"},
    HELD,
    frozenset({"core", "sample"}),
    frozenset({"sample"}),
)


@pytest.mark.parametrize(
    ("row", "found", "sets"),
    [
        ("New,Master Plan,,x", [], ["mine"]),
        ("New,Master Plan,FIRST,x", [], ["first"]),
        ("New,Master Plan,nowhere,x", [(2, "set")], [""]),
        ("Old Oath,Master Plan,Core set,'-1", [], []),
        ("Old Oath,Master Plan,core,2", [(2, "set")], []),
        ("New,Master Plan,core,x", [(2, "set")], []),
        ("Old Oath,Master Plan,,-1", [(2, "name")], ["mine"]),
        ("Tin Toy,Master Plan,,mine now", [], ["mine"]),
        ("Tin Toy,Master Plan,sample,mine now", [(2, "set")], []),
        ("Own Goal,Master Plan,,x", [(2, "name")], ["mine"]),
        ("Own Goal,Master Plan,,x\nNew,Master Plan,first,x", [], ["mine", "first"]),
        ("Old Oath,Master Plan,,x\nTin Toy,Master Plan,sample,x", [(2, "name")], ["mine"]),
    ],
)
def test_rows_name_their_set_and_leave_what_ships_alone(row, found, sets):
    reading = read_cards(f"name,type,set,text\n{row}\n", SCHEMA, SHELF)
    assert [(problem.line, problem.column) for problem in reading.problems] == found
    assert [card.set_slug for card in reading.cards] == sets


@pytest.mark.parametrize("system", [each for each in list_systems() if each.card_schema.types], ids=lambda s: s.slug)
def test_what_is_written_reads_back_and_holds_no_formula(system):
    text = write_cards(system.shipped_cards, system.card_schema)
    shelf = Shelf({each.slug: each.name for each in system.shipped})
    reading = read_cards(text, system.card_schema, shelf)
    assert (reading.problems, reading.cards) == ((), system.shipped_cards)
    cells = [cell for row in csv.reader(text.splitlines()) for cell in row]
    assert not [cell for cell in cells if cell.startswith(FORMULA_STARTS) and not cell[1:].isdigit()]


@pytest.mark.parametrize("system", [each for each in list_systems() if each.card_schema.types], ids=lambda s: s.slug)
def test_example_of_each_type_is_a_file_that_can_be_imported(system):
    examples = example_cards(system.card_schema)
    assert len(examples) == len(system.card_schema.types)
    reading = read_cards(write_cards(examples, system.card_schema), system.card_schema)
    assert (reading.problems, len(reading.cards)) == ((), len(examples))


@given(st.text(alphabet=st.characters(codec="utf-8"), max_size=40))
def test_any_text_survives_writing_and_reading(text):
    text = " ".join(text.replace("\x00", "").split())
    card = CardFacts("Cold Tea", "Master Plan", "mine", {"text": text} if text else {})
    reading = read_cards(write_cards([card], SCHEMA), SCHEMA, Shelf({"mine": "Mine"}))
    assert (reading.problems, reading.cards) == ((), (card,))
    assert restored(guarded(text)) == text


def test_values_of_a_field_are_parted():
    colors = next(each for each in get_system("doomlings").card_schema.fields if each.key == "colors")
    assert colors.values_of(CardFacts("x", "Trait", "", {"colors": "blue, red"})) == ("blue", "red")
    assert colors.values_of(CardFacts("x", "Trait")) == ()


def test_lists_show_all_fields_unless_some_are_marked():
    fields = get_system("doom_pile").card_schema.fields
    assert CardSchema(tuple(replace(each, listed=False) for each in fields)).listed
    marked = replace(fields[0], listed=True)
    assert CardSchema((marked, *(replace(each, listed=False) for each in fields[1:]))).listed == (marked,)

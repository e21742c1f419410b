"""Card files: every bad row is reported, with line and column."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules_engine.catalogue import read_cards
from rules_engine.systems import get_system

SCHEMA = get_system("doom_pile").card_schema
HEADER = "name,type,subtype,countdown,strength,health,text\n"


def problems(text):
    return [(problem.line, problem.column) for problem in read_cards(text, SCHEMA).problems]


def test_rows_become_cards_whatever_the_column_order():
    reading = read_cards("\ufefftype;name;countdown;subtype;text\nplot;Cold Tea;2;Butler;\n", SCHEMA, ["mine"])
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
        ("name,type,type\n", [(1, "type"), (1, "type")]),
        (HEADER + '"Cold Tea,Plot\n', [(2, "")]),
    ],
)
def test_file_that_is_no_card_list_says_why(text, found):
    assert problems(text) == found


@given(st.text(alphabet=st.characters(), max_size=300))
def test_any_text_is_answered_without_an_uncaught_error(text):
    read_cards(text, SCHEMA)
    read_cards(HEADER + text, SCHEMA)

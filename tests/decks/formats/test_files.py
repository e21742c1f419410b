"""Files that are not as they should be: each fault is told with its line, and nothing breaks."""

import json

import pytest

from decks.formats.guards import decode
from decks.formats.limits import MAX_BYTES, MAX_LINES
from decks.formats.reading import LineKind
from decks.formats.registry import EXPORTS
from rules_engine.decklist import DeckEntry, Decklist
from tests.decks.formats.material import DOOM_PILE, TROOPER, hostile


def faults(text, hint="", bench=TROOPER):
    reading = bench.read(text, hint)
    return [problem.line for problem in reading.problems], len(reading.entries)


COD = """<cockatrice_deck version="1">
<zone name="main">
{}
<card number="1" name="INFANTRY"/>
</zone></cockatrice_deck>"""
DOCTYPE = '<!DOCTYPE d [<!ENTITY a "INFANTRY">]>\n'


@pytest.mark.parametrize(
    "card",
    [
        '<card number="2" name="INFANTRI"/>',
        '<card number="" name="INFANTRY"/>',
        '<card number="two" name="INFANTRY"/>',
        '<card number="²" name="INFANTRY"/>',
        '<card number="0" name="INFANTRY"/>',
        '<card number="-1" name="INFANTRY"/>',
        f'<card number="{"9" * 5000}" name="INFANTRY"/>',
        '<card name="INFANTRY"/>',
        '<card number="2"/>',
        f'<card number="2" name="{"x" * 5000}"/>',
        '<token number="2" name="INFANTRY"/>',
    ],
)
def test_card_of_a_file_that_is_not_understood_is_told_with_its_line(card):
    assert faults(COD.format(card)) == ([3], 1)


def test_unknown_zone_is_told_and_its_cards_are_kept():
    text = COD.format("").replace("main", "attic")
    assert faults(text) == ([2], 1)
    assert faults(COD.format("").replace("main", "side"), bench=DOOM_PILE)[0] == [2, 4]


@pytest.mark.parametrize(
    "text",
    [
        DOCTYPE + COD.format('<card number="1" name="&a;"/>'),
        '<?xml version="1.0"?>' + DOCTYPE + "<deck/>",
        '<!DOCTYPE deck SYSTEM "file:///etc/hostname"><deck/>',
        '<?xml version="1.0"?><!DOCTYPE deck PUBLIC "-//x//y" "http://127.0.0.1/x.dtd"><deck/>',
    ],
)
def test_document_type_and_entities_are_refused(text):
    reading = TROOPER.read(text, "deck.cod")
    assert [problem.line for problem in reading.problems] == [1]
    assert "DTD" in str(reading.problems[0].reason)
    assert reading.entries == ()


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("<deck>" * 1000, 1),
        ("<cockatrice_deck>" + "\n<zone>" * 50, 9),
        ("<deck>\n<section name='Main'>\n<card qty='1'>INFANTRY</card>\n</deck>", 4),
        ("<deck>\n&lol;</deck>", 2),
        ("<deck></deck>\n<deck/>", 2),
        ("<?xml version='1.0' encoding='UTF-16'?>\n<deck\x01/>", 2),
        ("<Deck><Cards Quantity='4' Name='INFANTRY'/></Deck>", 1),
        ("<?xml version='1.0'?>\n<html/>", 2),
        ("<deck", 1),
        ("<deck>" + "<section/>" * 5000 + "</deck>", 1),
    ],
)
def test_broken_deep_or_foreign_xml_is_told_with_its_line(text, line):
    reading = TROOPER.read(text)
    assert line in [problem.line for problem in reading.problems]
    assert reading.lines[-1] is LineKind.PROBLEM


def test_what_stands_before_a_break_in_xml_is_kept():
    assert faults(COD.format("").replace("</zone></cockatrice_deck>", "<")) == ([5], 1)


def test_unknown_encoding_in_the_declaration_does_not_matter():
    assert faults('<?xml version="1.0" encoding="EBCDIC"?>\n' + COD.format("")) == ([], 1)


@pytest.mark.parametrize(
    ("row", "told"),
    [
        ("2,INFANTRI,main", True),
        (",INFANTRY,main", True),
        ("x,INFANTRY,main", True),
        ("0,INFANTRY,main", True),
        ("2.5,INFANTRY,main", True),
        ("2,,main", True),
        ("2,INFANTRY,attic", True),
        ("2,INFANTRY,main,more", True),
        ('2,"INFANTRY"x,main', True),
        ('2,"INFANTRY,main', True),
        ("2," + "x" * 300, True),
        ("2,NARROW ESCAPE!", False),
        ("// remark", False),
        (",,", False),
    ],
)
def test_row_that_is_not_understood_is_told_with_its_line(row, told):
    lines, cards = faults(f"count,name,section\n\n{row}\n1,INFANTRY,main\n")
    assert lines == [3] * told
    assert cards == (2 if row.startswith("2,NARROW") else 1)


def test_columns_that_are_not_read_are_told():
    reading = TROOPER.read("Count,Name,Foil,Language\n2,INFANTRY,yes,en")
    assert [str(notice.message) for notice in reading.notices] == ["Columns not read: Foil, Language."]


def test_table_with_two_columns_of_names_is_refused_whole():
    assert faults("count,name,card\n2,INFANTRY,x\n3,INFANTRY,x") == ([1], 0)


def test_formula_is_defused_in_the_table_and_read_back():
    bench = hostile(["=1+1", "@home", "="])
    deck = Decklist(tuple(DeckEntry(name, 2) for name in ("=1+1", "@home", "=")))
    text = bench.write(deck, "csv")
    assert "2,'=1+1," in text
    assert "2,'@home," in text
    assert bench.read(text).decklist == deck


@pytest.mark.parametrize(
    "card",
    [
        '{"name": "INFANTRI", "count": 2}',
        '{"name": "INFANTRY"}',
        '{"name": "INFANTRY", "count": 0}',
        '{"name": "INFANTRY", "count": -1}',
        '{"name": "INFANTRY", "count": 1.5}',
        '{"name": "INFANTRY", "count": true}',
        '{"name": "INFANTRY", "count": null}',
        '{"name": "INFANTRY", "count": [1]}',
        '{"name": "INFANTRY", "count": "1e3"}',
        '{"name": "INFANTRY", "count": 1e300}',
        '{"name": 5, "count": 1}',
        '{"name": "", "count": 1}',
        '{"count": 1}',
        '"INFANTRY"',
        "17",
        "[]",
        "{}",
        '{"name": "INFANTRY", "count": 1, "section": "attic"}',
    ],
)
def test_entry_of_json_that_is_not_understood_is_told_with_its_line(card):
    text = f'{{"sections": {{"main": [\n{card},\n{{"name": "INFANTRY", "count": 1}}]}}}}'
    assert faults(text) == ([2], 1)


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("{", 1),
        ('{"sections":\n{"main": [,]}}', 2),
        ('{"a": 1}\n\n x', 3),
        ('{"a" 1}', 1),
        ('{"a":\n"\t"}', 2),
        ("[{" * 1000, 1),
        ('{"a":' + "\n[" * 100_000, 10),
        ('{"a": ' + "9" * 5000 + "}", 1),
        ('{"a": [' + "1," * 100_000 + "1]}", 1),
        ('{"sections": ["x"]}', 1),
        ("{}", 1),
        ('{"sections": {"attic": []}}', 1),
        ('{"sections": {"main": {"INFANTRY": 3}}}', 1),
        ('{"sections": 3}', 1),
        ('{"doomdesk_decklist": 2}', 1),
    ],
)
def test_json_that_is_broken_deep_or_foreign_is_told_with_its_line(text, line):
    assert faults(text, "json") == ([line], 0)


def test_other_format_and_unknown_keys_of_json_are_told():
    reading = TROOPER.read('{"format": "second-edition",\n"colour": 1, "cards": [{"name": "INFANTRY", "count": 1}]}')
    assert [notice.line for notice in reading.notices] == [1, 2]
    assert len(reading.entries) == 1


@pytest.mark.parametrize(
    "data",
    [
        b"PK\x03\x04rest",
        b"3 INFANTRY\x00",
        "3 INFANTRY".encode("utf-16-le"),
        "3 INFANTRY".encode("utf-16-be"),
        b"\x00" * 99,
    ],
)
@pytest.mark.parametrize("hint", ["", "deck.cod", "deck.json", "deck.csv"])
def test_what_is_no_text_is_refused_plainly(data, hint):
    reading = TROOPER.read(decode(data), hint)
    (problem,) = reading.problems
    assert (problem.line, problem.text, reading.entries) == (1, "", ())


@pytest.mark.parametrize(
    "data", [b"\xff\xfe3", b"\xff\xfe\x00\xd8", b"\xef\xbb\xbf", b"\xc3", b"\x1f\x8b\x08\x01\xff", bytes(range(1, 256))]
)
def test_odd_bytes_give_no_cards(data):
    assert TROOPER.read(decode(data)).entries == ()


@pytest.mark.parametrize("key", [each.key for each in EXPORTS])
def test_more_than_the_bytes_is_refused_in_every_format(key):
    begin = {"json": "{", "cockatrice": "<cockatrice_deck>", "octgn": "<deck>", "csv": "count,name\n"}.get(key, "")
    reading = TROOPER.read(begin + " " * (MAX_BYTES + 1), key)
    assert "KiB" in str(reading.problems[0].reason)


def test_no_more_cards_than_lines_are_read_from_files():
    cards = [{"name": "INFANTRY", "count": 1}] * (MAX_LINES + 5)
    for text in (
        json.dumps(cards),
        "count,name\n" + "1,INFANTRY\n" * (MAX_LINES + 5),
        '<deck><section name="Main">' + '<card qty="1">INFANTRY</card>' * (2 * MAX_LINES + 5) + "</section></deck>",
    ):
        reading = TROOPER.read(text)
        assert len(reading.problems) == 1
        assert sum(entry.count for entry in reading.entries) <= 2 * MAX_LINES

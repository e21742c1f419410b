"""Lists as other sites and programs write them, and which format each is taken for."""

import pytest

from decks.formats.guards import decode
from decks.formats.reading import LineKind
from decks.formats.registry import EXPORTS, TITLES, detect
from tests.decks.formats.material import DOOM_PILE, TROOPER, listed

DOOMTROOPERDB = """Winter Guard 1.2

Expansions: From Unlimited (Base Set) to Inquisition (2)

Alliance

Fortifications

Warriors

5x INFANTRY (Unlimited (Base Set))
12x AGENT NICK MICHAELS (Unlimited (Base Set))

Special

2x NARROW ESCAPE! (Unlimited (Base Set))
1x INFANTRY (Unlimited (Base Set))
"""
SORTED_BY_SET = """Winter Guard 1.2

Expansions: Unlimited (Base Set)

---- Unlimited (Base Set) ----
5x INFANTRY (Unlimited (Base Set)
---- Inquisition ----
2x NARROW ESCAPE! (Unlimited (Base Set)
"""
ARENA = """About
Name Winter Guard

Deck
5 INFANTRY (UNL) 117
2 NARROW ESCAPE! (UNL) 9a *F*

Sideboard
1 INFANTRY (UNL) 117 #tag #!other
"""
MTGO = "5 INFANTRY\n2 NARROW ESCAPE!\n\nSB: 1 INFANTRY\n"
MOXFIELD = "5 INFANTRY (unl) 117 *F*\n2 NARROW ESCAPE! (unl) 9 #engine\n\nSIDEBOARD:\n1 INFANTRY (unl) 3\n"
COCKATRICE_TEXT = "// burn package\n5x INFANTRY\n2x NARROW ESCAPE!\nSB: 1 INFANTRY\n"
LIVE = """Warrior: 5
5 INFANTRY unl 21

Special: 2
2 NARROW ESCAPE! unl 9

Side: 1
1 INFANTRY unl 21

Total Cards: 8
"""
LACKEY = "5\tINFANTRY\n2\tNARROW ESCAPE!\nSideboard:\n1\tINFANTRY\n"
COUNT_AFTER = "INFANTRY x5\nNARROW ESCAPE! x 2\nSide Bar\nINFANTRY (1)\n"
COD = """<?xml version="1.0" encoding="UTF-8"?>
<cockatrice_deck version="1">
    <deckname>Winter Guard</deckname>
    <comments>Burn</comments>
    <zone name="main">
        <card number="5" name="INFANTRY"/>
        <card number="2" price="0" name="NARROW ESCAPE!"/>
    </zone>
    <zone name="side"><card number="1" name="infantry"/></zone>
    <zone name="tokens"><card number="3" name="Goat"/></zone>
</cockatrice_deck>
"""
O8D = """<?xml version="1.0" encoding="utf-8" standalone="yes"?>
<deck game="30c200c9-0000-0000-0000-000000000000" sleeveid="0">
    <section name="Warrior" shared="False">
        <card qty="5" id="00000000-0000-0000-0000-000000000001">INFANTRY</card>
    </section>
    <section name="Special" shared="False">
        <card qty="2" id="00000000-0000-0000-0000-000000000002">NARROW ESCAPE!</card>
    </section>
    <section name="Fortification" shared="False">
    </section>
    <section name="Sideboard" shared="False">
        <card qty="1" id="00000000-0000-0000-0000-000000000001">INFANTRY</card>
    </section>
    <notes><![CDATA[<card>]]></notes>
</deck>
"""
CSV = 'Card_Name;Board;Amount;Set Code\nINFANTRY;main;5;unl\n"NARROW ESCAPE!";;2;UNL\n\ninfantry;Sideboard;1;\n'
GERMAN = (
    "Kartenname;Bereich;Anzahl;Erweiterung\nINFANTRY;Hauptdeck;5;unl\nNARROW ESCAPE!;;2;UNL\nINFANTRY;Sideboard;1;\n"
)
FRENCH = "Quantité,Nom,Section\n5,INFANTRY,Deck principal\n2,NARROW ESCAPE!,\n1,INFANTRY,Réserve\n"
GERMAN_TEXT = "Hauptdeck:\n5 INFANTRY\n2 NARROW ESCAPE!\n\nSideboard:\n1 INFANTRY\n"
TABS = "Quantity\tName\tSection\n5\tINFANTRY\t\n2\tNARROW ESCAPE!\tmain deck\n1\tINFANTRY\tside_bar\n"
JSON = """{"doomdesk_decklist": 1, "game": "doomtrooper", "format": "tournament-1997",
 "sections": {"main": [{"name": "INFANTRY", "count": 5}, {"name": "NARROW ESCAPE!", "count": "2"}],
 "side_bar": [{"count": 1, "name": "INFANTRY"}]}}"""
ENTRIES = """[{"name":"INFANTRY","count":5},{"card_name":"NARROW ESCAPE!","qty":2},
{"name":"INFANTRY","count":1,"section":"side"}]"""

SAME = [
    ("arena", ARENA), ("arena", MTGO), ("arena", MOXFIELD), ("arena", COCKATRICE_TEXT), ("text", LIVE),
    ("lackey", LACKEY), ("text", COUNT_AFTER), ("cockatrice", COD), ("octgn", O8D), ("csv", CSV), ("csv", TABS),
    ("csv", GERMAN), ("csv", FRENCH), ("text", GERMAN_TEXT),
    ("json", JSON), ("json", ENTRIES),
]  # fmt: skip


@pytest.mark.parametrize(("key", "text"), SAME)
def test_list_is_recognised_and_read(key, text):
    for spelling in (text, text.replace("\n", "\r\n"), f"\ufeff{text}"):
        reading = TROOPER.read(spelling)
        assert reading.problems == ()
        assert reading.format == key
        assert listed(reading) == [(5, "INFANTRY", "main"), (2, "NARROW ESCAPE!", "main"), (1, "INFANTRY", "side_bar")]


@pytest.mark.parametrize("text", [ARENA, COD])
def test_name_of_the_deck_is_kept(text):
    assert TROOPER.read(text).name == "Winter Guard"


def test_tokens_are_left_out_and_that_is_said():
    assert [notice.line for notice in TROOPER.read(COD).notices] == [10]


@pytest.mark.parametrize("text", [DOOMTROOPERDB, SORTED_BY_SET])
def test_doomtrooperdb_export_is_read_whole(text):
    reading = TROOPER.read(text)
    assert (reading.problems, reading.notices) == ((), ())
    assert (reading.format, reading.name) == ("netrunnerdb", "Winter Guard 1.2")
    assert reading.lines[0] is reading.lines[2] is LineKind.COMMENT


def test_doomtrooperdb_counts_are_added_and_two_digits_kept():
    counts = {entry.name: entry.count for entry in TROOPER.read(DOOMTROOPERDB).entries}
    assert counts == {"INFANTRY": 6, "AGENT NICK MICHAELS": 12, "NARROW ESCAPE!": 2}


def test_deck_called_like_a_card_is_no_card():
    assert TROOPER.read("INFANTRY\n\nExpansions: Warzone\n\nSpecials\n\n1x NARROW ESCAPE! (unl)").name == "INFANTRY"


def test_title_that_is_like_no_card_names_the_deck_and_that_is_said():
    reading = DOOM_PILE.read("Zzyzx Quorum\n\n3 Ash Ledger")
    assert (reading.name, reading.problems) == ("Zzyzx Quorum", ())
    assert [notice.line for notice in reading.notices] == [1]
    assert DOOM_PILE.read("Ash Leger\n\n3 Ash Ledger").problems[0].suggestions[0] == "Ash Ledger"


@pytest.mark.parametrize(
    ("text", "hint", "key"),
    [
        ("3 Ash Ledger", "", "text"),
        ("3 Ash Ledger", "deck.cod", "text"),
        ("3 Ash Ledger", "arena", "arena"),
        ("3 Ash Ledger", "list.csv", "text"),
        ("Name\nAsh Ledger", "list.CSV", "csv"),
        ("Name\nAsh Ledger", "", "text"),
        ("[Main]\n3 Ash Ledger", "", "text"),
        ("<3 this deck", "", "text"),
        ("<zone/>", "a/b/deck.o8d", "octgn"),
        ("<!-- ours --><cockatrice_deck/>", "deck.o8d", "cockatrice"),
        ("{}", "", "json"),
        ("", "\x00/..\\", "text"),
    ],
)
def test_content_decides_and_the_hint_helps(text, hint, key):
    assert detect(text, hint) == key


def test_exports_have_titles_and_extensions():
    assert [each.key for each in EXPORTS] == list(TITLES)
    assert {each.extension for each in EXPORTS} == {"txt", "csv", "json", "cod", "o8d"}


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_file_is_read_in_the_encodings_of_text_editors(encoding):
    data = "3 Devil’s Abacus\n".encode(encoding)
    reading = DOOM_PILE.read(decode(data), "deck.txt")
    assert listed(reading) == [(3, "Devil's Abacus", "main")]

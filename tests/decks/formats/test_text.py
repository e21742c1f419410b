"""Pasted decklists: every spelling, every limit, and no line lost."""

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from decks.formats.guards import too_large
from decks.formats.headings import Setting
from decks.formats.reading import LineKind
from decks.formats.text import MAX_BYTES, MAX_LINES, read_text_lines, write_text
from rules_engine.cards import CardFacts, index_cards, normalise_name
from rules_engine.decklist import DeckEntry, Decklist
from rules_engine.systems import get_system
from tests.decks.formats.material import listed

DOOM_PILE = get_system("doom_pile")
STANDARD = DOOM_PILE.get_format("standard")
CARDS = index_cards(DOOM_PILE.shipped_cards)
PLAN = "Winter Without End"


def read(text, cards=CARDS):
    return too_large(text) or read_text_lines(text, Setting(STANDARD, DOOM_PILE.card_schema, cards))


@pytest.mark.parametrize(
    "line",
    [
        "3 Devil's Abacus",
        "3x Devil's Abacus",
        "3X Devil's Abacus",
        "3 x Devil's Abacus",
        "3× Devil's Abacus",
        "3xDevil's Abacus",
        "3* Devil's Abacus",
        "x3 Devil's Abacus",
        "x 3 Devil's Abacus",
        "Devil's Abacus x3",
        "Devil's Abacus x 3",
        "Devil's Abacus ×3",
        "Devil's Abacus (3)",
        "Devil's Abacus (x3)",
        "Devil's Abacus [3]",
        "- 3 Devil's Abacus",
        "• 3x Devil's Abacus",
        "03 Devil's Abacus",
        "3: Devil's Abacus",
        "1. 3x Devil's Abacus",
        "12) 3 Devil's Abacus",
        "+3 Devil's Abacus",
        "+ 3x Devil's Abacus",
        "\ufeff3 Devil’s Abacus",
        "3\tDEVIL`S   ABACUS  ",
        "3\u00a0dévils\u2009abacus\u200b",
        "3 Devil's Abacus // the good one",
        "3 Devil's Abacus #engine",
        "1 Devil's Abacus\n2 devils abacus",
        "Devil's Abacus\nDevil's Abacus\nDevil's Abacus",
    ],
)
def test_count_and_name_are_read_in_every_spelling(line):
    reading = read(line)
    assert reading.problems == ()
    assert listed(reading) == [(3, "Devil's Abacus", "main")]


@pytest.mark.parametrize("line", ["12 Ash Ledger", "Ash Ledger x12", "999 Ash Ledger"])
def test_counts_may_have_several_digits(line):
    assert listed(read(line))[0][0] in (12, 999)


@pytest.mark.parametrize("line", ["0 Ash Ledger", "1000 Ash Ledger", "Ash Ledger x0", "9" * 200 + " Ash Ledger"])
def test_absurd_count_is_a_problem(line):
    (problem,) = read(line).problems
    assert problem.line == 1
    assert "999" in str(problem.reason)


def test_every_line_is_classified():
    text = f"// my deck\n\nMaster Plan: {PLAN}\nMain deck (30)\n# a note\n3 Ash Ledger\n-----\n3 Ash Leger\nPlots:\n"
    kinds = read(text).lines
    assert kinds == tuple(
        map(LineKind, ["comment", "blank", "card", "section", "comment", "card", "comment", "problem", "section"])
    )


@pytest.mark.parametrize(
    "text",
    [
        f"Master Plan: {PLAN}\n3 Ash Ledger",
        f"3 Ash Ledger\nMASTER PLAN: 1 {PLAN}",
        f"Master Plan\n{PLAN}\nDeck\n3 Ash Ledger",
        f"Deck:\n3 Ash Ledger\n\nMaster Plan (1):\n1x {PLAN}",
        f"== Master Plans ==\n{PLAN}\n[Main]\n3 Ash Ledger",
        f"Plots: 3\n3 Ash Ledger\nMaster Plan: 1\n{PLAN}",
    ],
)
def test_headings_place_cards_without_notice(text):
    reading = read(text)
    assert listed(reading) == [(3, "Ash Ledger", "main"), (1, PLAN, "master_plan")]
    assert (reading.problems, reading.notices) == ((), ())


@pytest.mark.parametrize(
    ("text", "line"),
    [(f"{PLAN}\n3 Ash Ledger", 1), (f"3 Ash Ledger\n1 {PLAN}", 2), (f"Master Plan\n{PLAN}\n\n3 Ash Ledger", 4)],
)
def test_card_without_heading_goes_where_its_type_belongs_and_says_so(text, line):
    reading = read(text)
    assert listed(reading) == [(3, "Ash Ledger", "main"), (1, PLAN, "master_plan")]
    assert [notice.line for notice in reading.notices] == [line]


@pytest.mark.parametrize(
    ("text", "section"),
    [
        (f"Deck\n3 Ash Ledger\n\n1 {PLAN}", "main"),
        (f"Master Plan: The Last Auction\n3 Ash Ledger\n1 {PLAN}", "main"),
        (f"Plots\n1 {PLAN}", "main"),
    ],
)
def test_explicit_heading_is_respected(text, section):
    reading = read(text)
    assert (1, PLAN, section) in listed(reading)
    assert reading.notices == ()


def test_minion_straight_under_the_master_plan_stays_there():
    assert listed(read("Master Plan\nDoorstep Imp")) == [(1, "Doorstep Imp", "master_plan")]


def test_unknown_name_is_never_replaced_but_answered_with_suggestions():
    reading = read("2 Ash Ledger\n3 Glas Widow\nCount of Mots x2\nEntirely Different Thing")
    assert listed(reading) == [(2, "Ash Ledger", "main")]
    assert [problem.line for problem in reading.problems] == [2, 3, 4]
    assert reading.problems[0].text == "3 Glas Widow"
    assert reading.problems[0].suggestions[0] == "Glass Widow"
    assert reading.problems[1].suggestions[0] == "Count of Moths"
    assert all(len(problem.suggestions) <= 3 for problem in reading.problems)


def test_x_that_belongs_to_the_name_is_not_a_count():
    cards = index_cards([CardFacts("X-Ray", "Plot"), CardFacts("Ray", "Plot"), CardFacts("Catch 22", "Plot")])
    assert [entry.name for entry in read("3 X-Ray", cards).entries] == ["X-Ray"]
    assert listed(read("Catch 22", cards)) == [(1, "Catch 22", "main")]
    assert listed(read("2 Catch 22", cards)) == [(2, "Catch 22", "main")]
    assert len(read("3x-Ray\nRay 3", cards).problems) == 2


def test_limits_name_the_line():
    assert [problem.line for problem in read("3 Ash Ledger\n" + "x" * 301).problems] == [2]
    many = read("\n" * MAX_LINES + "3 Ash Ledger\n3 Ash Ledger\n")
    assert [problem.line for problem in many.problems] == [MAX_LINES + 1]
    assert len(many.lines) == MAX_LINES + 2
    assert many.entries == ()
    assert len(read("\n" * MAX_LINES).problems) == 0
    assert len(read("é" * (MAX_BYTES // 2) + "x").problems) == 1


NAMES = (
    st.text(min_size=1, max_size=30)
    .map(str.strip)
    .filter(lambda name: name.isprintable() and normalise_name(name).strip())
)


@st.composite
def catalogues_and_decks(draw):
    """Some cards with names of any characters, and a deck of them."""
    names = draw(st.lists(NAMES, min_size=1, max_size=8, unique_by=normalise_name))
    types = [draw(st.sampled_from(["Plot", "Minion", "Master Plan"])) for _ in names]
    cards = index_cards(CardFacts(name, kind) for name, kind in zip(names, types, strict=True))
    entries = draw(
        st.lists(
            st.builds(DeckEntry, st.sampled_from(names), st.integers(1, 2500), st.sampled_from(["main", "master_plan"]))
        )
    )
    return cards, Decklist(tuple(entries))


@settings(max_examples=300)
@given(catalogues_and_decks())
def test_writing_then_reading_gives_the_same_list(case):
    cards, deck = case
    reading = read(write_text(deck, Setting(STANDARD, DOOM_PILE.card_schema, cards)), cards)
    assert reading.problems == ()
    assert reading.notices == ()
    assert reading.decklist == deck


PIECES = [
    "3",
    "x",
    "0",
    "999",
    " ",
    "\n",
    "\t",
    ":",
    "(",
    ")",
    "//",
    "#",
    "Master Plan",
    "Deck",
    PLAN,
    "Ash Ledger",
    "’",
    "\ufeff",
    "\x00",
    "*",
    "-",
]


@settings(max_examples=500)
@given(st.one_of(st.text(), st.lists(st.sampled_from(PIECES), max_size=60).map("".join)))
def test_any_text_is_read_and_every_line_accounted_for(text):
    reading = read(text)
    assert len(reading.lines) == len(text.splitlines())
    refused = [number for number, kind in enumerate(reading.lines, 1) if kind is LineKind.PROBLEM]
    assert [problem.line for problem in reading.problems] == refused
    assert (LineKind.CARD in reading.lines) == bool(reading.entries)


@pytest.mark.parametrize(
    "line", ["9" * 300, "x " * 150, "(1) " * 75, "- " * 150, "# " * 150, "a: " * 100, "1 x " * 75, "[" * 300]
)
def test_time_grows_with_the_length_only(line):
    def seconds(lines):
        text = f"{line[:120]}\n" * lines
        started = time.process_time()
        read(text)
        return time.process_time() - started

    seconds(1000)
    small, large = min(seconds(500) for _ in range(3)), min(seconds(2000) for _ in range(3))
    assert large < 8 * small + 0.05
    assert large < 1

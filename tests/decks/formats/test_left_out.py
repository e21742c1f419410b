"""What stands where no card is expected: titles, remarks, comments; a card there is never dropped in silence."""

import pytest

from decks.formats.correcting import apply_suggestion
from decks.formats.reading import LineKind
from tests.decks.formats.material import DOOM_PILE, SECOND_EDITION, TROOPER, hostile, listed

BELOW = "\nExpansions: Inquisition\n\nSpecial\n\n2x NARROW ESCAPE!"


@pytest.mark.parametrize(
    "line", ["3 AMBUSH", "3x AMBUSH", "AMBUSH x3", "AMBUSH (3)", "- 3 ambush", "Side Bar: 3 AMBUSH"]
)
def test_card_above_expansions_is_a_card(line):
    reading = TROOPER.read(line + BELOW)
    section = "side_bar" if "Side" in line else "main"
    assert (3, "AMBUSH", section) in listed(reading)
    assert (reading.problems, reading.name) == ((), "")


def test_card_below_its_heading_above_expansions_is_a_card():
    text = "Master Plan: Winter Without End\nExpansions: x\n3 Ash Ledger"
    assert (1, "Winter Without End", "master_plan") in listed(DOOM_PILE.read(text))


@pytest.mark.parametrize("line", ["3 AMBUSHH", "AMBUSH 3", "3. AMBUSH"])
def test_title_that_is_like_a_counted_card_is_told(line):
    reading = TROOPER.read(line + BELOW)
    assert (reading.name, reading.problems) == (line, ())
    assert [notice.line for notice in reading.notices] == [1]


@pytest.mark.parametrize("line", ["By: 3 AMBUSH", "Winter: 3 AMBUSH"])
def test_remark_with_a_card_above_expansions_is_a_problem(line):
    assert [problem.line for problem in TROOPER.read(line + BELOW).problems] == [1]


@pytest.mark.parametrize(
    "name", ["3 AMBUSH", "AMBUSH x3", "AMBUSH 3", "By: 3 AMBUSH", "#3 AMBUSH", "Name: X", "Side Bar: AMBUSH"]
)
def test_deck_called_like_a_line_keeps_its_name_in_every_text(name):
    deck = TROOPER.read("5 INFANTRY").decklist
    for key in ("text", "arena", "netrunnerdb", "lackey"):
        reading = TROOPER.read(TROOPER.write(deck, key, name))
        assert (reading.name, reading.decklist, reading.problems, reading.notices) == (name, deck, (), ()), key


@pytest.mark.parametrize(
    "line",
    ["Source: 3 AMBUSH", "By: 3x AMBUSH", "Set: 2 AMBUSH", "Players: 4 BILLY", "Total: 5 AMBUSH", "Note: AMBUSH (2)"],
)
def test_remark_with_a_card_is_unclear_and_its_card_suggested(line):
    text = f"5 INFANTRY\n{line}"
    (problem,) = TROOPER.read(text).problems
    card = "BILLY" if "BILLY" in line else "AMBUSH"
    assert (problem.line, problem.text, problem.suggestions) == (2, line, (card,))
    corrected = TROOPER.read(apply_suggestion(text, 2, card))
    assert corrected.problems == ()
    assert card in {entry.name for entry in corrected.entries}


@pytest.mark.parametrize("line", ["Set: AMBUSH", "Source: 3 AMBUSHH", "Name: 3 AMBUSH", "Title: AMBUSH x2"])
def test_remark_that_is_like_a_card_is_told(line):
    reading = TROOPER.read(f"5 INFANTRY\n{line}")
    assert reading.problems == ()
    assert [notice.line for notice in reading.notices] == [2]


@pytest.mark.parametrize(
    "line",
    [
        *("Players: 12", "Total: 60", "Date: 2026-01-31", "Date: 3 May 2026", "Version: 1.2", "Source: https://a.b/3"),
        *("Expansions: Inquisition (2)", "Set: Inquisition", "Name: AMBUSH", "By: Ada", "# AMBUSH", "// 3 of these"),
    ],
)
def test_plain_remark_is_left_out_without_a_word(line):
    reading = hostile(["INFANTRY", "AMBUSH", "INQUISITION"]).read(f"5 INFANTRY\n{line}")
    assert (reading.problems, reading.notices, len(reading.entries)) == ((), (), 1)


@pytest.mark.parametrize("line", ["#3 AMBUSH", "# 3 AMBUSH", "// 3x ambush", "//AMBUSH x3", "# SB: 3 AMBUSH"])
def test_card_in_a_comment_is_left_out_and_that_is_said(line):
    reading = TROOPER.read(f"5 INFANTRY\n{line}")
    assert (reading.problems, reading.lines[1], len(reading.entries)) == ((), LineKind.COMMENT, 1)
    (notice,) = reading.notices
    assert (notice.line, "AMBUSH" in str(notice.message)) == (2, True)


@pytest.mark.parametrize("side", ["Side Bar", "Sideboard:", "== Side Bar ==", "Side: 4"])
def test_card_types_below_a_side_bar_stay_in_it(side):
    text = (
        f"Warriors\n\n5x INFANTRY\n\nSpecial\n\n2x AMBUSH\n\n{side}\nWarriors (3)\n\n3x INFANTRY\n\nSpecial: 1 AMBUSH"
    )
    for begin in ("", "Winter\n\nExpansions: Inquisition\n\n"):
        reading = TROOPER.read(begin + text)
        assert (reading.problems, reading.notices) == ((), ())
        both = {(5, "INFANTRY", "main"), (2, "AMBUSH", "main"), (3, "INFANTRY", "side_bar"), (1, "AMBUSH", "side_bar")}
        assert set(listed(reading)) == both


@pytest.mark.parametrize("side", ["Side Bar", "Sideboard:", "== Side Bar ==", "Side: 4"])
@pytest.mark.parametrize("typed", ["", "Warriors\n"])
def test_c11_cards_below_a_side_bar_that_the_format_does_not_have_are_not_in_the_deck(side, typed):
    text = f"5 INFANTRY\n\n{side}\n{typed}3 AMBUSH\n\n2 INFANTRY"
    reading = SECOND_EDITION.read(text)
    assert listed(reading) == [(5, "INFANTRY", "main")]
    (problem,) = reading.problems
    assert (problem.line, "has no section “Side" in str(problem.reason)) == (3, True)
    assert "its cards are left out" in str(problem.reason)
    assert set(reading.lines[3:]) <= {LineKind.PROBLEM, LineKind.BLANK}
    assert listed(SECOND_EDITION.read(f"{text}\nDeck\n1 AMBUSH")) == [(1, "AMBUSH", "main"), (5, "INFANTRY", "main")]
    assert listed(TROOPER.read(text.replace(typed, "")))[-1][2] == "side_bar"


def test_own_heading_or_type_with_a_home_of_its_own_ends_the_side_bar():
    reading = TROOPER.read("Side Bar\nWarriors\n3 INFANTRY\nDeck\nWarriors\n5 INFANTRY")
    assert listed(reading) == [(5, "INFANTRY", "main"), (3, "INFANTRY", "side_bar")]
    reading = DOOM_PILE.read("Master Plan\nWinter Without End\nPlots\n3 Ash Ledger\nMaster Plans\nThe Last Auction")
    sections = [(entry.name, entry.section) for entry in reading.entries]
    assert ("Ash Ledger", "main") in sections
    assert ("The Last Auction", "master_plan") in sections

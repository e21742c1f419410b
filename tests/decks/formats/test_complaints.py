"""What players complain about in other programs' imports, one test each."""

import pytest

from decks.formats.reading import LineKind
from tests.decks.formats.material import DOOM_PILE, SECOND_EDITION, TROOPER, hostile, listed

NEAR_NAMES = [
    ("SECRE", "SECRET"),
    ("INQUISITOR MAJORI", "INQUISITOR MAJORIS"),
    ("ATTRACTON", "ATTRACTION"),
    ("RETRAININ", "RETRAINING"),
]
HEADINGS = ["WARRIORS:", "warrior", "Warriors (12)", "== Warriors ==", "Warriors: 12", "[Warriors]", "Dark Symmetrys"]


def read(text, bench=TROOPER, hint=""):
    reading = bench.read(text, hint)
    assert reading.problems == ()
    return reading


@pytest.mark.parametrize("line", ["2 Überkobold", "2 Uberkobold", "2 U\u0308berkobold", "2 ÜBERKOBOLD"])
def test_accents_fold_both_ways(line):
    assert listed(read(line, DOOM_PILE)) == [(2, "Überkobold", "main")]


@pytest.mark.parametrize("name", ["Æther Œuvre", "aether oeuvre", "AETHER ŒUVRE"])
def test_ligatures_fold_both_ways(name):
    assert listed(read(f"1 {name}", hostile(["Æther Œuvre"])))[0][1] == "Æther Œuvre"
    assert listed(read(f"1 {name}", hostile(["Aether Oeuvre"])))[0][1] == "Aether Oeuvre"


@pytest.mark.parametrize("mark", "'’‘`´ʼ′＇")
def test_any_apostrophe_is_one(mark):
    assert listed(read(f"1 GOLGOTHA{mark}S MIRROR")) == [(1, "GOLGOTHA'S MIRROR", "main")]


@pytest.mark.parametrize("name", ['AC-40 "JUSTIFIER"', "AC-40 “JUSTIFIER”", "ac-40 «justifier»", "AC 40 JUSTIFIER"])
def test_any_quotes_are_one(name):
    assert listed(read(f"2x {name}"))[0][1] == 'AC-40 "JUSTIFIER"'


@pytest.mark.parametrize("dash", ["-", " - ", "–", " – ", "—", "‑", "−"])
def test_any_dash_is_one(dash):
    assert listed(read(f"1 ALGEROTH{dash}APOSTLE OF WAR"))[0][1] == "ALGEROTH–APOSTLE OF WAR"
    assert listed(read(f"1 MITCH HUNTER{dash}ISLAND TEAM MEMBER"))[0][1] == "MITCH HUNTER - ISLAND TEAM MEMBER"


@pytest.mark.parametrize(
    "line", ["GOLGOTHA'S MIRROR x2", "GOLGOTHA'S MIRROR (2)", "GOLGOTHA’S MIRROR [2]", "AH/UH-19 GRAPESHOT GUARDIAN x2"]
)
def test_punctuation_does_not_break_a_count_that_follows(line):
    assert [entry.count for entry in read(line).entries] == [2]


def test_letter_case_does_not_matter():
    assert listed(read("3 infantry\n2 InFaNtRy")) == [(5, "INFANTRY", "main")]


def test_invisible_odd_spaces_do_not_matter():
    assert listed(read("\ufeff3\u00a0NARROW\u2009ESCAPE\u200b!\u3000")) == [(3, "NARROW ESCAPE!", "main")]


def test_characters_of_the_name_are_not_replaced():
    bench = hostile(["Salt & Smoke", "Salt // Smoke", "Salt"])
    assert listed(read("1 Salt // Smoke", bench))[0][1] in ("Salt & Smoke", "Salt // Smoke")
    assert listed(read("1 Salt // only a remark", bench))[0][1] == "Salt"


@pytest.mark.parametrize("name", ["River / Stone", "River/Stone", "River // Stone", "river//stone"])
def test_split_names_are_read_with_any_slash(name):
    assert listed(read(f"1 {name}", hostile(["River / Stone"])))[0][1] == "River / Stone"


@pytest.mark.parametrize(("typed", "near"), NEAR_NAMES)
def test_loose_matching_never_chooses_a_card(typed, near):
    reading = TROOPER.read(f"1 {typed}\n1 INFANTRY")
    assert listed(reading) == [(1, "INFANTRY", "main")]
    assert near in reading.problems[0].suggestions


@pytest.mark.parametrize("name", ["SECRET", "SECRET HQ", "INQUISITOR", "INQUISITOR MAJORIS", "TRAINING", "RETRAINING"])
def test_name_that_begins_another_name_is_itself(name):
    assert [entry.name for entry in read(f"1 {name}").entries] == [name]


def test_sideboard_is_neither_lost_nor_counted_in_main():
    for text in (
        "3 INFANTRY\nSideboard\n2 INFANTRY",
        "3 INFANTRY\nSB: 2 INFANTRY",
        "Deck\n3 INFANTRY\n\nSide Bar:\n2 INFANTRY",
    ):
        assert listed(read(text)) == [(3, "INFANTRY", "main"), (2, "INFANTRY", "side_bar")]


@pytest.mark.parametrize("begin", ["", "// mtgo\n"])
def test_blank_line_below_a_whole_deck_opens_the_sideboard_and_that_is_said(begin):
    reading = read(f"{begin}58 INFANTRY\n2 NARROW ESCAPE!\n\n25 INFANTRY\n")
    assert (25, "INFANTRY", "side_bar") in listed(reading)
    assert [notice.line for notice in reading.notices] == [begin.count("\n") + 4]


@pytest.mark.parametrize("hint", ["", "arena"])
@pytest.mark.parametrize(
    ("first", "second", "told"), [(40, 20, 0), (59, 2, 0), (60, 60, 0), (60, 61, 0), (35, 25, 1), (59, 25, 1)]
)
def test_blank_line_in_a_plain_list_parts_no_deck(first, second, told, hint):
    reading = read(f"{first} INFANTRY\n\n{second} NARROW ESCAPE!", hint=hint)
    assert {entry.section for entry in reading.entries} == {"main"}
    assert [notice.line for notice in reading.notices] == [3] * told


@pytest.mark.parametrize(
    "text", ["Deck\n3 INFANTRY\n\n2 SNIPER", "3 INFANTRY\n\n2 SNIPER\n\n1 FUSILIER", "\n\n3 INFANTRY\n2 SNIPER\n\n"]
)
def test_blank_line_alone_is_no_sideboard_where_headings_or_more_blocks_are(text):
    reading = TROOPER.read(text.replace("SNIPER", "NARROW ESCAPE!"))
    assert {entry.section for entry in reading.entries} == {"main"}
    assert reading.notices == ()


def test_blank_line_means_nothing_where_the_game_has_no_sideboard():
    assert {each.section for each in read("3 INFANTRY\n\n2 NARROW ESCAPE!", SECOND_EDITION).entries} == {"main"}


@pytest.mark.parametrize(
    "text", ["3 INFANTRY\nSideboard\n2 INFANTRY", "3 INFANTRY\nSB: 2 INFANTRY", "3 INFANTRY\nSide Bar (1):\n"]
)
def test_sideboard_in_a_format_without_one_is_told(text):
    (problem,) = SECOND_EDITION.read(text).problems
    assert problem.line == 2
    assert "section" in str(problem.reason)


def test_same_card_in_main_and_side_stays_two_entries():
    assert len(read("3 INFANTRY\nSideboard\n3 INFANTRY").entries) == 2


def test_repeated_lines_are_added_up():
    assert listed(read("\n".join(["INFANTRY"] * 12))) == [(12, "INFANTRY", "main")]


@pytest.mark.parametrize(
    "line", ["INFANTRY 2", "INFANTRY - 2", "INFANTRY, 2", "INFANTRY\t2", "2. INFANTRY", "2) INFANTRY"]
)
def test_number_that_may_be_a_count_is_asked_about_not_guessed(line):
    (problem,) = TROOPER.read(line).problems
    assert str(problem.reason) == "If the number is a count, write “2 INFANTRY”."
    assert problem.suggestions == ()


@pytest.mark.parametrize(
    "line",
    [
        "12,INFANTRY",
        "12; INFANTRY",
        "(12) INFANTRY",
        "[12x] INFANTRY",
        "12x INFANTRY",
        "12 INFANTRY",
        "x12 INFANTRY",
        "INFANTRY x12",
        "#001 12x INFANTRY",
    ],
)
def test_count_of_two_digits_is_read_whole(line):
    assert listed(read(line)) == [(12, "INFANTRY", "main")]


def test_every_bad_line_is_told_and_the_good_ones_are_kept():
    reading = TROOPER.read("3 INFANTRY\n2 INFANTRI\n0 SNIPER\n1 NARROW ESCAPE!\nzzzz qqqq 7")
    assert [problem.line for problem in reading.problems] == [2, 3, 5]
    assert reading.problems[0].text == "2 INFANTRI"
    assert len(reading.entries) == 2


def test_set_and_number_are_not_needed():
    assert read("2 INFANTRY\n1 NARROW ESCAPE! (unl)").notices == ()


def test_wrong_or_unknown_set_is_told_and_the_name_decides():
    reading = read("2 INFANTRY (Inquisition)\n1 NARROW ESCAPE! (XYZ) 117")
    assert {entry.name for entry in reading.entries} == {"INFANTRY", "NARROW ESCAPE!"}
    assert [notice.line for notice in reading.notices] == [1, 2]


def test_bare_set_code_counts_only_if_the_set_is_known():
    assert listed(read("2 INFANTRY unl 21")) == [(2, "INFANTRY", "main")]
    assert TROOPER.read("2 SECRET HQX 2").entries == ()
    assert [problem.line for problem in TROOPER.read("2 INFANTRY ABC 21").problems] == [1]


def test_set_name_with_brackets_of_its_own_is_read_whole():
    text = "5x INFANTRY (Unlimited (Base Set))\n2x NARROW ESCAPE! (unl)\n1x INFANTRY (Unlimited (Base Set)"
    reading = read(text)
    assert reading.notices == ()
    assert listed(reading) == [(6, "INFANTRY", "main"), (2, "NARROW ESCAPE!", "main")]


def test_typo_in_a_heading_is_told_not_swallowed():
    assert [problem.line for problem in TROOPER.read("== Sidebra ==\n3 INFANTRY").problems] == [1]


@pytest.mark.parametrize("heading", HEADINGS)
def test_loose_headings_are_understood(heading):
    reading = read(f"{heading}\n3 INFANTRY")
    assert reading.lines == (LineKind.SECTION, LineKind.CARD)


def test_titles_and_remarks_of_old_lists_are_comments():
    text = "Deck Name: Winter\nAuthor: Ada\nPlayers: 12\n// burn\n-----\n3 INFANTRY\nTotal Cards: 3"
    reading = read(text)
    assert reading.name == "Winter"
    assert reading.lines.count(LineKind.COMMENT) == 6


def test_card_called_like_a_section_word_is_a_card_when_it_has_a_count():
    bench = hostile(["Warriors", "Sideboard", "INQUISITION", "Lantern"])
    assert len(read("1 Warriors\n1 Sideboard\n1 INQUISITION\nLantern", bench).entries) == 4


def test_bare_name_above_counted_cards_is_told():
    reading = hostile(["BAUHAUS", "Lantern"]).read("BAUHAUS\n3 Lantern")
    assert (1, "BAUHAUS", "main") in listed(reading)
    assert [notice.line for notice in reading.notices] == [1]


@pytest.mark.parametrize("name", ["CAP 7000P", 'SHERMAN .74 MODEL 13 "BOLTER"'])
@pytest.mark.parametrize("line", ["{}", "1 {}", "1x {}", "{} x1", "{} (1)", "1 {} (Unlimited (Base Set)) 117 *F* #tag"])
def test_digits_of_the_name_are_no_count(name, line):
    bench = hostile([name, "CAP", "SHERMAN"])
    assert listed(read(line.format(name), bench)) == [(1, name, "main")]
    assert name in {card.name for card in TROOPER.cards.values()}


def test_no_type_is_left_out_on_writing():
    one_of_each = {card.type: card.name for card in TROOPER.cards.values()}
    assert len(one_of_each) == len(TROOPER.schema.types)
    deck = read("\n".join(f"5 {name}" for name in one_of_each.values())).decklist
    assert read(TROOPER.write(deck, "netrunnerdb", "All 1.0")).decklist == deck

"""Boundary tables for every clause that concerns decks."""

from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules_engine.cards import CardFacts, index_cards
from rules_engine.constraints import Clause, RequiredCount, SectionSize, parse_size
from rules_engine.decklist import DeckEntry, Decklist
from rules_engine.errors import NotFound
from rules_engine.legality import check_decklist
from rules_engine.legality_report import LegalityReport
from rules_engine.systems import get_system, load_systems

DOOM_PILE = get_system("doom_pile")
STANDARD = DOOM_PILE.get_format("standard")
CARDS = index_cards(DOOM_PILE.shipped_cards)
IN_FORCE = date(2026, 1, 1)
PLAN, OTHER_PLAN = "Winter Without End", "The Last Auction"
BANNED, LIMITED_TO_1, LIMITED_TO_2 = "Borrowed Apocalypse", "Second Sunset", "Toll of the Drowned Bell"
LISTED = {BANNED, LIMITED_TO_1, LIMITED_TO_2}
ORDINARY = [card.name for card in DOOM_PILE.shipped_cards if card.type != "Master Plan" and card.name not in LISTED]

(TOY,) = load_systems(Path(__file__).parent / "games")
DUEL = TOY.get_format("duel")
TOY_CARDS = index_cards(TOY.shipped_cards)


def main_deck(*entries, size=30):
    """`entries` filled up to `size` with ordinary cards, three of each."""
    names = {name for name, _ in entries}
    missing = size - sum(count for _, count in entries)
    filling = []
    for name in (name for name in ORDINARY if name not in names):
        if missing > 0:
            filling.append((name, min(3, missing)))
            missing -= 3
    return tuple(DeckEntry(name, count) for name, count in (*entries, *filling))


def judge(entries, plans=((PLAN, 1),), on_date=IN_FORCE):
    """The rules broken by a Doom Pile deck, in order."""
    apart = tuple(DeckEntry(name, count, "master_plan") for name, count in plans)
    return check_decklist(Decklist((*entries, *apart)), STANDARD, CARDS, on_date, STANDARD.card_lists)


def rules(report):
    return [violation.rule for violation in report.violations]


@pytest.mark.parametrize(("size", "broken"), [(0, ["DP-SIZE"]), (29, ["DP-SIZE"]), (30, []), (31, ["DP-SIZE"])])
def test_main_deck_counts_exactly_thirty(size, broken):
    report = judge(main_deck(size=size))
    assert rules(report) == broken
    assert report.counts == {"main": size, "master_plan": 1}
    assert report.legal is (not broken)


@pytest.mark.parametrize(
    ("name", "copies", "broken"),
    [
        (ORDINARY[0], 3, []),
        (ORDINARY[0], 4, ["DP-COPIES"]),
        (LIMITED_TO_1, 1, []),
        (LIMITED_TO_1, 2, ["DP-LIMITED"]),
        (LIMITED_TO_2, 2, []),
        (LIMITED_TO_2, 3, ["DP-LIMITED"]),
        (LIMITED_TO_2, 4, ["DP-LIMITED"]),
        (BANNED, 1, ["DP-BANNED"]),
        (BANNED, 4, ["DP-BANNED"]),
        ("A Card Nobody Printed", 1, ["UNKNOWN-CARD"]),
        (PLAN, 1, ["DP-TYPES"]),
    ],
)
def test_copies_lists_and_types_break_the_one_rule_they_concern(name, copies, broken):
    report = judge(main_deck((name, copies)))
    assert rules(report) == broken
    for violation in report.violations:
        assert [(card.name, card.found) for card in violation.cards] == [(name, copies)]
        assert violation.section == "main"


@pytest.mark.parametrize(
    ("plans", "broken"),
    [
        ((), ["DP-PLAN"]),
        (((PLAN, 1),), []),
        (((PLAN, 2),), ["DP-PLAN"]),
        (((PLAN, 1), (OTHER_PLAN, 1)), ["DP-PLAN"]),
        (((ORDINARY[-1], 1),), ["DP-PLAN"]),
    ],
)
def test_exactly_one_master_plan_lies_apart(plans, broken):
    assert rules(judge(main_deck(), plans)) == broken


def test_master_plan_inside_the_deck_and_none_apart_breaks_both_rules():
    assert rules(judge(main_deck((PLAN, 1)), plans=())) == ["DP-TYPES", "DP-PLAN"]


def test_c10_master_plan_without_its_heading_is_one_violation_that_says_what_to_do():
    report = judge((*main_deck(), DeckEntry(PLAN, 1)), plans=())
    assert [(each.rule, each.section) for each in report.violations] == [("DP-TYPES", "main")]
    assert str(report.violations[0].message) == (
        f"Move {PLAN} from “Main deck” to “Master Plan”: add the heading “Master Plan” above it in the list."
    )
    assert [(card.name, card.found, card.allowed) for card in report.violations[0].cards] == [(PLAN, 1, 0)]
    assert report.counts == {"main": 31, "master_plan": 0}
    assert not report.legal


def test_c10_other_faults_of_the_deck_are_told_beside_the_missing_heading():
    entries = (*main_deck((BANNED, 1), (ORDINARY[0], 4)), DeckEntry(PLAN, 1))
    assert rules(judge(entries, plans=())) == ["DP-COPIES", "DP-BANNED", "DP-TYPES"]


@pytest.mark.parametrize(
    ("size", "inside", "plans", "broken"),
    [
        (29, ((PLAN, 1),), (), ["DP-TYPES", "DP-PLAN"]),
        (30, ((PLAN, 1), (OTHER_PLAN, 1)), (), ["DP-SIZE", "DP-TYPES", "DP-PLAN"]),
        (30, ((PLAN, 1),), ((OTHER_PLAN, 1),), ["DP-SIZE", "DP-TYPES"]),
        (29, (), ((PLAN, 1), (ORDINARY[-1], 1)), ["DP-PLAN"]),
    ],
)
def test_c10_each_cause_is_told_where_a_heading_alone_does_not_help(size, inside, plans, broken):
    entries = (*main_deck(size=size), *(DeckEntry(name, count) for name, count in inside))
    report = judge(entries, plans=plans)
    assert rules(report) == broken
    assert not any("Move" in str(each.message) for each in report.violations) or broken == ["DP-PLAN"]


SIZES = [
    (["30"], "must be exactly 30"),
    (["60+"], "must be at least 60"),
    (["25-32"], "must be from 25 to 32"),
    (["0", "25"], "must be 0 or 25"),
    (["0", "25", "60+"], "must be one of these: 0, 25, 60+"),
    (["0", "25-32"], "must be one of these: 0, 25–32"),
]


@pytest.mark.parametrize(("sizes", "words"), SIZES)
def test_c4_size_of_a_section_is_a_plain_sentence(sizes, words):
    rule = SectionSize(Clause("X", "x", ""), "main", tuple(map(parse_size, sizes)))
    game_format = replace(STANDARD, constraints=(rule,))
    (violation,) = check_decklist(Decklist(main_deck(size=24)), game_format, CARDS, IN_FORCE).violations
    assert str(violation.message) == f"Main deck: the number of cards is 24 and {words}."


@pytest.mark.parametrize(("types", "words"), [({"Plot"}, "type Plot"), ({"Plot", "Minion"}, "types Minion, Plot")])
def test_c4_required_count_is_a_plain_sentence(types, words):
    rule = RequiredCount(Clause("X", "x", ""), "main", frozenset(types), 5)
    game_format = replace(STANDARD, constraints=(rule,))
    (violation,) = check_decklist(Decklist(), game_format, CARDS, IN_FORCE).violations
    assert str(violation.message) == f"Main deck: the number of cards of the {words} is 0 and must be at least 5."


@pytest.mark.parametrize(("day", "broken"), [(date(2025, 12, 31), []), (date(2026, 1, 1), ["DP-BANNED"])])
def test_card_list_counts_from_its_day_on(day, broken):
    report = judge(main_deck((BANNED, 1)), on_date=day)
    assert rules(report) == broken
    assert report.lists == (("Doomdesk sample list, 2026-01-01",) if broken else ())


def test_five_faults_give_five_violations_with_their_sources():
    entries = main_deck((BANNED, 1), (LIMITED_TO_1, 2), (ORDINARY[0], 4), size=29)
    report = judge(entries, plans=())
    assert rules(report) == ["DP-SIZE", "DP-COPIES", "DP-BANNED", "DP-LIMITED", "DP-PLAN"]
    sources = {violation.rule: violation.source for violation in report.violations}
    assert sources["DP-SIZE"] == "Doom Pile rulebook, What You Need"
    assert sources["DP-BANNED"] == sources["DP-LIMITED"] == "Doomdesk sample list, 2026-01-01"
    assert "29" in str(report.violations[0].message)


@given(st.randoms(use_true_random=False))
def test_order_case_and_split_lines_change_nothing(random):
    entries = [*main_deck((BANNED, 2), (ORDINARY[0], 5)), DeckEntry(PLAN, 1, "master_plan")]
    lines = [
        DeckEntry(random.choice([each.name, each.name.upper()]), 1, each.section)
        for each in entries
        for _ in range(each.count)
    ]
    random.shuffle(lines)
    whole, split = Decklist(tuple(entries)), Decklist(tuple(lines))
    verdicts = [check_decklist(each, STANDARD, CARDS, IN_FORCE, STANDARD.card_lists) for each in (whole, split)]
    assert rules(verdicts[0]) == rules(verdicts[1]) == ["DP-COPIES", "DP-BANNED"]
    assert verdicts[0].counts == verdicts[1].counts


def test_section_nobody_knows_is_a_violation():
    deck = Decklist((*main_deck(), DeckEntry(PLAN, 1, "master_plan"), DeckEntry(ORDINARY[-1], 1, "side")))
    assert rules(check_decklist(deck, STANDARD, CARDS, IN_FORCE)) == ["UNKNOWN-SECTION"]


def test_format_with_nothing_to_check_is_never_legal():
    report = check_decklist(Decklist(), get_system("house_game").get_format("open"), {}, IN_FORCE)
    assert (report.legal, report.checked, report.violations) == (None, False, ())


def test_report_survives_being_stored():
    report = judge(main_deck((BANNED, 1), size=29), plans=())
    assert LegalityReport.from_data(report.as_data()) == report


def toy_deck(*extra, knights=3):
    names = ("Sir One", "Sir Two", "Sir Three")
    entries = [DeckEntry(names[index % 3], 1) for index in range(knights)]
    return Decklist((*entries, DeckEntry("Pawn Swarm", 10 - knights), *(DeckEntry(*each) for each in extra)))


@pytest.mark.parametrize(
    ("extra", "knights", "day", "broken"),
    [
        ((), 3, 2021, []),
        ((), 2, 2021, ["TS-KNIGHTS"]),
        ((("Bishop's Tale", 1), ("Bishop's Tale", 1, "side")), 3, 2021, ["TS-SIDE"]),
        ((("Pawn Swarm", 4, "side"),), 3, 2021, []),
        ((("Pawn Swarm", 5, "side"),), 3, 2021, ["TS-SIDE"]),
        ((("Bishop's Tale", 2), ("Bishop's Tale", 1, "side"), ("Pawn Swarm", 3, "side")), 3, 2021, ["TS-COPIES"]),
        ((("Queen's Ruse", 1),), 3, 2020, ["TS-BANNED"]),
        ((("Queen's Ruse", 1),), 3, 2021, []),
        ((("Rook's Feint", 2),), 3, 2020, []),
        ((("Rook's Feint", 2),), 3, 2021, ["TS-LIMITED"]),
    ],
)
def test_fifth_game_of_one_folder_uses_the_whole_vocabulary(extra, knights, day, broken):
    report = check_decklist(toy_deck(*extra, knights=knights), DUEL, TOY_CARDS, date(day, 6, 1), DUEL.card_lists)
    assert rules(report) == broken


def test_card_of_another_set_is_not_legal():
    cards = TOY_CARDS | index_cards([CardFacts("Far Stranger", "Trick", "elsewhere")])
    report = check_decklist(toy_deck(("Far Stranger", 1)), DUEL, cards, date(2021, 1, 1), DUEL.card_lists)
    assert rules(report) == ["TS-SETS"]


@pytest.mark.parametrize(
    ("variant", "broken", "judged_for"),
    [("", [], "two"), ("two", [], "two"), ("four", ["TS-BANNED"], "four")],
)
def test_deck_is_judged_for_its_variant_and_the_first_by_default(variant, broken, judged_for):
    report = check_decklist(toy_deck(("Rook's Feint", 1)), DUEL, TOY_CARDS, date(2021, 6, 1), DUEL.card_lists, variant)
    assert (rules(report), report.variant) == (broken, judged_for)
    assert LegalityReport.from_data(report.as_data()) == report


def test_unknown_variant_is_not_found():
    with pytest.raises(NotFound) as caught:
        check_decklist(toy_deck(), DUEL, TOY_CARDS, date(2021, 6, 1), DUEL.card_lists, "seven")
    assert (caught.value.code, caught.value.details["variant"]) == ("unknown_variant", "seven")


def test_format_without_variants_knows_only_the_empty_one():
    assert judge(main_deck()).variant == ""
    with pytest.raises(NotFound, match="seven"):
        check_decklist(Decklist(), STANDARD, CARDS, IN_FORCE, (), "seven")


@pytest.mark.parametrize(
    ("extra", "broken"),
    [
        ((("Endless Page", 9),), []),
        ((("Endless Page", 9), ("Endless Page", 4, "side")), []),
        ((("Lone Star", 1),), []),
        ((("Lone Star", 2),), ["TS-CARD"]),
        ((("Lone Star", 1), ("Lone Star", 4, "side")), ["TS-CARD"]),
    ],
)
def test_limit_that_a_card_states_itself_counts_both_ways(extra, broken):
    report = check_decklist(toy_deck(*extra), DUEL, TOY_CARDS, date(2021, 6, 1), DUEL.card_lists)
    assert rules(report) == broken

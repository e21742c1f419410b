"""How many copies are allowed: what wins when rule, card list and the card itself say different things."""

from datetime import date

import pytest

from rules_engine.cards import CardFacts
from rules_engine.constraints import CardList, Clause, CopyLimit, lists_in_force
from rules_engine.limits import Allowance, copy_allowance

COPIES, BANNED, LIMITED, OWN_TEXT = (
    Clause(each, "A rule of the tests.", f"Chapter {each}", "Book") for each in ("COPIES", "BANNED", "LIMITED", "OWN")
)
RULE = CopyLimit(COPIES, frozenset({"main"}), 5, BANNED, LIMITED, OWN_TEXT, "deck_limit")
DAY = date(2026, 3, 1)
NOT_LISTED = "not listed"


def allowance(listed=NOT_LISTED, own_text="", rule=RULE, more_lists=()):
    limits = {} if listed == NOT_LISTED else {"lone star": listed}
    card = CardFacts("Lone Star", "Hero", fields={"deck_limit": own_text} if own_text else {})
    in_force = lists_in_force([CardList("list", "List", DAY, limits), *more_lists], DAY)
    return copy_allowance(card, card.name, rule, in_force)


@pytest.mark.parametrize(
    ("listed", "own_text", "copies", "clause"),
    [
        (NOT_LISTED, "", 5, COPIES),
        (0, "", 0, BANNED),
        (1, "", 1, LIMITED),
        (7, "", 7, LIMITED),
        (None, "", None, LIMITED),
        (NOT_LISTED, "any", None, OWN_TEXT),
        (NOT_LISTED, "1", 1, OWN_TEXT),
        (NOT_LISTED, "9", 9, OWN_TEXT),
        (0, "any", 0, BANNED),
        (1, "any", 1, LIMITED),
        (3, "1", 1, OWN_TEXT),
        (1, "3", 1, LIMITED),
        (2, "2", 2, LIMITED),
        (None, "2", 2, OWN_TEXT),
        (None, "any", None, LIMITED),
    ],
)
def test_lower_of_list_and_own_text_beats_the_general_limit(listed, own_text, copies, clause):
    found = allowance(listed, own_text)
    assert (found.copies, found.clause) == (copies, clause)


def test_source_is_the_list_with_its_date_or_the_place_in_the_book():
    assert allowance(1).source == "List, 2026-03-01"
    assert allowance(own_text="1").source == "Book, Chapter OWN"
    assert allowance().source == "Book, Chapter COPIES"


@pytest.mark.parametrize(("others", "copies", "source"), [(2, 1, "List"), (0, 0, "Second"), (None, 1, "List")])
def test_strictest_of_several_lists_counts(others, copies, source):
    second = CardList("second", "Second", DAY, {"lone star": others})
    found = allowance(1, more_lists=[second])
    assert (found.copies, found.source) == (copies, f"{source}, 2026-03-01")


def test_rule_without_list_clauses_reads_no_list():
    rule = CopyLimit(COPIES, frozenset({"main"}), 5, own_text=OWN_TEXT, own_text_field="deck_limit")
    assert allowance(0, rule=rule).clause == COPIES
    assert allowance(0, "any", rule=rule).copies is None


def test_rule_without_own_text_clause_does_not_ask_the_card():
    rule = CopyLimit(COPIES, frozenset({"main"}), 5, BANNED, LIMITED)
    assert allowance(own_text="any", rule=rule).copies == 5


def test_unknown_card_and_other_spelling_find_their_limit():
    in_force = [CardList("list", "List", DAY, {"lone star": 1})]
    assert copy_allowance(None, "LÖNE STAR!", RULE, in_force).copies == 1
    assert copy_allowance(None, "Nobody", RULE, in_force).copies == 5


@pytest.mark.parametrize(("variant", "copies"), [("", 1), ("multi", 1), ("duel", 0), ("team", None), ("open", 2)])
def test_entry_for_a_variant_beats_the_one_for_all(variant, copies):
    by_variant = {"duel": {"lone star": 0}, "team": {"lone star": None}, "open": {"lone star": 2}}
    lists = [CardList("list", "List", DAY, {"lone star": 1}, by_variant)]
    assert copy_allowance(None, "Lone Star", RULE, lists_in_force(lists, DAY, variant)).copies == copies


def test_entry_of_one_variant_says_nothing_to_others():
    lists = [CardList("list", "List", DAY, {}, {"duel": {"lone star": 0}})]
    assert copy_allowance(None, "Lone Star", RULE, lists_in_force(lists, DAY, "duel")).copies == 0
    assert copy_allowance(None, "Lone Star", RULE, lists_in_force(lists, DAY, "team")).copies == 5


@pytest.mark.parametrize(
    ("day", "copies"),
    [
        (date(2026, 2, 28), 5),
        (date(2026, 3, 1), 0),
        (date(2026, 3, 31), 0),
        (date(2026, 4, 1), 2),
        (date(2027, 1, 1), 2),
    ],
)
def test_newest_version_of_a_list_counts_from_its_day_on(day, copies):
    lists = [
        CardList("list", "List", date(2026, 4, 1), {"lone star": 2}),
        CardList("list", "List", DAY, {"lone star": 0}),
    ]
    assert copy_allowance(None, "Lone Star", RULE, lists_in_force(lists, day)).copies == copies


@pytest.mark.parametrize(("copies", "count", "within"), [(2, 2, True), (2, 3, False), (0, 1, False), (None, 99, True)])
def test_allowance_says_whether_a_count_is_within(copies, count, within):
    assert Allowance(copies, COPIES, "Book").allows(count) is within

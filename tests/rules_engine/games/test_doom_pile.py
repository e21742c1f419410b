"""Doom Pile's deck rules at their boundaries, with section and numbers; decks are generated from the sample set."""

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules_engine.decklist import DeckEntry
from rules_engine.systems import get_system
from tests.rules_engine.games.decks import Bench, breaches, fill, in_lines, rules

SYSTEM = get_system("doom_pile")
STANDARD = Bench(SYSTEM, SYSTEM.get_format("standard"), date(2026, 3, 1))
(LIST,) = STANDARD.game_format.card_lists
PLOT, *OTHERS = STANDARD.ordinary("Plot", "Minion", "Artifice")
PLAN, OTHER_PLAN = STANDARD.ordinary("Master Plan")[:2]
BANNED, ONE, TWO = "Borrowed Apocalypse", "Second Sunset", "Toll of the Drowned Bell"


def deck(*extra, size=30, plans=((PLAN, 1),)):
    """`extra` filled up to `size` with three of each, and `plans` apart."""
    missing = size - sum(count for _name, count in extra)
    apart = [DeckEntry(name, count, "master_plan") for name, count in plans]
    return [*(DeckEntry(*each) for each in extra), *fill(OTHERS, missing, 3), *apart]


@pytest.mark.parametrize(("size", "broken"), [(0, True), (29, True), (30, False), (31, True)])
def test_deck_has_thirty_cards(size, broken):
    report = STANDARD.judge(deck(size=size))
    assert breaches(report) == ([("DP-SIZE", "main", [])] if broken else [])
    assert report.counts == {"main": size, "master_plan": 1}


@pytest.mark.parametrize(
    ("name", "copies", "rule", "allowed"),
    [
        (PLOT, 3, "", None),
        (PLOT, 4, "DP-COPIES", 3),
        (TWO, 2, "", None),
        (TWO, 3, "DP-LIMITED", 2),
        (TWO, 4, "DP-LIMITED", 2),
        (ONE, 1, "", None),
        (ONE, 2, "DP-LIMITED", 1),
        (BANNED, 1, "DP-BANNED", 0),
        (BANNED, 4, "DP-BANNED", 0),
        (PLAN, 1, "DP-TYPES", 0),
    ],
)
def test_copies_of_a_name_have_one_limit(name, copies, rule, allowed):
    assert breaches(STANDARD.judge(deck((name, copies)))) == (
        [(rule, "main", [(name, copies, allowed)])] if rule else []
    )


@pytest.mark.parametrize(
    ("plans", "expected"),
    [
        ((), [("DP-PLAN", "master_plan", [])]),
        (((PLAN, 1),), []),
        (((PLAN, 2),), [("DP-PLAN", "master_plan", [])]),
        (((PLAN, 1), (OTHER_PLAN, 1)), [("DP-PLAN", "master_plan", [])]),
        (((PLOT, 1),), [("DP-PLAN", "master_plan", [(PLOT, 1, 0)])]),
    ],
)
def test_one_master_plan_lies_apart(plans, expected):
    assert breaches(STANDARD.judge(deck(plans=plans))) == expected


@pytest.mark.parametrize(("before", "in_force"), [(1, False), (0, True)])
def test_list_counts_from_its_day_on(before, in_force):
    report = STANDARD.judge(deck((BANNED, 1), (ONE, 2)), day=LIST.valid_from - timedelta(days=before))
    assert rules(report) == (["DP-BANNED", "DP-LIMITED"] if in_force else [])
    assert report.lists == ((LIST.source,) if in_force else ())


def five_faults():
    return deck((BANNED, 1), (TWO, 3), (PLOT, 4), (OTHER_PLAN, 1), size=31)


def test_five_faults_give_five_violations():
    assert breaches(STANDARD.judge(five_faults())) == [
        ("DP-SIZE", "main", []),
        ("DP-COPIES", "main", [(PLOT, 4, 3)]),
        ("DP-BANNED", "main", [(BANNED, 1, 0)]),
        ("DP-LIMITED", "main", [(TWO, 3, 2)]),
        ("DP-TYPES", "main", [(OTHER_PLAN, 1, 0)]),
    ]


@given(st.randoms(use_true_random=False))
def test_order_case_and_split_lines_change_nothing(random):
    lines = in_lines(five_faults())
    random.shuffle(lines)
    whole, split = STANDARD.judge(five_faults()), STANDARD.judge(lines)
    assert (rules(split), split.counts) == (rules(whole), whole.counts)


def test_master_plan_is_secret_and_the_deck_is_stacked():
    assert STANDARD.game_format.secret_section == "master_plan"
    stacking = SYSTEM.match.stacking
    assert (stacking.clause.id, stacking.reveal.id, stacking.minutes) == ("DP-STACK", "DP-SECRET", 10)

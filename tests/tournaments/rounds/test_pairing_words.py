"""Every sentence about a pairing, word for word."""

import pytest

from tournaments.pairing.swiss.explain import Reason
from tournaments.rounds.words import SENTENCES, ids_in, tell

NAMES = {1: "Ada", 2: "Ben", 3: "Cem", 4: "Dora", 5: "Emil"}
PAIR = {"who": 1, "stay": 2, "points": 9, "all": 0}
ONE, TWO = {**PAIR, "ids": (3,), "count": 1}, {**PAIR, "ids": (3, 4), "count": 2}
ALL = {**PAIR, "ids": (3, 4, 5), "count": 7, "all": 1}
GROUP = {"who": 1, "points": 9, "others": 7, "ids": (3, 4), "count": 2}
ODD = {"points": 9, "count": 5, "taken": 0, "out": 0}
HIGHER = {"who": 1, "points": 3, "rules": 0}
AS_GOOD = "No equally valid pairing has fewer rematches."
FURTHER = "A bye there would cause more rematches"
UNPROVED = "A better pairing may exist."
GAP = {"ours": 5, "least": 3}
CASES = [
    ("same_score", {"points": 1, "count": 5}, "Both have 1 point."),
    ("same_score", {"points": 9, "count": 2}, "Only these two have 9 points."),
    ("paired_down", {"who": 1, "above": 9, "stay": 2, "below": 1}, "Ada (9 points) floats to Ben (1 point)."),
    ("group_odd", ODD, "5 players have 9 points, an odd number."),
    ("group_odd", {**ODD, "count": 1}, "No other player has 9 points."),
    ("group_odd", {**ODD, "out": 2}, "An odd number with 9 points was left."),
    (
        "group_odd",
        {**ODD, "count": 4, "taken": 1},
        "1 of 4 players with 9 points plays up: an odd number is left.",
    ),
    (
        "group_odd",
        {**ODD, "taken": 2},
        "2 of 5 players with 9 points play up: an odd number is left.",
    ),
    ("group_rest", {"points": 9, "count": 2}, "2 players with 9 points are paired down."),
    ("down_too_met", ONE, "Cem is also paired down, but met Ada before."),
    ("down_too_met", TWO, "Cem and Dora are also paired down, but met Ada before."),
    ("others_met", ONE, "Cem can't replace Ada: met Ben before."),
    ("others_met", TWO, "Cem and Dora can't replace Ada: met Ben before."),
    ("others_met", ALL, "All others with 9 points met Ben before."),
    ("others_mates", ONE, "Cem can't replace Ada: same club or team as Ben."),
    ("others_mates", TWO, "Cem and Dora can't replace Ada: same club or team as Ben."),
    ("others_mates", ALL, "All others with 9 points share a club or team with Ben."),
    ("others_elsewhere", TWO, "With Cem and Dora for Ada, another table would be a rematch."),
    (
        "others_elsewhere",
        {**ALL, "mates": 1},
        "With anybody else with 9 points for Ada, another table would be a rematch or club-mates.",
    ),
    ("others_down", ONE, "With Cem for Ada, more players would be paired down."),
    ("others_farther", ONE, "With Cem for Ada, score gaps would grow."),
    ("others_floats", ONE, "With Cem for Ada, more players would float again."),
    ("others_places", ONE, "With Cem for Ada, rank gaps would grow."),
    ("others_better", ONE, "With Cem for Ada, the round would be better: it isn't proved best."),
    (
        "others_same",
        {**ALL, "all": 0},
        "The draw chose Ada over Cem, Dora, Emil and 4 others.",
    ),
    ("others_same", ALL, "The draw chose Ada among all with 9 points."),
    ("others_rule", {"who": 1, "count": 1}, "Ada or 1 other: decided by draw or the organiser's rule."),
    ("others_rule", {"who": 1, "count": 3}, "Ada or 3 others: decided by draw or the organiser's rule."),
    ("looked_at", {"count": 20}, "Only the first 20 of many were compared."),
    ("met_in_group", GROUP, "Ada met Cem and Dora (of 7 others with 9 points)."),
    ("club_in_group", GROUP, "Ada shares a club with Cem and Dora (of 7 others with 9 points)."),
    ("team_in_group", GROUP, "Ada shares a team with Cem and Dora (of 7 others with 9 points)."),
    ("lot_or_rule", {}, "Perhaps decided by the draw or the organiser's rule."),
    ("lot", {}, "Decided by the draw between equal pairings."),
    ("met_before", {"times": 1, "proved": 0, "first": 1}, "They met before."),
    (
        "met_before",
        {"times": 2, "proved": 1, "first": 1},
        "They met 2 times before. No pairing of this round has fewer rematches.",
    ),
    ("met_before", {"times": 1, "proved": 1, "first": 0}, f"They met before. {AS_GOOD}"),
    ("mates_meet", {"hard": 1, "proved": 0}, "They share a club or team."),
    (
        "mates_meet",
        {"hard": 1, "proved": 1},
        "They share a club or team. No pairing keeps the event's rules better.",
    ),
    (
        "mates_meet",
        {"hard": 0, "proved": 1},
        "They share a club or team. To separate more club-mates, you need more rematches.",
    ),
    ("locked", {}, "The organiser fixed this table first."),
    ("by_hand", {}, "Staff set this table by hand."),
    ("bye_awarded", {}, "This bye was requested or awarded first."),
    (
        "bye_lowest",
        {"who": 1, "points": 0, "count": 3},
        "Ada is one of 3 with the lowest score for a bye (0 points).",
    ),
    (
        "bye_lowest",
        {"who": 1, "points": 0, "count": 1},
        "Ada (0 points) has the lowest score for a bye.",
    ),
    ("bye_had", ONE, "Cem has no more points, but had a bye."),
    ("bye_had", TWO, "Cem and Dora have no more points, but had a bye."),
    ("bye_all_had", {"who": 1}, "Everyone eligible has had a bye."),
    ("bye_again", {"who": 1, "count": 2}, "Ada had a bye before; 2 eligible players had none."),
    (
        "bye_higher",
        {**HIGHER, "count": 1, "proved": 1},
        f"1 eligible player has fewer points. {FURTHER}.",
    ),
    (
        "bye_higher",
        {**HIGHER, "count": 2, "proved": 1, "rules": 1},
        f"2 eligible players have fewer points. {FURTHER} or break a rule.",
    ),
    (
        "bye_higher",
        {**HIGHER, "count": 2, "proved": 0},
        "2 eligible players have fewer points. This bye isn't proved best.",
    ),
    ("proved", {}, "Proved: no pairing keeps the rules better."),
    ("not_proved", {}, UNPROVED),
    ("gap_second_byes", GAP, f"{UNPROVED} Second byes: 5, at best 3."),
    ("gap_rematches", GAP, f"{UNPROVED} Rematches: 5, at best 3."),
    ("gap_club_pairs", GAP, f"{UNPROVED} Paired club-mates: 5, at best 3."),
    ("gap_bye_score", GAP, f"{UNPROVED} Points of the bye: 5, at best 3."),
    ("gap_downfloats", GAP, f"{UNPROVED} Paired down: 5, at best 3."),
    ("gap_sum_sq_diff", GAP, f"{UNPROVED} Squared point gaps: 5, at best 3."),
    ("gap_finish", GAP, f"{UNPROVED} Last criterion: 5, at best 3."),
    ("gap_wrong_sizes", GAP, f"{UNPROVED} Tables of other sizes: 5, at best 3."),
    ("gap_repeats", GAP, f"{UNPROVED} Repeat meetings: 5, at best 3."),
    ("gap_spread", GAP, f"{UNPROVED} Squared point gaps at tables: 5, at best 3."),
    ("gap_off_size", GAP, f"{UNPROVED} Turns at larger or smaller tables: 5, at best 3."),
    ("gap_seats", GAP, f"{UNPROVED} Repeated seats: 5, at best 3."),
    ("gap_targets", GAP, f"{UNPROVED} Repeated neighbours: 5, at best 3."),
    ("table_repeats", {"count": 0, "least": 1}, "At no table do two players meet again."),
    ("table_repeats", {"count": 1, "least": 0}, "1 pair meets again at a table."),
    ("table_repeats", {"count": 3, "least": 1}, "3 pairs meet again at a table. No seating has fewer."),
    (
        "table_repeats",
        {"count": 4, "least": 0},
        "Repeat meetings: 4. A third meeting counts 4.",
    ),
    ("table_spread", {"count": 0, "least": 1}, "All players at a table have the same score."),
    (
        "table_spread",
        {"count": 18, "least": 1},
        "Squared point gaps at tables: 18 in all. No equally good seating has less.",
    ),
    ("round_rematches", {"count": 0, "least": 1}, "There are no rematches."),
    (
        "bracket",
        {"who": 1, "stay": 2, "seed": 1, "other_seed": 8},
        "Bracket: seed 1, Ada, vs. seed 8, Ben.",
    ),
    ("walkover", {"who": 1, "stay": 2}, "Ben dropped, so Ada advances."),
    ("berger", {"round": 2}, "Round 2 of a round robin."),
    ("berger_bye", {"who": 1}, "Odd player count: Ada has no opponent."),
    ("opponent_left", {"who": 1, "stay": 2}, "Ben dropped, so Ada has a bye."),
    ("table_new", {}, "Nobody at this table met before."),
    ("table_met", {"count": 1}, "1 pair at this table met before."),
    ("table_met", {"count": 3}, "3 pairs at this table met before."),
    ("table_seats", {}, "Seats are turn order and are shared out evenly."),
    ("table_bye", {"who": 1}, "There are too few seats: Ada has no table."),
    ("round_rematches", {"count": 1, "least": 0}, "1 rematch."),
    (
        "round_rematches",
        {"count": 2, "least": 1},
        "2 rematches. No equally valid pairing has fewer.",
    ),
    ("round_squares", {"count": 0, "least": 1}, "All opponents have equal scores."),
    (
        "round_squares",
        {"count": 18, "least": 1},
        "Squared point gaps: 18 in all. No otherwise equal pairing has less.",
    ),
]


@pytest.mark.parametrize(("code", "params", "text"), CASES)
def test_reason_is_told_word_for_word(code, params, text):
    assert tell([Reason(code, params)], NAMES.__getitem__) == [text]


def test_every_reason_is_tested():
    assert {code for code, _params, _text in CASES} == {key.split()[0] for key in SENTENCES}


def test_unknown_codes_are_left_out():
    assert tell([Reason("of_a_later_version"), Reason("lot")], str) == ["Decided by the draw between equal pairings."]


def test_ids_of_names_are_found_and_numbers_are_not():
    assert ids_in([Reason("others_met", ALL), Reason("same_score", {"points": 99, "count": 98})]) == {1, 2, 3, 4, 5}

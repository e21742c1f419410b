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
AS_GOOD = "No pairing that keeps the rules of this event as well has fewer rematches."
FURTHER = "With the bye there, the round would have more rematches"
UNPROVED = "It is not proved that no pairing of this round is better."
GAP = {"ours": 5, "least": 3}
CASES = [
    ("same_score", {"points": 1, "count": 5}, "Both have 1 point."),
    ("same_score", {"points": 9, "count": 2}, "Both have 9 points; nobody else has."),
    ("paired_down", {"who": 1, "above": 9, "stay": 2, "below": 1}, "Ada (9 points) is paired down to Ben (1 point)."),
    ("group_odd", ODD, "5 players have 9 points: an odd number, so not all can meet their like."),
    ("group_odd", {**ODD, "count": 1}, "Nobody else has 9 points."),
    ("group_odd", {**ODD, "out": 2}, "Of the players with 9 points an odd number was left to pair with each other."),
    (
        "group_odd",
        {**ODD, "count": 4, "taken": 1},
        "Of 4 players with 9 points, 1 meets somebody with more: an odd number is left.",
    ),
    (
        "group_odd",
        {**ODD, "taken": 2},
        "Of 5 players with 9 points, 2 meet somebody with more: an odd number is left.",
    ),
    ("group_rest", {"points": 9, "count": 2}, "2 players with 9 points are paired down in this round."),
    ("down_too_met", ONE, "Cem is paired down too, but had played Ada before."),
    ("down_too_met", TWO, "Cem and Dora are paired down too, but had played Ada before."),
    ("others_met", ONE, "Cem had played Ben before, and so is not here instead of Ada."),
    ("others_met", TWO, "Cem and Dora had played Ben before, and so are not here instead of Ada."),
    ("others_met", ALL, "Everybody else with 9 points had played Ben before."),
    ("others_mates", ONE, "Cem is of the same club or team as Ben, and so is not here instead of Ada."),
    ("others_mates", TWO, "Cem and Dora are of the same club or team as Ben, and so are not here instead of Ada."),
    ("others_mates", ALL, "Everybody else with 9 points is of the same club or team as Ben."),
    ("others_elsewhere", TWO, "With Cem and Dora instead of Ada, two who met before would meet at another table."),
    (
        "others_elsewhere",
        {**ALL, "mates": 1},
        "With anybody else with 9 points instead of Ada, two who met before or are mates would meet at another table.",
    ),
    ("others_down", ONE, "With Cem instead of Ada, more players of a higher score would be paired down."),
    ("others_farther", ONE, "With Cem instead of Ada, opponents would be further apart in points."),
    ("others_floats", ONE, "With Cem instead of Ada, more players would be paired up or down once more."),
    ("others_places", ONE, "With Cem instead of Ada, opponents would be further apart in the standings."),
    ("others_better", ONE, "With Cem instead of Ada, the round would be better: it is not proved to be the best."),
    (
        "others_same",
        {**ALL, "all": 0},
        "Cem, Dora, Emil and 4 others could be here instead of Ada just as well: the lot decided.",
    ),
    ("others_same", ALL, "Anybody else with 9 points could be here instead of Ada just as well: the lot decided."),
    ("others_rule", {"who": 1, "count": 1}, "Between Ada and 1 other, the lot or a rule of the organiser decided."),
    ("others_rule", {"who": 1, "count": 3}, "Between Ada and 3 others, the lot or a rule of the organiser decided."),
    ("looked_at", {"count": 20}, "Of many others, the first 20 were looked at for this text."),
    ("met_in_group", GROUP, "Of the 7 others with 9 points, Ada had played Cem and Dora."),
    ("club_in_group", GROUP, "Of the 7 others with 9 points, Ada shares a club with Cem and Dora."),
    ("team_in_group", GROUP, "Of the 7 others with 9 points, Ada shares a team with Cem and Dora."),
    ("lot_or_rule", {}, "Other pairings may have been just as good: the lot or a rule of the organiser decided."),
    ("lot", {}, "Other pairings would have been just as good: the lot decided."),
    ("met_before", {"times": 1, "proved": 0, "first": 1}, "They met before."),
    (
        "met_before",
        {"times": 2, "proved": 1, "first": 1},
        "They met 2 times before. No pairing of this round has fewer rematches.",
    ),
    ("met_before", {"times": 1, "proved": 1, "first": 0}, f"They met before. {AS_GOOD}"),
    ("mates_meet", {"hard": 1, "proved": 0}, "They are of the same club or team."),
    (
        "mates_meet",
        {"hard": 1, "proved": 1},
        "They are of the same club or team. No pairing of this round keeps the rules of this event better.",
    ),
    (
        "mates_meet",
        {"hard": 0, "proved": 1},
        "They are of the same club or team. No pairing with as few rematches keeps more mates apart.",
    ),
    ("locked", {}, "The organiser set this table before the others were paired."),
    ("by_hand", {}, "The staff put this table together by hand."),
    ("bye_awarded", {}, "This bye was asked for or awarded before the round was paired."),
    (
        "bye_lowest",
        {"who": 1, "points": 0, "count": 3},
        "Ada is one of 3 with the lowest score (0 points) of those who could have the bye.",
    ),
    (
        "bye_lowest",
        {"who": 1, "points": 0, "count": 1},
        "Ada (0 points) has the lowest score of those who could have the bye.",
    ),
    ("bye_had", ONE, "Cem has no more points, but had a bye before."),
    ("bye_had", TWO, "Cem and Dora have no more points, but had a bye before."),
    ("bye_all_had", {"who": 1}, "Everybody who could have the bye had one before."),
    ("bye_again", {"who": 1, "count": 2}, "Ada had a bye before, and 2 players who could have it had none."),
    (
        "bye_higher",
        {**HIGHER, "count": 1, "proved": 1},
        f"1 player who could have the bye has fewer points. {FURTHER}.",
    ),
    (
        "bye_higher",
        {**HIGHER, "count": 2, "proved": 1, "rules": 1},
        f"2 players who could have the bye have fewer points. {FURTHER} or break a rule of the event.",
    ),
    (
        "bye_higher",
        {**HIGHER, "count": 2, "proved": 0},
        "2 players who could have the bye have fewer points. It is not proved that the bye belongs here.",
    ),
    ("proved", {}, "Proved: by the rules of this event, no pairing of this round is better."),
    ("not_proved", {}, UNPROVED),
    ("gap_second_byes", GAP, f"{UNPROVED} Second byes: 5, at least 3 in any pairing."),
    ("gap_rematches", GAP, f"{UNPROVED} Rematches: 5, at least 3 in any pairing."),
    ("gap_club_pairs", GAP, f"{UNPROVED} Pairs of mates: 5, at least 3 in any pairing."),
    ("gap_bye_score", GAP, f"{UNPROVED} Points of the bye: 5, at least 3 in any pairing."),
    ("gap_downfloats", GAP, f"{UNPROVED} Paired down: 5, at least 3 in any pairing."),
    ("gap_sum_sq_diff", GAP, f"{UNPROVED} Squared differences in points: 5, at least 3 in any pairing."),
    ("gap_finish", GAP, f"{UNPROVED} What comes last: 5, at least 3 in any pairing."),
    ("gap_wrong_sizes", GAP, f"{UNPROVED} Tables of another size than asked: 5, at least 3 in any seating."),
    ("gap_repeats", GAP, f"{UNPROVED} Repeat meetings: 5, at least 3 in any seating."),
    ("gap_spread", GAP, f"{UNPROVED} Squared differences in points at the tables: 5, at least 3 in any seating."),
    ("gap_off_size", GAP, f"{UNPROVED} Turns at larger or smaller tables: 5, at least 3 in any seating."),
    ("gap_seats", GAP, f"{UNPROVED} Players in a seat they had before: 5, at least 3 in any seating."),
    ("gap_targets", GAP, f"{UNPROVED} Neighbours in turn order once more: 5, at least 3 in any seating."),
    ("table_repeats", {"count": 0, "least": 1}, "At no table do two players meet again."),
    ("table_repeats", {"count": 1, "least": 0}, "1 pair meets again at a table."),
    ("table_repeats", {"count": 3, "least": 1}, "3 pairs meet again at a table. No seating has fewer."),
    (
        "table_repeats",
        {"count": 4, "least": 0},
        "Repeat meetings: 4. A pair that met twice before counts 4.",
    ),
    ("table_spread", {"count": 0, "least": 1}, "All players at a table have the same score."),
    (
        "table_spread",
        {"count": 18, "least": 1},
        "The differences in points at the tables, squared and added up, make 18."
        " No seating that is as good otherwise makes less.",
    ),
    ("round_rematches", {"count": 0, "least": 1}, "Nobody meets an opponent of an earlier round again."),
    (
        "bracket",
        {"who": 1, "stay": 2, "seed": 1, "other_seed": 8},
        "The bracket brings them together: seed 1, Ada, and seed 8, Ben.",
    ),
    ("walkover", {"who": 1, "stay": 2}, "Ben left the event, so Ada plays on without playing."),
    ("berger", {"round": 2}, "Round 2 of a round robin, in which everybody meets everybody."),
    ("berger_bye", {"who": 1}, "The field is odd, and in this round Ada has no opponent."),
    ("opponent_left", {"who": 1, "stay": 2}, "Ben left the event, so Ada has a bye instead."),
    ("table_new", {}, "Nobody at this table met before."),
    ("table_met", {"count": 1}, "1 pair at this table met before."),
    ("table_met", {"count": 3}, "3 pairs at this table met before."),
    ("table_seats", {}, "The seats are the turn order, so shared out that everybody gets each about as often."),
    ("table_bye", {"who": 1}, "The tables of this event do not seat everybody: Ada sits out this round."),
    ("round_rematches", {"count": 1, "least": 0}, "1 rematch."),
    (
        "round_rematches",
        {"count": 2, "least": 1},
        "2 rematches. No pairing that keeps the rules of this event as well has fewer.",
    ),
    ("round_squares", {"count": 0, "least": 1}, "Everybody meets somebody of the same score."),
    (
        "round_squares",
        {"count": 18, "least": 1},
        "The differences in points, squared and added up, make 18. No pairing that is as good otherwise makes less.",
    ),
]


@pytest.mark.parametrize(("code", "params", "text"), CASES)
def test_reason_is_told_word_for_word(code, params, text):
    assert tell([Reason(code, params)], NAMES.__getitem__) == [text]


def test_every_reason_is_tested():
    assert {code for code, _params, _text in CASES} == {key.split()[0] for key in SENTENCES}


def test_unknown_codes_are_left_out():
    assert tell([Reason("of_a_later_version"), Reason("lot")], str)[0].startswith("Other pairings")


def test_ids_of_names_are_found_and_numbers_are_not():
    assert ids_in([Reason("others_met", ALL), Reason("same_score", {"points": 99, "count": 98})]) == {1, 2, 3, 4, 5}

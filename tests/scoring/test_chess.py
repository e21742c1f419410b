"""FIDE's worked example: 16 players, 13 tie-breaks each (docs/how-it-works/standings-and-tiebreakers.md#chess)."""

import json
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import pytest

from scoring.standings.explanations import derive
from scoring.standings.presets import PRESETS
from scoring.standings.records import ContenderFacts, MatchKind, MatchRecord, Outcome, SeatRecord
from scoring.standings.standings import compute_standings, decimal_text
from tests.scoring.test_histories import every_key

PLAYERS = json.loads((Path(__file__).parent.parent / "data" / "fide_c07_example.json").read_text("utf-8"))["players"]
POLICY = every_key(PRESETS["chess"].policy, 0)
OUTCOMES = {1.0: Outcome.WIN, 0.5: Outcome.DRAW, 0.0: Outcome.LOSS}
KEYS = {
    "BH": "buchholz",
    "BH-C1": "buchholz_cut_1",
    "AOB": "opponents_buchholz",
    "FB": "fore_buchholz",
    "SB": "sonneborn_berger",
    "SB-C1": "sonneborn_berger_cut_1",
    "WIN": "wins",
    "WON": "wins_played",
    "BPG": "second_seats",
    "BWG": "second_seat_wins",
    "GE": "rounds_available",
    "PS": "progressive",
    "PS-C1": "progressive_cut_1",
}


def matches():
    """The example's rounds; a match stands there for both players and is taken once."""
    for player in PLAYERS:
        for number, turn in enumerate(player["rounds"], start=1):
            seat = SeatRecord(player["number"], OUTCOMES[turn["points"]])
            kind, other = turn["kind"], turn.get("opponent")
            if kind == "pairing_bye":
                yield MatchRecord(number, MatchKind.BYE, (seat,))
            elif kind == "half_point_bye":
                yield MatchRecord(number, MatchKind.REQUESTED_BYE, (seat,))
            elif kind == "forfeit_win":
                yield MatchRecord(number, MatchKind.PLAYED, (seat, SeatRecord(other, Outcome.LOSS)), forfeit=True)
            elif kind == "played" and turn["colour"] == "white":
                theirs = SeatRecord(other, OUTCOMES[1 - turn["points"]])
                yield MatchRecord(number, MatchKind.PLAYED, (seat, theirs))


FACTS = [ContenderFacts(each["number"], dropped_after=3 if each["number"] == 12 else None) for each in PLAYERS]
RECORDS = list(matches())
LINES = {line.contender: line for line in compute_standings(FACTS, RECORDS, POLICY)}


def test_scores_are_those_of_the_example():
    assert {number: line.keys[0] for number, line in LINES.items()} == {
        each["number"]: Fraction(each["score"]) for each in PLAYERS
    }


@pytest.mark.parametrize("code", KEYS)
@pytest.mark.parametrize("player", PLAYERS, ids=lambda player: str(player["number"]))
def test_value_is_that_of_the_example(player, code):
    expected, value = player["expected"][code], LINES[player["number"]].value(KEYS[code])
    if code == "AOB":
        assert decimal_text(value, 1) == str(Decimal(str(expected)))
    else:
        assert value == Fraction(str(expected))


def lines_of(key, number):
    """(round, value, counted, note) of a derivation."""
    found = derive(FACTS, RECORDS, POLICY, key, number)
    return [(term.round_number, term.value, term.counted, term.note) for term in found.terms]


def test_worked_buchholz_of_player_2_adds_all_opponents():
    assert [value for _round, value, *_ in lines_of("buchholz", 2)] == [1, Fraction(3, 2), *[Fraction(7, 2)] * 3]


def test_worked_cut_of_player_4_takes_the_half_point_bye():
    half = Fraction(7, 2)
    assert lines_of("buchholz_cut_1", 4)[:2] == [(1, 3, True, ""), (2, half, False, "requested_bye")]
    opponent = derive(FACTS, RECORDS, POLICY, "buchholz", 4).terms[0]
    assert (opponent.contender, opponent.value) == (12, 3)
    assert [term.note for term in opponent.parts.terms] == ["", "bye", "forfeit_win", "as_draw", "as_draw"]


def test_worked_forfeit_win_of_player_11_is_a_dummy_with_the_own_score():
    assert lines_of("buchholz", 11)[3] == (4, Fraction(5, 2), True, "forfeit_win")


def test_worked_unplayed_rounds_of_player_12_count_the_own_score():
    assert [value for _round, value, *_ in lines_of("buchholz", 12)[1:]] == [2] * 4


def test_median_leaves_out_the_lowest_and_the_highest():
    assert LINES[2].value("buchholz_median") == 13 - 1 - Fraction(7, 2)
    assert LINES[4].value("buchholz_median") == 15 - Fraction(7, 2) * 2


def test_a_forfeit_at_the_very_end_keeps_nothing():
    """The rules leave it open (docs/how-it-works/standings-and-tiebreakers.md#chess): it counts as elsewhere."""
    seats = SeatRecord(1, Outcome.WIN), SeatRecord(2, Outcome.LOSS)
    forfeit = MatchRecord(2, MatchKind.PLAYED, seats, forfeit=True)
    played = MatchRecord(1, MatchKind.PLAYED, (SeatRecord(2, Outcome.WIN), SeatRecord(3, Outcome.LOSS)))
    lines = {line.contender: line for line in compute_standings([1, 2, 3], [played, forfeit], POLICY)}
    assert lines[3].value("buchholz") == 1

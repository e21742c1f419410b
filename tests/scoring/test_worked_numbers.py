"""Worked numbers beside those of Magic (test_standings.py) and chess (test_chess.py).

See docs/how-it-works/standings-and-tiebreakers.md.
"""

from dataclasses import replace
from fractions import Fraction

import pytest

from scoring.standings.explanations import derive
from scoring.standings.points import match_points_of, table_points_of, wins_table
from scoring.standings.presets import PRESETS
from scoring.standings.records import ContenderFacts, MatchKind, MatchRecord, Outcome, ScoringPolicy, SeatRecord
from scoring.standings.result_table import Column
from scoring.standings.standings import Scales, Standing, compute_standings, decimal_text
from scoring.standings.tiebreakers import column_of
from scoring.standings.vectors import field_of
from tests.scoring.histories import bye, played

WIN, DRAW, LOSS = (2, 0), (1, 1), (0, 2)


def season(one, *results, start=1):
    """One contender's matches against strangers."""
    return [played(number, one, one * 100 + number, *score) for number, score in enumerate(results, start)]


def everybody(records):
    return sorted({seat.contender for record in records for seat in record.seats})


def values(records, policy, key, contenders=None):
    """Everybody's value of a key."""
    ranked = replace(policy, tiebreakers=(key,))
    return {
        line.contender: line.keys[0] for line in compute_standings(contenders or everybody(records), records, ranked)
    }


def inner(records, policy, key, contender):
    field = field_of(everybody(records), records, policy)
    column = column_of(field, key)
    return Fraction(column.amounts[field.index[contender]], column.scale)


def test_section_1_twenty_one_game_points_in_ten_games():
    records = [played(1, 1, 2, 7, 3)]
    assert inner(records, ScoringPolicy(), "game_win", 1) == Fraction(21, 30)
    assert decimal_text(values(records, ScoringPolicy(), "gw")[1], 2) == "0.70"


def test_section_1_nine_game_points_of_eleven_games_are_raised_to_the_floor():
    records = [played(1, 1, 2, 3, 8)]
    policy = ScoringPolicy(floor=Fraction(33, 100))
    assert inner(records, policy, "game_win", 1) == Fraction(9, 33)
    assert values(records, policy, "gw")[1] == Fraction(33, 100)
    found = derive([1, 2], records, policy, "gw", 1)
    assert (found.terms[0].note, found.terms[0].parts.value) == ("floored", Fraction(9, 33))


def test_section_1_one_win_in_four_rounds_counts_with_the_floor_for_the_opponent():
    records = season(1, WIN, LOSS, LOSS, LOSS)
    policy = ScoringPolicy(floor=Fraction(33, 100))
    assert inner(records, policy, "match_win", 1) == Fraction(3, 12)
    assert values(records, policy, "omw")[101] == Fraction(33, 100)


def test_section_1_an_agreed_draw_counts_its_three_drawn_games():
    records = [played(1, 1, 2, 0, 0, 3)]
    assert values(records, ScoringPolicy(gw_floored=False), "gw")[1] == Fraction(3, 9)
    assert values(records, ScoringPolicy(), "match_points")[1] == 1


def test_section_1_whoever_is_disqualified_has_no_line_and_counts_in_averages():
    records = [*season(1, WIN, WIN), played(3, 1, 2, *WIN), played(4, 2, 3, *WIN)]
    facts = [ContenderFacts(each, ranked=each != 1) for each in everybody(records)]
    lines = compute_standings(facts, records, ScoringPolicy())
    assert lines[0].contender == 2
    assert lines[0].rank == 1
    assert 1 not in {line.contender for line in lines}
    assert lines[0].omw == (1 + Fraction(1, 3)) / 2


POKEMON = PRESETS["half_draws"].policy


def test_section_2_a_draw_is_half_a_win():
    records = season(1, WIN, WIN, WIN, LOSS, DRAW)
    assert inner(records, POKEMON, "win_share", 1) == Fraction(70, 100)


def test_section_2_a_bye_is_taken_out_of_an_opponents_share():
    records = [bye(1, 1), played(2, 1, 2, *WIN), played(3, 1, 3, *LOSS)]
    assert inner(records, POKEMON, "win_share", 1) == Fraction(1, 2)
    assert values(records, POKEMON, "opponents_win")[3] == Fraction(1, 2)


def test_section_2_a_player_with_a_bye_is_averaged_over_two_opponents():
    records = [bye(1, 1), played(2, 1, 2, *WIN), played(3, 1, 3, *LOSS), played(2, 3, 4, *WIN)]
    found = derive(everybody(records), records, POKEMON, "opponents_win", 1)
    assert [(term.contender, term.value, term.note) for term in found.terms] == [
        (2, Fraction(1, 4), "floored"),
        (3, 1, ""),
    ]


def test_section_2_late_players_stand_below_all_with_equal_points():
    records = [played(1, 1, 2, *WIN), played(1, 3, 4, *WIN)]
    facts = [ContenderFacts(1, late=True), *(ContenderFacts(each) for each in (2, 3, 4))]
    assert [line.contender for line in compute_standings(facts, records, POKEMON)][:2] == [3, 1]


def test_section_2_head_to_head_and_then_the_lot_decide():
    records = [played(1, 1, 2, *LOSS), played(2, 1, 2, *WIN)]
    facts = [ContenderFacts(1, lot=5), ContenderFacts(2, lot=4)]
    assert [line.contender for line in compute_standings(facts, records, POKEMON)] == [2, 1]
    policy = ScoringPolicy(tiebreakers=("match_points", "head_to_head", "lot"))
    beaten = [played(1, 1, 2, *WIN), *season(1, LOSS, start=2), *season(2, WIN, start=2)]
    assert [line.contender for line in compute_standings([1, 2, 102, 202], beaten, policy)][:2] == [1, 2]


def test_head_to_head_decides_only_when_all_tied_have_met():
    policy = ScoringPolicy(tiebreakers=("match_points", "head_to_head"))
    circle = [played(1, 1, 2, *WIN), played(2, 2, 3, *WIN), played(3, 3, 1, *WIN)]
    assert values(circle, policy, "match_points") == {1: 3, 2: 3, 3: 3}
    assert [line.keys[1] for line in compute_standings([1, 2, 3], circle, policy)] == [3, 3, 3]
    apart = [played(1, 1, 2, *WIN), *season(2, WIN, start=2), *season(3, WIN)]
    lines = {line.contender: line for line in compute_standings(everybody(apart), apart, policy)}
    assert [lines[each].keys for each in (1, 2, 3)] == [(3, 0)] * 3
    assert derive(everybody(apart), apart, policy, "head_to_head", 1).terms[0].note == "not_all_met"


def test_section_3_the_number_is_points_and_two_averages_in_thousandths():
    records = [*season(1, WIN, WIN, DRAW), played(4, 2, 101, *WIN), played(5, 2, 102, *WIN)]
    policy = PRESETS["duel_number"].policy
    points = values(records, policy, "match_points")
    omw, oomw = (values(records, policy, key) for key in ("omw", "oomw"))
    assert points[1] == 7
    number = values(records, policy, "duel_number")[1]
    assert number == 7_000_000 + int(omw[1] * 1000) * 1000 + int(oomw[1] * 1000)


def test_section_3_thirty_three_points_and_its_shares_read_as_published():
    records = season(1, *[WIN] * 11)
    field = field_of(everybody(records), records, PRESETS["duel_number"].policy)
    field.columns |= {key: Column([share] * len(field.facts), 1000) for key, share in (("omw", 726), ("oomw", 677))}
    assert column_of(field, "duel_number").amounts[field.index[1]] == 33726677


COBRA = PRESETS["double_sided"].policy
LAURIE, DAN, JOHNO = 1, 2, 3


def test_section_4_strength_of_schedule():
    records = [
        played(1, DAN, JOHNO, 1, 1),
        bye(1, LAURIE),
        played(2, LAURIE, JOHNO, 2, 0),
        bye(2, DAN),
    ]
    points, sos, extended = (
        values(records, COBRA, key) for key in ("match_points", "strength_of_schedule", "extended_strength")
    )
    assert [points[each] for each in (LAURIE, DAN, JOHNO)] == [12, 9, 3]
    assert [sos[each] for each in (LAURIE, DAN, JOHNO)] == [Fraction(3, 2), Fraction(3, 2), Fraction(21, 4)]
    assert [extended[each] for each in (LAURIE, DAN, JOHNO)] == [Fraction(21, 4), Fraction(21, 4), Fraction(3, 2)]


def test_section_4_rounds_with_weights():
    policy = replace(COBRA, round_weights=(Fraction(1), Fraction(1, 2)))
    a, b, c, d = 1, 2, 3, 4
    records = [played(1, a, b, 2, 0), played(1, c, d, 1, 1), played(2, a, c, 1, 0), played(2, b, d, 0, 1)]
    table = {
        a: (9, "0.6667", "5.1111"),
        d: (6, "1.3333", "4.8889"),
        c: (3, "4.6667", "1.1111"),
        b: (0, "5.3333", "0.8889"),
    }
    lines = compute_standings([a, b, c, d], records, policy)
    assert [line.contender for line in lines] == [a, d, c, b]
    for line in lines:
        points, sos, extended = line.keys
        assert (points, decimal_text(sos, 4), decimal_text(extended, 4)) == table[line.contender]


VEKN = PRESETS["tables_of_five"].policy


@pytest.mark.parametrize(
    ("scores", "points", "game_wins"),
    [
        ([3, 1, 1, 0, 0], [60, 42, 42, 18, 18], 1),
        ([2, 2, 1, 0, 0], [54, 54, 36, 18, 18], 0),
        ([1, 1, 1, 1, 1], [36] * 5, 0),
        ([4, 0, 0, 0], [60, 28, 28, 28], 1),
    ],
)
def test_section_6_points_by_place_are_shared_and_game_wins_are_strict(scores, points, game_wins):
    best = max(scores)
    seats = tuple(
        SeatRecord(number, Outcome.WIN if score == best else Outcome.LOSS, score=Fraction(score))
        for number, score in enumerate(scores, 1)
    )
    record = MatchRecord(1, MatchKind.PLAYED, seats)
    assert [table_points_of(record, seat, VEKN) for seat in seats] == points
    assert sum(wins_table(record, seat) for seat in seats) == game_wins
    lines = compute_standings(everybody([record]), [record], VEKN)
    assert {line.contender: line.match_points for line in lines} == dict(enumerate(points, 1))
    assert [line.keys[1] for line in lines] == sorted(scores, reverse=True)


def test_section_6_places_say_the_same_as_scores():
    places = [1, 2, 2, 4, 4]
    seats = tuple(SeatRecord(number, Outcome.LOSS, placing=place) for number, place in enumerate(places, 1))
    record = MatchRecord(1, MatchKind.PLAYED, seats)
    assert [table_points_of(record, seat, VEKN) for seat in seats] == [60, 42, 42, 18, 18]


def test_section_7_a_bye_brings_three_virtual_opponents():
    policy = PRESETS["pods"].policy
    seats = tuple(SeatRecord(each, Outcome.WIN if each == 1 else Outcome.LOSS) for each in (1, 2, 3, 4))
    records = [MatchRecord(1, MatchKind.PLAYED, seats), bye(2, 2)]
    lines = {line.contender: line for line in compute_standings([1, 2, 3, 4], records, policy)}
    assert [lines[each].match_points for each in (1, 2, 3, 4)] == [5, 5, 0, 0]
    assert lines[2].omw == (1 + Fraction(1, 5) * 2 + Fraction(1, 5) * 3) / 6
    found = derive([1, 2, 3, 4], records, policy, "omw", 2)
    assert [term.note for term in found.terms if term.contender is None] == ["virtual"] * 3


@pytest.mark.parametrize(
    ("score", "points"),
    [((2, 0), (7, 0)), ((1, 1), (3, 3)), ((1, 0), (3, 0)), ((0, 0), (0, 0))],
)
def test_section_8_points_by_the_score_of_two_games(score, points):
    record = played(1, 1, 2, *score)
    assert tuple(match_points_of(record, seat, PRESETS["two_games"].policy) for seat in record.seats) == points


def test_section_9_equal_fractions_tie_where_floats_would_not():
    scales = [Scales(("omw",), (bottom,), 1) for bottom in (9, 1_000_000_000 * 9)]
    one, other = (
        Standing(1, 1, (0, 0, 0, 0), (bottom * 5 // 9,), scale)
        for scale, bottom in zip(scales, (9, 9 * 10**9), strict=True)
    )
    assert one == other
    assert one.omw == Fraction(5, 9)
    assert one != other._replace(rank=2)

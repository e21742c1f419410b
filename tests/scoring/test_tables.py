"""Points and standings of tables, each with an event computed by hand: by placing, total score, win, victory points."""

from dataclasses import replace
from fractions import Fraction

import pytest

from scoring.sheets.tallies.registry import table_result_of
from scoring.standings.points import match_points_of
from scoring.standings.presets import PRESETS
from scoring.standings.records import MatchKind, MatchRecord, Outcome, SeatRecord
from scoring.standings.standings import compute_standings

ADA, BEN, CEM, DORA, EMIL = range(1, 6)
DOOMLINGS = PRESETS["doomlings"].policy


def sat(round_number, *seats):
    """A table as it ended: (contender, placing, score) in seat order; the first place wins, shared or not."""
    firsts = sum(placing == 1 for _who, placing, _score in seats)
    return MatchRecord(
        round_number,
        MatchKind.PLAYED,
        tuple(
            SeatRecord(
                who,
                Outcome.WIN if placing == 1 else Outcome.LOSS,
                int(placing == 1 and firsts == 1),
                placing,
                Fraction(score),
            )
            for who, placing, score in seats
        ),
        int(firsts > 1),
    )


TWO_ROUNDS = (
    sat(1, (ADA, 1, 31), (BEN, 2, 24), (CEM, 3, 20), (DORA, 4, 11)),
    sat(2, (DORA, 1, 40), (ADA, 2, 22), (BEN, 2, 22), (CEM, 4, -3)),
)
"""Sums: Ada 53, Ben 46, Cem 17, Dora 51."""


def ranked(preset, records=TWO_ROUNDS, who=(ADA, BEN, CEM, DORA)):
    lines = compute_standings(who, records, PRESETS[preset].policy)
    keys = PRESETS[preset].policy.tiebreakers
    return [(line.rank, line.contender, *(line.value(key) for key in keys)) for line in lines]


def test_points_by_placing_share_what_a_shared_place_is_worth():
    # Places of four are worth 5 3 2 1: Ada and Ben share 3 + 2, rounded down 2 each. Ada and Dora have 5 + 2 and 1 + 5.
    assert [line[:5] for line in ranked("doomlings")] == [
        (1, ADA, 7, 1, 53), (2, DORA, 6, 1, 51), (3, BEN, 5, 0, 46), (4, CEM, 3, 0, 17),
    ]  # fmt: skip


def test_total_score_ranks_above_placings():
    assert [line[:5] for line in ranked("total_score")] == [
        (1, ADA, 53, 1, 1), (2, DORA, 51, 1, 0), (3, BEN, 46, 0, 2), (4, CEM, 17, 0, 0),
    ]  # fmt: skip


def test_equal_totals_are_decided_by_first_places_before_second_ones():
    records = (
        sat(1, (ADA, 1, 30), (BEN, 2, 28), (CEM, 3, 20), (DORA, 4, 5)),
        sat(2, (CEM, 1, 50), (BEN, 2, 32), (ADA, 3, 30), (DORA, 4, 8)),
    )
    assert [line[:6] for line in ranked("total_score", records)] == [
        (1, CEM, 70, 1, 0, 1), (2, ADA, 60, 1, 0, 1), (3, BEN, 60, 0, 2, 0), (4, DORA, 13, 0, 0, 0),
    ]  # fmt: skip


def test_opponents_scores_are_averaged_over_meetings():
    lines = {line[1]: line for line in ranked("total_score")}
    # Each met each of the others twice: Ada's opponents scored 46, 17 and 51 in all.
    assert lines[ADA][6] == Fraction(46 + 17 + 51, 3)
    assert lines[CEM][6] == Fraction(53 + 46 + 51, 3)


def test_points_by_win_count_a_sole_first_place_alone():
    records = (*TWO_ROUNDS, sat(3, (BEN, 1, 20), (ADA, 1, 20), (CEM, 3, 1), (DORA, 4, 0)))
    # 5 for a win, 1 for a shared one: Ada 5 + 0 + 1, Dora 0 + 5 + 0, Ben 0 + 0 + 1, Cem nothing.
    assert [line[1:3] for line in ranked("pods", records)] == [(ADA, 6), (DORA, 5), (BEN, 1), (CEM, 0)]


def test_a_shared_win_is_a_win_for_each_and_splits_the_points():
    # 5 and 3 for the two first places: 4 each; the third keeps 2, the last 1.
    records = (sat(1, (ADA, 1, 20), (BEN, 1, 20), (CEM, 3, 12), (DORA, 4, 3)),)
    lines = {line.contender: line for line in compute_standings((ADA, BEN, CEM, DORA), records, DOOMLINGS)}
    told = {who: (line.match_points, line.wins, line.draws, line.losses) for who, line in lines.items()}
    assert told == {ADA: (4, 1, 0, 0), BEN: (4, 1, 0, 0), CEM: (2, 0, 0, 1), DORA: (1, 0, 0, 1)}
    assert lines[ADA].value("wins") == 1


def test_victory_points_rank_tables_won_first():
    # Two victory points and strictly the most win a table: 3 1 1 0 0 is worth 60, 42, 42, 18, 18.
    # See docs/how-it-works/standings-and-tiebreakers.md#tables.
    field = (ADA, BEN, CEM, DORA, EMIL)
    records = (sat(1, (ADA, 1, 3), (BEN, 2, 1), (CEM, 2, 1), (DORA, 4, 0), (EMIL, 4, 0)),)
    found = {line[1]: line[2:5] for line in ranked("tables_of_five", records, field)}
    assert found == {ADA: (1, 3, 60), BEN: (0, 1, 42), CEM: (0, 1, 42), DORA: (0, 0, 18), EMIL: (0, 0, 18)}


@pytest.mark.parametrize("tied", [True, False])
def test_a_tally_becomes_places_and_scores(tied):
    scores, winners = (30, 30, 12), ["Ada", "Ben"] if tied else ["Ben"]
    players = [{"name": name, "score": score} for name, score in zip(("Ada", "Ben", "Cem"), scores, strict=True)]
    result = table_result_of({"players": players, "winners": winners})
    assert result.placings == ((1, 1, 3) if tied else (2, 1, 3))
    assert result.scores == scores


@pytest.mark.parametrize(
    ("rows", "seats", "points"),
    [
        (DOOMLINGS.placing_points, 6, [5, 3, 2, 1, 0, 0]),
        (DOOMLINGS.placing_points, 8, [5, 3, 2, 1, 0, 0, 0, 0]),
        (((60, 48, 36, 24, 12),), 7, [60, 48, 36, 24, 12, 12, 12]),
        (((9, 8), (7, 6, 5, 4, 3, 2, 1)), 7, [7, 6, 5, 4, 3, 2, 1]),
        (((9, 8), (8, 7, 6, 5, 4, 3, 2, 1)), 7, [8, 7, 6, 5, 4, 3, 2]),
        (((60, 48, 36, 24, 12),), 6, [5, 0, 0, 0, 0, 0]),
        ((), 7, [5, 0, 0, 0, 0, 0, 0]),
    ],
    ids=["listed", "further places", "last number", "own row", "shorter", "six is as ever", "no rows"],
)
def test_tables_of_seven_and_more_take_the_longest_row(rows, seats, points):
    policy = replace(DOOMLINGS, placing_points=rows)
    record = sat(1, *((who, who, -who) for who in range(1, seats + 1)))
    assert [match_points_of(record, seat, policy) for seat in record.seats] == points


def test_shared_places_of_a_large_table_share_the_points_of_further_places():
    """Places 1, 2, 2, 4, 5, 5, 5, 8 by 5-3-2-1-0-0: the second share 5, the fifth nothing."""
    record = sat(1, *((who, place, 0) for who, place in enumerate((1, 2, 2, 4, 5, 5, 5, 8), 1)))
    assert [match_points_of(record, seat, DOOMLINGS) for seat in record.seats] == [5, 2, 2, 1, 0, 0, 0, 0]

"""Ratings: what raises and lowers an estimate, what tells nothing, and that the same history gives the same."""

import pytest

from scoring.standings.ratings import NEWCOMER, RatedMatch, compute_ratings, rated
from scoring.standings.records import MatchKind, MatchRecord, Outcome, SeatRecord

WIN, DRAW, LOSS = Outcome.WIN, Outcome.DRAW, Outcome.LOSS


def record(*outcomes, kind=MatchKind.PLAYED, forfeit=False, placings=()):
    seats = [
        SeatRecord(seat, outcome, 0, placings[seat] if placings else None) for seat, outcome in enumerate(outcomes)
    ]
    return MatchRecord(1, kind, tuple(seats), forfeit=forfeit)


@pytest.mark.parametrize(
    ("given", "places"),
    [
        (record(WIN, LOSS), (1, 2)),
        (record(LOSS, WIN), (2, 1)),
        (record(DRAW, DRAW), (1, 1)),
        (record(WIN, LOSS, LOSS, placings=(1, 2, 3)), (1, 2, 3)),
        (record(DRAW, DRAW, LOSS, LOSS, placings=(1, 1, 3, 3)), (1, 1, 3, 3)),
        (record(WIN, LOSS, LOSS), (1, 2, 2)),
    ],
)
def test_match_tells_the_places(given, places):
    assert rated(given) == RatedMatch(tuple(range(len(places))), places)


@pytest.mark.parametrize(
    "given",
    [
        record(WIN, kind=MatchKind.BYE), record(LOSS, kind=MatchKind.NO_SHOW), record(WIN, LOSS, forfeit=True),
        record(LOSS, LOSS), record(WIN, kind=MatchKind.SOLO),
    ],
)  # fmt: skip
def test_byes_and_absences_tell_nothing(given):
    assert rated(given) is None


def test_winner_gains_and_both_grow_more_certain():
    ratings = compute_ratings([RatedMatch((1, 2), (1, 2))])
    assert ratings[1].mu > NEWCOMER.mu > ratings[2].mu
    assert all(each.sigma < NEWCOMER.sigma and each.matches == 1 for each in ratings.values())


def test_draw_between_equals_moves_nobody():
    ratings = compute_ratings([RatedMatch((1, 2), (1, 1))])
    assert ratings[1].mu == pytest.approx(ratings[2].mu) == pytest.approx(NEWCOMER.mu)


def test_table_of_four_orders_by_place():
    ratings = compute_ratings([RatedMatch((1, 2, 3, 4), (1, 2, 2, 4))] * 3)
    assert ratings[1].mu > ratings[2].mu > ratings[4].mu


def test_whoever_sits_twice_or_alone_is_passed_over():
    assert compute_ratings([RatedMatch((1, 1), (1, 2)), RatedMatch((1,), (1,)), RatedMatch((), ())]) == {}


def test_same_history_gives_the_same_ratings_and_order_matters():
    history = [RatedMatch((1, 2), (1, 2)), RatedMatch((2, 3), (1, 2)), RatedMatch((1, 3), (2, 1))]
    assert compute_ratings(history) == compute_ratings(list(history))
    assert compute_ratings(history) != compute_ratings(history[::-1])

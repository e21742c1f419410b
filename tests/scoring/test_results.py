"""What a match of a given length can end like."""

from fractions import Fraction

import pytest

from rules_engine.errors import DomainError
from scoring.standings.records import Outcome
from scoring.standings.result_checks import check_result
from scoring.standings.results import (
    GameResult,
    MatchLength,
    MatchResult,
    ResultKind,
    intentional_draw,
    no_show,
    table_result,
)
from tests.refusals import refusal

BEST_OF_3 = MatchLength(3)
PLAYED = ResultKind.PLAYED


@pytest.mark.parametrize(
    "score", [(2, 0, 0), (2, 1, 0), (0, 2, 0), (1, 1, 0), (1, 0, 0), (0, 0, 1), (1, 1, 1), (2, 0, 1), (0, 0, 3)]
)
def test_best_of_three_accepts(score):
    assert check_result(MatchResult(PLAYED, score[:2], score[2]), 2, BEST_OF_3) is None


@pytest.mark.parametrize("score", [(3, 0, 0), (2, 2, 0), (0, 0, 0), (-1, 2, 0), (100, 0, 0), (0, 0, 4), (2, 0, -1)])
def test_best_of_three_refuses(score):
    assert refusal(check_result, MatchResult(PLAYED, score[:2], score[2]), 2, BEST_OF_3) == "bad_score"


@pytest.mark.parametrize("score", [(3, 0, 0), (0, 0, 0), (2, 2, 5)])
def test_scores_as_recorded_are_accepted_where_the_event_says_so(score):
    result = MatchResult(PLAYED, score[:2], score[2])
    assert check_result(result, 2, BEST_OF_3, as_recorded=True) is None
    with pytest.raises(DomainError):
        check_result(result, 2, BEST_OF_3)


@pytest.mark.parametrize(
    ("length", "good", "bad"),
    [
        (MatchLength(1), (1, 0), (1, 1)),
        (MatchLength(5), (3, 2), (4, 1)),
        (MatchLength(2, exactly=True), (1, 1), (2, 1)),
    ],
)
def test_other_lengths_have_their_own_bounds(length, good, bad):
    check_result(MatchResult(PLAYED, good), 2, length)
    with pytest.raises(DomainError):
        check_result(MatchResult(PLAYED, bad), 2, length)


def test_intentional_draw_has_no_won_games():
    check_result(MatchResult(ResultKind.INTENTIONAL_DRAW, (0, 0), 3), 2, BEST_OF_3)
    with pytest.raises(DomainError):
        check_result(MatchResult(ResultKind.INTENTIONAL_DRAW, (1, 0)), 2, BEST_OF_3)


@pytest.mark.parametrize(
    "result",
    [
        MatchResult(ResultKind.NO_SHOW, (2, 0)),
        MatchResult(ResultKind.NO_SHOW, (2, 0), absent=(2,)),
        MatchResult(PLAYED, (2, 0), absent=(1,)),
    ],
)
def test_only_a_no_show_names_who_was_absent(result):
    with pytest.raises(DomainError):
        check_result(result, 2, BEST_OF_3)


def test_result_needs_one_number_a_seat():
    with pytest.raises(DomainError):
        check_result(MatchResult(PLAYED, (2,)), 2, BEST_OF_3)


def test_single_games_must_add_up():
    games = (GameResult(0, "master_plan"), GameResult(1), GameResult(0, "empty_deck"))
    check_result(MatchResult(PLAYED, (2, 1), games=games), 2, BEST_OF_3)
    with pytest.raises(DomainError):
        check_result(MatchResult(PLAYED, (2, 0), games=games), 2, BEST_OF_3)


@pytest.mark.parametrize(
    ("result", "outcomes"),
    [
        (MatchResult(PLAYED, (2, 1)), ("win", "loss")),
        (MatchResult(PLAYED, (1, 1)), ("draw", "draw")),
        (MatchResult(PLAYED, (0, 1)), ("loss", "win")),
        (MatchResult(ResultKind.DOUBLE_LOSS, (0, 0)), ("loss", "loss")),
        (no_show(2, (0,), BEST_OF_3), ("loss", "win")),
        (no_show(2, (0, 1), BEST_OF_3), ("loss", "loss")),
        (table_result((1, 1, 3)), ("win", "win", "loss")),
        (table_result((1, 1, 1)), ("draw", "draw", "draw")),
        (table_result(scores=(Fraction(12), Fraction(12), Fraction(12))), ("win", "win", "win")),
        (table_result((1, 1, 3), absent=(2,)), ("draw", "draw", "loss")),
        (table_result((1, 1, 3, 4), absent=(3,)), ("win", "win", "loss", "loss")),
        (table_result(scores=(Fraction(41), Fraction(41))), ("draw", "draw")),
        (intentional_draw(BEST_OF_3, 3), ("draw", "draw", "draw")),
    ],
)
def test_outcomes_follow_from_the_result(result, outcomes):
    assert result.outcomes == tuple(Outcome(outcome) for outcome in outcomes)

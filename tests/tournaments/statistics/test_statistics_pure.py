"""The arithmetic of statistics, in tables of cases."""

from fractions import Fraction

import pytest

from tournaments.statistics.figures import (
    Bin,
    GamePlayed,
    MatchPlayed,
    Rate,
    SeatPlayed,
    Share,
    Spread,
    closest_tables,
    count_draws,
    count_kinds,
    count_mirrors,
    count_rates,
    count_roles,
    count_seats,
    count_shares,
    longest_runs,
    spread_margins,
    spread_scores,
    wilson_interval,
)


def duel(one: int, other: int, outcome: str = "win", games: tuple[GamePlayed, ...] = ()) -> MatchPlayed:
    """A match of two, as the first ended it."""
    other_end = {"win": "loss", "loss": "win", "draw": "draw"}[outcome]
    return MatchPlayed((SeatPlayed(one, outcome), SeatPlayed(other, other_end)), games)


def table(*scores: int) -> MatchPlayed:
    """A table with scores, the first seat's first."""
    best = max(scores)
    seats = (SeatPlayed(n, "win" if each == best else "loss", Fraction(each)) for n, each in enumerate(scores, 1))
    return MatchPlayed(tuple(seats))


@pytest.mark.parametrize(
    ("successes", "trials", "low", "high"),
    [
        (0, 0, 0.0, 1.0),
        (0, 10, 0.0, 0.2775),
        (10, 10, 0.7225, 1.0),
        (5, 10, 0.2366, 0.7634),
        (81, 263, 0.2553, 0.3662),  # Newcombe 1998, table I
        (15, 148, 0.0624, 0.1605),
        (1, 29, 0.0061, 0.1718),
    ],
)
def test_wilson_interval_of_worked_numbers(successes: int, trials: int, low: float, high: float) -> None:
    assert wilson_interval(successes, trials) == pytest.approx((low, high), abs=5e-5)


def test_a_run_ends_with_a_draw_or_a_loss() -> None:
    rounds = [duel(1, 2), duel(1, 3), duel(2, 1), duel(1, 2), duel(3, 4), duel(3, 2), duel(3, 1, "draw"), duel(3, 4)]
    assert longest_runs(rounds) == ((1, 2), (3, 2))
    assert longest_runs([*rounds, duel(3, 2), duel(3, 1)]) == ((3, 3), (1, 2))
    assert longest_runs([duel(1, 2)]) == ()
    given = MatchPlayed((SeatPlayed(1, "unplayed"), SeatPlayed(2, "loss")))
    assert longest_runs([duel(1, 2), given, duel(1, 2)]) == ((1, 2),)
    assert longest_runs([duel(2, 1), duel(2, 3), given, duel(2, 1)]) == ((2, 2),)


def test_shares_are_counted_most_first() -> None:
    assert count_shares("bacab") == (Share("a", 2, 5), Share("b", 2, 5), Share("c", 1, 5))
    assert count_shares(()) == ()


def test_rates_leave_out_mirrors_and_whoever_has_no_label() -> None:
    label_of = {1: "x", 2: "y", 3: "x"}
    matches = [duel(1, 2), duel(2, 3, "draw"), duel(1, 3), duel(1, 9)]
    assert count_rates(matches, label_of) == (Rate("x", 1, 1, 0), Rate("y", 0, 1, 1))
    assert count_mirrors(matches, label_of) == 1


def test_rate_of_nothing_is_none_and_certain_of_nothing() -> None:
    rate = Rate("x", 0, 0, 0)
    assert (rate.value, rate.interval) == (0.0, (0.0, 1.0))


def test_roles_are_counted_game_by_game_without_penalties() -> None:
    games = (
        GamePlayed(0, "paladin", ("p", "n")),
        GamePlayed(0, "", ("n", "p")),
        GamePlayed(None, "", ("p", "n")),
        GamePlayed(1, "game_loss", ("p", "n")),
        GamePlayed(1),
    )
    assert count_roles(games, ["game_loss"]) == (Rate("n", 1, 1, 1), Rate("p", 1, 1, 1))
    assert count_kinds(games) == (Share("game_loss", 1, 2), Share("paladin", 1, 2))


def test_seats_are_counted_in_order_and_draws_apart() -> None:
    matches = [duel(1, 2), duel(3, 4), duel(5, 6, "draw"), duel(7, 8, "loss")]
    assert count_seats(matches) == (Rate("1", 2, 1, 1), Rate("2", 1, 1, 2))
    assert count_draws(matches) == 1


@pytest.mark.parametrize(
    ("scores", "bins"),
    [
        ((), ()),
        ((7,), (Bin(7, 7, 1),)),
        ((1, 2, 2, 12), (Bin(1, 1, 1), Bin(2, 2, 2), *(Bin(n, n, 0) for n in range(3, 12)), Bin(12, 12, 1))),
        ((-3, 20), (Bin(-4, -3, 1), *(Bin(n, n + 1, 0) for n in range(-2, 20, 2)), Bin(20, 21, 1))[:13]),
    ],
)
def test_scores_fall_into_few_even_bins(scores: tuple[int, ...], bins: tuple[Bin, ...]) -> None:
    found = spread_scores([table(*scores)] if scores else [])
    assert sum(each.count for each in found) == len(scores)
    assert len(found) <= 12
    if len(bins) <= 12:
        assert found == bins


def test_margins_are_between_the_two_best() -> None:
    matches = [table(30, 20, 10), table(5, 9), table(4), duel(1, 2)]
    assert spread_margins(matches) == Spread(Fraction(4), Fraction(7), Fraction(10), 2)
    assert spread_margins([]) is None


def test_closest_tables_are_those_where_the_best_two_were_least_apart() -> None:
    matches = [table(30, 20, 10), table(5, 9), table(4), duel(1, 2), table(7, 7), table(1, 5), table(2, 12)]
    assert closest_tables(matches) == (((7, 1), (7, 2)), ((9, 2), (5, 1)), ((5, 2), (1, 1)))
    assert closest_tables([duel(1, 2)]) == ()

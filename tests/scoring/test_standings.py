"""Standings against published worked numbers and against a second, naive computation.

See docs/how-it-works/standings-and-tiebreakers.md#magic.
"""

import random
from fractions import Fraction

import pytest

from rules_engine.errors import DomainError
from scoring.standings.percentages import shares_of
from scoring.standings.records import ContenderFacts, MatchKind, MatchRecord, Outcome, ScoringPolicy, SeatRecord
from scoring.standings.result_table import ResultTable
from scoring.standings.standings import compute_standings, decimal_text

THIRD = ScoringPolicy(floor=Fraction(33, 100))


def played(number, one, other, won, lost, drawn=0):
    outcome = Outcome.DRAW if won == lost else Outcome.WIN if won > lost else Outcome.LOSS
    opposite = {Outcome.WIN: Outcome.LOSS, Outcome.LOSS: Outcome.WIN, Outcome.DRAW: Outcome.DRAW}[outcome]
    return MatchRecord(
        number, MatchKind.PLAYED, (SeatRecord(one, outcome, won), SeatRecord(other, opposite, lost)), drawn
    )


def bye(number, one):
    return MatchRecord(number, MatchKind.BYE, (SeatRecord(one, Outcome.WIN, 2),))


def field_of(records):
    ids = {seat.contender for record in records for seat in record.seats}
    return ResultTable([ContenderFacts(each) for each in sorted(ids)], records, THIRD)


@pytest.mark.parametrize(
    ("results", "points", "share"),
    [
        ([(2, 0)] * 6 + [(0, 2)] * 2, 18, Fraction(18, 24)),
        ([(2, 0)] * 4 + [(0, 2)] * 2 + [(1, 1)] * 2, 14, Fraction(14, 24)),
        ([(2, 0)] * 5 + [(0, 2)] * 2 + [(1, 1)], 16, Fraction(16, 24)),
        ([(2, 0)] + [(0, 2)] * 3, 3, Fraction(3, 12)),
    ],
)
def test_match_points_and_share_equal_the_worked_numbers(results, points, share):
    field = field_of([played(number, 1, 2, *score) for number, score in enumerate(results, 1)])
    assert (field.totals.points[0], Fraction(*shares_of(field, "match_win")[0])) == (points, share)


@pytest.mark.parametrize(("score", "own", "other"), [((2, 0, 0), 6, 0), ((2, 1, 0), 6, 3), ((2, 0, 1), 7, 1)])
def test_game_points_equal_the_worked_numbers(score, own, other):
    assert field_of([played(1, 1, 2, *score)]).totals.game_points == [own, other]


def test_bye_counts_in_the_own_share_and_is_no_opponent():
    scores = [(2, 0), (2, 0), (0, 2), (0, 2)]
    field = field_of([bye(1, 1), *(played(number, 1, 2, *score) for number, score in enumerate(scores, 2))])
    assert Fraction(*shares_of(field, "match_win")[0]) == Fraction(9, 15)
    assert field.totals.opponents == [4, 4]
    assert shares_of(field, "game_win")[0] == (18, 30)


def opponents_records():
    """The eight opponents of the worked example: 4-4-0, 7-1-0, 1-3-1, 3-3-1, 6-2-0, 5-2-1, 4-3-1, 6-1-1."""
    histories = [(4, 4, 0), (7, 1, 0), (1, 3, 1), (3, 3, 1), (6, 2, 0), (5, 2, 1), (4, 3, 1), (6, 1, 1)]
    records = []
    for opponent, (wins, losses, draws) in enumerate(histories, start=2):
        scores = [(2, 0)] * wins + [(0, 2)] * losses + [(1, 1)] * draws
        against_us, *rest = scores
        records.append(played(1, opponent, 1, *against_us))
        records += [played(number, opponent, 100 + opponent, *score) for number, score in enumerate(rest, start=2)]
    return records


@pytest.mark.parametrize(("left_out", "expected"), [(None, "0.62"), (2, "0.63")])
def test_omw_equals_the_worked_example(left_out, expected):
    records = [
        record
        for record in opponents_records()
        if not (left_out and {1, left_out} <= {seat.contender for seat in record.seats})
    ]
    if left_out:
        records.append(bye(1, 1))
    standings = compute_standings(range(1, 120), records, THIRD)
    assert decimal_text(next(line.omw for line in standings if line.contender == 1), 2) == expected


def test_floor_raises_opponents_and_where_asked_the_own_game_share():
    records = [played(1, 1, 2, 2, 0), played(2, 1, 2, 2, 0)]
    floored, raw = (compute_standings([1, 2], records, ScoringPolicy(gw_floored=choice)) for choice in (True, False))
    assert floored[0].omw == Fraction(1, 3)
    assert (floored[1].gw, raw[1].gw) == (Fraction(1, 3), 0)
    assert raw[0].ogw == Fraction(1, 3)


def test_without_opponents_the_averages_are_the_floor():
    line = compute_standings([1], [bye(1, 1)], ScoringPolicy())[0]
    assert (line.match_points, line.omw, line.ogw, line.gw) == (3, Fraction(1, 3), Fraction(1, 3), 1)


def test_equal_keys_share_a_rank_and_the_next_rank_is_skipped():
    standings = compute_standings([5, 6, 7, 8], [played(1, 5, 6, 2, 0), played(1, 7, 8, 2, 0)], ScoringPolicy())
    assert [(line.rank, line.contender) for line in standings] == [(1, 5), (1, 7), (3, 6), (3, 8)]


def test_unknown_tiebreaker_is_refused():
    with pytest.raises(DomainError, match="luck"):
        compute_standings([], [], ScoringPolicy(tiebreakers=("luck",)))


@pytest.mark.parametrize(
    "bad",
    [
        {"win": 0},
        {"floor": "2"},
        {"floor": "1/0"},
        {"bye_games": [2]},
        {"luck": 1},
        {"draw": -1},
        {"bye_games": "many"},
        {"game_win": 0},
        {"decimals": 13},
        {"win": 101},
    ],
)
def test_policy_refuses_what_cannot_be(bad):
    with pytest.raises(DomainError):
        ScoringPolicy.from_dict(bad)


def test_policy_survives_the_way_through_json():
    policy = ScoringPolicy(floor=Fraction(33, 100), tiebreakers=("match_points", "rounds_played"), bye_games=(1, 0))
    assert ScoringPolicy.from_dict(policy.as_dict()) == policy


@pytest.mark.parametrize(
    ("share", "places", "text"),
    [
        (Fraction(1, 3), 10, "0.3333333333"),
        (Fraction(2, 3), 4, "0.6667"),
        (Fraction(1, 2), 0, "1"),
        (Fraction(-1, 8), 2, "-0.13"),
        (Fraction(-1, 999), 2, "0.00"),
    ],
)
def test_decimal_text_rounds_half_up(share, places, text):
    assert decimal_text(share, places) == text


def naive_line(contender, records, policy):
    """The same formulas written again in the plainest way, for comparison."""

    def history(who):
        return [record for record in records if any(seat.contender == who for seat in record.seats)]

    def own(record, who):
        return next(seat for seat in record.seats if seat.contender == who)

    def points(who):
        return sum(
            3 if record.kind is MatchKind.BYE else {"win": 3, "draw": 1, "loss": 0}[own(record, who).outcome]
            for record in history(who)
        )

    def match_share(who):
        return Fraction(points(who), 3 * len(history(who))) if history(who) else Fraction(0)

    def game_share(who):
        got = games = 0
        for record in history(who):
            won, lost = (
                (2, 0)
                if record.kind is MatchKind.BYE
                else (own(record, who).games_won, sum(s.games_won for s in record.seats if s.contender != who))
            )
            got, games = got + 3 * won + record.games_drawn, games + won + lost + record.games_drawn
        return Fraction(got, 3 * games) if games else Fraction(0)

    def average(share):
        met = [seat.contender for record in history(contender) for seat in record.seats if seat.contender != contender]
        return sum((max(share(who), policy.floor) for who in met), Fraction(0)) / len(met) if met else policy.floor

    return points(contender), average(match_share), max(game_share(contender), policy.floor), average(game_share)


@pytest.mark.sampled(4)
@pytest.mark.parametrize("seed", range(60))
def test_standings_equal_a_naive_second_computation(seed):
    chance = random.Random(seed)
    players = list(range(1, chance.randint(3, 12)))
    records = []
    for number in range(1, chance.randint(2, 7)):
        present = [player for player in players if chance.random() < 0.9]
        chance.shuffle(present)
        while len(present) > 1:
            records.append(
                played(
                    number,
                    present.pop(),
                    present.pop(),
                    *chance.choice([(2, 0), (2, 1), (1, 1), (0, 2), (1, 0), (0, 0)]),
                    chance.choice([0, 0, 1]),
                )
            )
        records += [bye(number, player) for player in present]
    chance.shuffle(records)
    policy = ScoringPolicy()
    standings = compute_standings(players, records, policy)
    for line in standings:
        assert (line.match_points, line.omw, line.gw, line.ogw) == naive_line(line.contender, records, policy)
    assert [line.keys for line in standings] == sorted((line.keys for line in standings), reverse=True)

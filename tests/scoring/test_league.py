"""Leagues: points by rank, best n, drops, ties; every sum derivable; best n against trying every choice."""

from itertools import combinations
from random import Random

import pytest

from scoring.standings.league_points import Finish, LeagueRules, compute_league
from tests.refusals import refusal

RULES = LeagueRules((10, 8, 6, 5), points_for_playing=1)


def league(results, rules=RULES, weights=None):
    """Standings of {player: {event: rank}}."""
    finishes = [Finish(player, event, rank) for player, ranks in results.items() for event, rank in ranks.items()]
    return compute_league(finishes, weights or {}, rules)


def ranks(lines):
    return {line.player: line.rank for line in lines}


@pytest.mark.parametrize(
    ("results", "best_of", "points"),
    [
        ({"ada": {0: 1, 1: 2}}, None, {"ada": 18}),
        ({"ada": {0: 1, 1: 2, 2: 9}}, 2, {"ada": 18}),
        ({"ada": {0: 9, 1: 9, 2: 9}}, 2, {"ada": 2}),
        ({"ada": {0: 2}, "ben": {0: 2}}, None, {"ada": 8, "ben": 8}),
        ({"ada": {0: 4}, "ben": {0: 5}}, 5, {"ada": 5, "ben": 1}),
        ({}, None, {}),
    ],
    ids=["sum", "worst dropped", "everybody plays for something", "shared rank undivided", "last rank", "nobody"],
)
def test_points_are_those_of_the_best_events(results, best_of, points):
    rules = LeagueRules(RULES.points, RULES.points_for_playing, best_of)
    assert {line.player: line.points for line in league(results, rules)} == points


@pytest.mark.parametrize(
    ("results", "best_of", "expected"),
    [
        ({"ada": {0: 2, 1: 2}, "ben": {0: 1, 1: 3}}, None, {"ben": 1, "ada": 2}),
        ({"ada": {0: 1}, "ben": {0: 1, 1: 9}}, 1, {"ben": 1, "ada": 2}),
        ({"ada": {0: 1, 1: 2}, "ben": {1: 1, 0: 2}, "cem": {0: 9}}, None, {"ada": 1, "ben": 1, "cem": 3}),
    ],
    ids=["better best event", "more events played", "shared, then skipped"],
)
def test_equal_sums_are_parted_as_the_page_says(results, best_of, expected):
    assert ranks(league(results, LeagueRules(RULES.points, 1, best_of))) == expected


def test_weights_multiply_points_before_the_best_are_chosen():
    (line,) = league({"ada": {0: 1, 1: 3}}, LeagueRules(RULES.points, 1, 1), {1: 2})
    assert (line.points, [(each.points, each.counted) for each in line.events]) == (12, [(10, False), (12, True)])


def test_of_equally_good_events_the_earlier_counts():
    (line,) = league({"ada": {3: 2, 1: 2}}, LeagueRules(RULES.points, 1, 1))
    assert [(each.event, each.counted) for each in line.events] == [(1, True), (3, False)]


def test_two_finishes_in_one_event_count_once_and_the_better():
    (line,) = compute_league([Finish("ada", 0, 3), Finish("ada", 0, 1)], {}, RULES)
    assert (line.points, len(line.events)) == (10, 1)


@pytest.mark.parametrize("seed", range(20))
def test_best_n_equals_the_best_of_every_choice(seed):
    chance = Random(seed)
    results = {
        player: {event: chance.randint(1, 8) for event in range(6) if chance.random() < 0.7} for player in range(12)
    }
    results = {player: events for player, events in results.items() if events}
    weights = {event: chance.randint(1, 3) for event in range(6)}
    best_of = chance.randint(1, 5)
    lines = league(results, LeagueRules(RULES.points, 1, best_of), weights)
    for line in lines:
        worth = [RULES.worth(rank) * weights[event] for event, rank in results[line.player].items()]
        choices = [
            sum(chosen) for count in range(best_of + 1) for chosen in combinations(worth, min(count, len(worth)))
        ]
        assert line.points == max(choices)
        assert line.points == sum(each.points for each in line.events if each.counted)
    for line in lines:
        ahead = [
            other for other in lines
            if (other.points, other.best, len(other.events)) > (line.points, line.best, len(line.events))
        ]  # fmt: skip
        assert line.rank == len(ahead) + 1


@pytest.mark.parametrize(
    "rules",
    [
        {"points": ()}, {"points": (1, 2)}, {"points": (5, -1)}, {"points": (3,), "points_for_playing": 4},
        {"points": (5000,)}, {"points": (1,) * 101}, {"points": (3,), "best_of": 0},
    ],
)  # fmt: skip
def test_rules_that_make_no_sense_are_refused(rules):
    assert refusal(LeagueRules, **rules) == "bad_league"

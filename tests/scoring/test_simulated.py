"""Made-up results are lawful for every length of match and every table."""

from random import Random

import pytest

from scoring.standings.records import Outcome
from scoring.standings.result_checks import check_result
from scoring.standings.results import MatchLength
from scoring.standings.simulated import simulated_result


@pytest.mark.parametrize("length", [MatchLength(1), MatchLength(3), MatchLength(5), MatchLength(2, exactly=True)])
@pytest.mark.parametrize("needs_winner", [False, True])
def test_result_of_two_is_lawful(length, needs_winner):
    chance = Random(7)
    for _try in range(200):
        result = simulated_result([chance.gauss(0, 1), 0.0], length, chance, needs_winner=needs_winner)
        check_result(result, 2, length)
        assert not needs_winner or Outcome.WIN in result.outcomes


@pytest.mark.parametrize("seats", [3, 4, 6])
def test_result_of_a_table_names_a_place_for_everybody(seats):
    result = simulated_result([0.0] * seats, MatchLength(1), Random(3))
    assert len(result.placings) == len(result.scores) == seats
    assert min(result.placings) == 1


def test_the_stronger_wins_more_often():
    chance = Random(1)
    won = sum(simulated_result([2.0, 0.0], MatchLength(3), chance).outcomes[0] is Outcome.WIN for _try in range(200))
    assert won > 130

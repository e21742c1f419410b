"""Beyond the budget: every field is answered, soundly, with a true bound; and the bounds themselves."""

import random
from dataclasses import replace

import pytest

from tests.tournaments.pairing.fields import field_of, random_state
from tests.tournaments.pairing.oracles import exhaustive_cost
from tests.tournaments.pairing.pair_checker import check_pairing
from tests.tournaments.pairing.states import crowded_state
from tournaments.pairing.swiss import fallback, solver
from tournaments.pairing.swiss.bounds import neighbour_bound, places_bound
from tournaments.pairing.swiss.contenders import Apart, Contender, Finish, PairingPolicy, RoundInput
from tournaments.pairing.swiss.costs import Costs
from tournaments.pairing.swiss.swiss import pair_swiss


@pytest.fixture
def tight(monkeypatch):
    """A budget that small fields exceed."""
    monkeypatch.setattr(solver, "BUDGET", 8)
    monkeypatch.setattr(solver, "BUDGET_TOP_DOWN", 8)
    monkeypatch.setattr(fallback, "WINDOW", 16)


@pytest.mark.sampled(6)
@pytest.mark.parametrize("number", range(60))
def test_beyond_the_budget_rounds_are_sound_and_bounds_true(number, seed, tight, monkeypatch):
    chance = random.Random(f"{seed} {number}")
    given = crowded_state(chance) if number % 2 else random_state(chance, 40)
    paired = pair_swiss(given)
    monkeypatch.setattr(solver, "BUDGET", 10_000)
    monkeypatch.setattr(solver, "BUDGET_TOP_DOWN", 10_000)
    best = pair_swiss(given)
    assert best.proved
    assert paired.bound <= best.cost <= paired.cost
    assert paired.proved == (paired.bound == paired.cost)
    problems = check_pairing(given, paired)
    assert {each.code for each in problems} <= {"avoidable_rematches", "avoidable_forbidden_pairs"}


def test_windows_find_a_round_without_flaws_where_there_are_many(tight):
    chance = random.Random(8)
    scores = chance.sample(range(3000), 301)
    met = [tuple(chance.sample(range(1, 302), 2)) for _ in range(60)]
    paired = pair_swiss(RoundInput(field_of(scores, [pair for pair in met if pair[0] != pair[1]])))
    assert (paired.cost.rematches, paired.cost.second_byes) == (0, 0)
    assert paired.cost.bye_score == paired.bound.bye_score
    assert paired.cost.sum_sq_diff < 2 * paired.bound.sum_sq_diff


@pytest.mark.sampled(4)
@pytest.mark.parametrize("number", range(40))
def test_no_round_beats_the_bound_of_neighbours(number, seed):
    given = replace(random_state(random.Random(f"{seed} bound {number}"), 3 + number % 6), locked=())
    field = [one for one in given.contenders if not one.awarded_bye]
    assert neighbour_bound(field, Costs(given)) <= exhaustive_cost(given)


@pytest.mark.parametrize(
    ("places", "least"), [([], 0), ([7], 0), ([1, 2, 9], 1), ([1, 8, 9], 1), ([1, 2, 5, 8, 9], 2), ([1, 3, 4, 8], 20)]
)
def test_places_are_bounded_by_neighbours_whoever_has_the_bye(places, least):
    assert places_bound([Contender(number, 0, place=place) for number, place in enumerate(places)]) == least


def test_any_integers_are_answered():
    field = tuple(
        Contender(10**30 + number, (number % 7 - 3) * 10**40, place=10**25 * number, downfloats=10**22)
        for number in range(31)
    )
    for finish in Finish:
        given = RoundInput(field, PairingPolicy(finish=finish))
        paired = pair_swiss(given)
        assert check_pairing(given, paired) == ()
        assert paired == pair_swiss(RoundInput(field[::-1], PairingPolicy(finish=finish)))


@pytest.mark.parametrize("size", range(4))
def test_the_smallest_fields_are_answered(size):
    paired = pair_swiss(RoundInput(tuple(Contender(number, 0, (9,), True) for number in range(size))))
    assert (len(paired.pairs), paired.bye is not None) == divmod(size, 2)
    assert paired.proved


def test_a_field_of_one_club_is_paired_for_the_rest_of_the_objective():
    field = tuple(Contender(number, number % 4, club="A") for number in range(64))
    for rule in (Apart.SOFT, Apart.HARD):
        paired = pair_swiss(RoundInput(field, PairingPolicy(clubs=rule)))
        assert paired.proved
        assert paired.cost.sum_sq_diff == 0

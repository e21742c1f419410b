"""The engine against the optimum: every pairing of small fields, networkx with exact integers on larger ones."""

import random
from dataclasses import replace

import hypothesis
import pytest
from hypothesis import settings
from hypothesis import strategies as st

from tests.tournaments.pairing.fields import field_of, random_policy, random_state
from tests.tournaments.pairing.oracles import EXHAUSTIVE, exhaustive_cost, free, least_cost, matched_cost
from tests.tournaments.pairing.pair_checker import check_pairing
from tournaments.pairing.swiss.contenders import Apart, Finish, Order, PairingPolicy, RoundInput
from tournaments.pairing.swiss.swiss import pair_swiss, pairing_cost

QUICK = [11, 12, 15, 20, 25, 30, 37, 44, 50, 60]
LARGE = [size for size in (61, 80, 100, 121, 150, 175, 200) for _ in range(6)]
DENSITIES = [0.02, 0.2, 0.6, 0.95]


def require_optimum(given, oracle):
    """The engine's round is sound, costs the oracle's optimum in each term, and its bound is none above it."""
    paired, best = pair_swiss(given), oracle(given)
    assert check_pairing(given, paired) == ()
    assert pairing_cost(given, paired.pairs, paired.bye) == paired.cost
    assert paired.bound <= best
    assert paired.cost == best


@st.composite
def small_rounds(draw):
    """Up to ten contenders with any history, every rule and either order."""
    size = draw(st.integers(1, EXHAUSTIVE))
    ids = list(range(1, size + 1))
    couples = [(one, other) for one in ids for other in ids if one < other]
    met = draw(st.lists(st.sampled_from(couples), max_size=3 * size)) if couples else []
    apart = draw(st.lists(st.sampled_from(couples), max_size=2)) if couples else []
    field = field_of(
        [draw(st.integers(0, 5)) * draw(st.sampled_from((1, 3))) for _ in ids],
        met,
        [one for one in ids if draw(st.booleans())],
        {one: draw(st.sampled_from("AB")) for one in ids if draw(st.booleans())},
        team={one: draw(st.sampled_from("ST")) for one in ids if draw(st.booleans())},
        apart={one: (other,) for one, other in apart},
        place={one: size + 1 - one for one in ids},
        downfloats={one: draw(st.integers(0, 2)) for one in ids},
        upfloats={one: draw(st.integers(0, 2)) for one in ids},
        awarded_bye={one: True for one in ids if draw(st.integers(0, 9)) == 0},
    )
    policy = PairingPolicy(*(draw(st.sampled_from(kinds)) for kinds in (Order, Apart, Apart, Finish)))
    seated = [each.id for each in field if not each.awarded_bye]
    locked = ((seated[0], seated[-1]),) if len(seated) > 2 and draw(st.booleans()) else ()
    return RoundInput(field, policy, draw(st.integers(0, 2**32)), locked)


@settings(max_examples=150, deadline=None)
@hypothesis.given(small_rounds())
def test_cost_equals_exhaustive_search_to_ten_players(given):
    require_optimum(given, exhaustive_cost)


@pytest.mark.long
@settings(max_examples=3_000, deadline=None)
@hypothesis.given(small_rounds())
def test_cost_equals_exhaustive_search_in_thousands_of_fields(given):
    require_optimum(given, exhaustive_cost)


@pytest.mark.sampled(4)
@pytest.mark.parametrize("order", Order)
@pytest.mark.parametrize("clubs", [Apart.IGNORE, Apart.SOFT])
@pytest.mark.parametrize("size", range(2, EXHAUSTIVE + 1))
def test_cost_equals_exhaustive_search_in_both_orders_with_and_without_clubs(size, clubs, order, seed):
    given = random_state(random.Random(f"{seed} {size} {clubs} {order}"), size, PairingPolicy(order, clubs))
    require_optimum(given, exhaustive_cost)


@pytest.mark.sampled(4)
@pytest.mark.parametrize("density", DENSITIES)
@pytest.mark.parametrize("size", QUICK)
def test_cost_equals_the_full_graph(size, density, seed):
    require_optimum(random_state(random.Random(f"{seed} {size} {density}"), size, density=density), matched_cost)


@pytest.mark.long
@pytest.mark.parametrize(("number", "size"), list(enumerate(LARGE)))
def test_cost_equals_the_full_graph_to_two_hundred(number, size, seed):
    chance = random.Random(f"{seed} {number}")
    require_optimum(random_state(chance, size, density=DENSITIES[number % len(DENSITIES)]), matched_cost)


@pytest.mark.long
@pytest.mark.parametrize("batch", range(20))
def test_cost_equals_the_optimum_in_a_thousand_random_rounds(batch, seed):
    chance = random.Random(f"{seed} batch {batch}")
    for _ in range(50):
        require_optimum(random_state(chance, chance.randint(6, 70), random_policy(chance)), least_cost)


@pytest.mark.sampled(4)
@pytest.mark.parametrize("number", range(40))
def test_both_oracles_agree(number, seed):
    given = random_state(random.Random(f"{seed} {number}"), 4 + number % 6)
    assert exhaustive_cost(given) == matched_cost(given)


def test_oracles_place_only_those_who_are_free():
    field = field_of([3, 3, 0, 0, 0], awarded_bye={5: True})
    given = replace(RoundInput(field), locked=((1, 4),))
    assert [each.id for each in free(given)] == [2, 3]
    assert least_cost(given).sum_sq_diff == 18

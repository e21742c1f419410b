"""The kernel against the full graph: large score groups, stand-ins that run out, guesses that are wrong."""

import random
from dataclasses import replace

import pytest

from tests.tournaments.pairing.fields import field_of
from tests.tournaments.pairing.oracles import matched_cost
from tests.tournaments.pairing.pair_checker import check_pairing
from tests.tournaments.pairing.states import crowded_state
from tournaments.pairing.swiss.contenders import Apart, Contender, Finish, Order, PairingPolicy, RoundInput
from tournaments.pairing.swiss.costs import Costs
from tournaments.pairing.swiss.large import large_groups
from tournaments.pairing.swiss.large.large_groups import divide
from tournaments.pairing.swiss.large.reduced_graph import Group, Kernel, vertices_of
from tournaments.pairing.swiss.swiss import pair_swiss


def is_never_large(_self, _group):
    return False


def is_boldly_large(_self, group):
    return len(group) > 3


def full_graph(given, monkeypatch):
    """The same round with every contender a vertex."""
    with monkeypatch.context() as patch:
        patch.setattr(large_groups._Ties, "few", is_never_large)
        return pair_swiss(given)


def require_same_cost(given, monkeypatch):
    paired, best = pair_swiss(given), full_graph(given, monkeypatch)
    assert best.proved
    assert (paired.cost, paired.bound, paired.proved) == (best.cost, best.cost, True)


@pytest.mark.sampled(5)
@pytest.mark.parametrize("number", range(150))
def test_cost_equals_the_full_graph_where_stand_ins_stand(number, seed, monkeypatch):
    require_same_cost(crowded_state(random.Random(f"{seed} crowd {number}")), monkeypatch)


@pytest.mark.sampled(5)
@pytest.mark.parametrize("number", range(100))
def test_cost_equals_the_full_graph_when_every_group_is_guessed_large(number, seed, monkeypatch):
    given = crowded_state(random.Random(f"{seed} bold {number}"), 10, 60)
    best = full_graph(given, monkeypatch)
    monkeypatch.setattr(large_groups._Ties, "few", is_boldly_large)
    paired = pair_swiss(given)
    assert (paired.cost, paired.bound, paired.proved) == (best.cost, best.cost, True)


@pytest.mark.parametrize("number", range(6))
def test_cost_equals_another_library_with_exact_integers(number, seed):
    given = crowded_state(random.Random(f"{seed} exact {number}"), 40, 70)
    paired = pair_swiss(given)
    assert paired.cost == paired.bound == matched_cost(given)
    assert check_pairing(given, paired) == ()


@pytest.mark.long
@pytest.mark.parametrize("number", range(60))
def test_cost_equals_another_library_on_crowds(number, seed):
    given = crowded_state(random.Random(f"{seed} library {number}"), 60, 120)
    assert pair_swiss(given).cost == matched_cost(given)


@pytest.mark.long
def test_cost_equals_the_full_graph_in_thousands_of_crowds(seed, monkeypatch):
    chance = random.Random(f"{seed} long")
    for _ in range(3_000):
        require_same_cost(crowded_state(chance, 6, 120), monkeypatch)


@pytest.mark.sampled(4)
@pytest.mark.parametrize("number", range(20))
def test_places_beyond_the_limit_keep_every_other_term_and_a_true_bound(number, seed, monkeypatch):
    given = crowded_state(random.Random(f"{seed} places {number}"))
    given = replace(given, policy=replace(given.policy, finish=Finish.STANDINGS))
    if number % 2:  # places that contradict the scores, as after a penalty
        given = replace(given, contenders=tuple(replace(one, place=-one.place) for one in given.contenders))
    best = pair_swiss(given)
    assert best.proved
    monkeypatch.setattr(large_groups, "STANDINGS_MOST", 0)
    paired = pair_swiss(given)
    assert replace(paired.cost, finish=0) == replace(best.cost, finish=0)
    assert paired.bound <= best.cost <= paired.cost
    assert paired.proved == (paired.bound == paired.cost)
    assert number % 2 or paired.cost.finish < 3 * best.cost.finish + 30
    assert check_pairing(given, paired) == ()


def test_a_thousand_players_need_a_small_kernel():
    chance = random.Random(4)
    field = field_of([chance.choice((0, 3, 3, 6, 6, 6, 9, 9, 12)) for _ in range(1001)])
    given = RoundInput(field, PairingPolicy(Order.TOP_DOWN))
    groups = divide(field, Costs(given))
    assert [group.standins for group in groups] == [2 + len(group.common) % 2 for group in groups]
    assert len(vertices_of(groups, dict.fromkeys(range(1, 1002), 0), Finish.LOT)) < 20
    assert pair_swiss(given).proved


def test_members_with_fewer_floats_are_vertices_themselves():
    field = [Contender(number, 3, downfloats=int(number > 2), upfloats=int(number < 60)) for number in range(1, 62)]
    (group,) = divide(field, Costs(RoundInput(tuple(field), PairingPolicy(finish=Finish.FEWEST_FLOATS))))
    assert {one.id for one in group.special} == {1, 2, 60, 61}
    assert {(one.downfloats, one.upfloats) for one in group.common} == {(1, 1)}


def test_stand_ins_cost_what_the_cheapest_member_costs():
    """Number 1 met all of the lower group but one, who shares his club: that costs a club pair, not a rematch."""
    lower = range(2, 22)
    field = field_of([6, *(0 for _ in lower)], [(1, other) for other in lower if other != 5], clubs={1: "A", 5: "A"})
    policy = PairingPolicy(clubs=Apart.SOFT)
    costs = Costs(RoundInput(field, policy))
    groups = [Group(0, [field[0]]), Group(1, [], list(field[1:]), 2)]
    kernel = Kernel(vertices_of(groups, dict.fromkeys(range(1, 22), 0), Finish.LOT), costs, odd=True)
    assert kernel.price(0, 1) == kernel.price(2, 0) == (0, 0, 1, 0)
    paired = pair_swiss(RoundInput(field, policy))
    assert paired.proved
    assert paired.cost.rematches == 0


def test_two_who_may_meet_the_same_member_alone_make_the_group_small(monkeypatch):
    lower = range(3, 23)
    met = [(1, 2), *((one, other) for one in (1, 2) for other in lower if other != 5)]
    given = RoundInput(field_of([6, 6, *(0 for _ in lower)], met))
    assert divide(given.contenders, Costs(given))[1].standins == 2
    require_same_cost(given, monkeypatch)


def test_meetings_and_wishes_count_whoever_lists_them():
    field = (Contender(1, 3, (2, 2)), Contender(2, 3), Contender(3, 3, apart=(4,)), Contender(4, 3))
    costs = Costs(RoundInput(field))
    assert costs.flaws(field[1], field[0]) == (0, 2, 0)
    assert costs.flaws(field[3], field[2]) == (1, 0, 0)


def test_opponents_who_left_do_no_harm():
    field = [Contender(number, 3, tuple(range(100, 140)), apart=(200,)) for number in range(1, 41)]
    paired = pair_swiss(RoundInput(tuple(field)))
    assert paired.proved
    assert paired.cost.rematches == 0

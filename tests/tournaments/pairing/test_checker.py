"""The checker finds every kind of fault that it claims to find, and its own decisions agree with networkx."""

import random
from dataclasses import replace

import networkx
import pytest

from tests.tournaments.pairing import pair_checker
from tests.tournaments.pairing.fields import field_of, random_state
from tests.tournaments.pairing.oracles import free, least_cost
from tests.tournaments.pairing.pair_checker import check_pairing, cost_of
from tournaments.pairing.swiss.contenders import (
    Apart,
    Finish,
    Order,
    PairingCost,
    PairingPolicy,
    RoundInput,
    RoundPairing,
)


def paired(given, pairs, bye=None, tables=None, **claims):
    """A round as an engine would hand it over, its cost by the checker's own code unless claimed otherwise."""
    known = {each.id for each in given.contenders}
    whole = {seat for pair in pairs for seat in pair} <= known and bye in {*known, None}
    cost = cost_of(given, pairs, bye) if whole else PairingCost()
    told = {
        "pairs": tuple(pairs),
        "tables": tuple(tables or range(1, len(pairs) + 1)),
        "bye": bye,
        "awarded_byes": tuple(each.id for each in given.contenders if each.awarded_bye),
        "cost": cost,
        "bound": cost,
        "proved": True,
        "seed": given.seed,
        "engine": "by hand",
        "input_hash": given.digest(),
    }
    return RoundPairing(**{**told, **claims})


FOUR = RoundInput(field_of([3, 3, 0, 0]))
MET = RoundInput(field_of([3, 3, 0, 0], [(1, 2)]))
FIVE = RoundInput(field_of([3, 3, 0, 0, 0], byes=[1]))
AWARDED = RoundInput(field_of([3, 3, 0], awarded_bye={3: True}))
LOCKED = RoundInput(field_of([3, 3, 0, 0], [(1, 2)]), locked=((1, 2),))
APART = RoundInput(field_of([3, 3, 0, 0], apart={1: (2,)}))
FIXED = RoundInput(field_of([3, 3, 0, 0], fixed_table={3: 1}))
TOP_DOWN = RoundInput(field_of([6, 3, 3, 0]), PairingPolicy(order=Order.TOP_DOWN))

SOUND = [
    (FOUR, [(1, 2), (3, 4)], {}),
    (FIVE, [(1, 2), (3, 4)], {"bye": 5}),
    (AWARDED, [(1, 2)], {}),
    (LOCKED, [(2, 1), (3, 4)], {}),
    (FIXED, [(1, 2), (3, 4)], {"tables": [2, 1]}),
    (TOP_DOWN, [(1, 2), (3, 4)], {}),
    (FOUR, [(1, 2), (3, 4)], {"bound": PairingCost(), "proved": False}),
    (RoundInput(()), [], {}),
    (RoundInput(field_of([0])), [], {"bye": 1}),
]
FAULTS = {
    "against_itself": (FOUR, [(1, 1), (2, 3)], {}),
    "not_one_place": (FOUR, [(1, 2)], {}),
    "stranger": (FOUR, [(1, 2), (3, 4), (8, 9)], {}),
    "awarded_bye_not_given": (AWARDED, [(1, 2)], {"bye": 3, "awarded_byes": ()}),
    "bye_not_awarded": (FIVE, [(1, 2), (3, 4)], {"awarded_byes": (5,)}),
    "locked_pair_broken": (LOCKED, [(1, 3), (2, 4)], {}),
    "second_bye": (FIVE, [(2, 3), (4, 5)], {"bye": 1}),
    "tables_do_not_fit": (FOUR, [(1, 2), (3, 4)], {"tables": [1]}),
    "table_twice": (FOUR, [(1, 2), (3, 4)], {"tables": [2, 2]}),
    "fixed_table_missed": (FIXED, [(1, 2), (3, 4)], {}),
    "cost_wrong": (FOUR, [(1, 2), (3, 4)], {"cost": PairingCost(sum_sq_diff=1), "proved": False}),
    "bound_above_cost": (FOUR, [(1, 2), (3, 4)], {"bound": PairingCost(finish=1), "proved": False}),
    "proved_with_a_gap": (FOUR, [(1, 3), (2, 4)], {"bound": PairingCost()}),
    "another_input": (FOUR, [(1, 2), (3, 4)], {"input_hash": "0" * 64}),
    "avoidable_rematches": (MET, [(1, 2), (3, 4)], {}),
    "avoidable_forbidden_pairs": (APART, [(1, 2), (3, 4)], {}),
}


@pytest.mark.parametrize(("given", "pairs", "claims"), SOUND)
def test_checker_accepts_a_sound_round(given, pairs, claims):
    assert check_pairing(given, paired(given, pairs, **claims)) == ()


@pytest.mark.parametrize("code", FAULTS)
def test_checker_names_the_fault(code):
    given, pairs, claims = FAULTS[code]
    assert code in {problem.code for problem in check_pairing(given, paired(given, pairs, **claims))}


def test_checker_names_every_contender_without_one_place():
    problems = check_pairing(FIVE, paired(FIVE, [(1, 2), (2, 3)], bye=4))
    assert [problem.params for problem in problems] == [
        {"contender": 2, "places": 2},
        {"contender": 5, "places": 0},
    ]


def test_checker_allows_a_second_bye_only_when_all_had_one_who_could_get_it():
    field = RoundInput(field_of([3, 3, 0, 0, 0], byes=[1, 2, 3], awarded_bye={4: True}), locked=((1, 5),))
    round_ = RoundInput(field.contenders + field_of([0] * 6)[5:], locked=((1, 5),))
    assert [each.id for each in free(round_)] == [2, 3, 6]
    codes = {problem.code for problem in check_pairing(round_, paired(round_, [(1, 5), (3, 6)], bye=2))}
    assert codes == {"second_bye"}
    served = replace(round_, contenders=(*round_.contenders[:5], replace(round_.contenders[5], had_bye=True)))
    assert check_pairing(served, paired(served, [(1, 5), (3, 6)], bye=2)) == ()


def test_checker_lets_one_of_two_fixed_tables_win():
    both = RoundInput(field_of([3, 3, 0, 0], fixed_table={1: 7, 2: 2, 3: 7}))
    assert check_pairing(both, paired(both, [(1, 2), (3, 4)], tables=[2, 7])) == ()
    assert check_pairing(both, paired(both, [(1, 4), (3, 2)], tables=[7, 2])) == ()
    missed = check_pairing(both, paired(both, [(1, 4), (3, 2)], tables=[1, 7]))
    assert [problem.code for problem in missed] == []  # 7 is held by one of its two, and 2 is his partner's own
    lost = check_pairing(both, paired(both, [(1, 4), (3, 2)], tables=[7, 1]))
    assert [(problem.code, problem.params["table"]) for problem in lost] == [("fixed_table_missed", 2)]


def test_checker_knows_which_locked_pairs_can_be_kept():
    locked = ((1, 2), (2, 3), (4, 9), (5, 5))
    given = RoundInput(field_of([3, 3, 0, 0, 0], awarded_bye={1: True, 5: True}), locked=locked)
    round_ = paired(given, [(1, 2), (3, 4)], awarded_byes=(5,))
    assert check_pairing(given, round_) == ()
    lost = check_pairing(given, paired(given, [(2, 3)], bye=4))
    assert {problem.code for problem in lost} == {"bye_not_awarded", "locked_pair_broken"}


@pytest.mark.parametrize("field", [[(1, 2), (3, 4)], [(1, 2)]])
def test_bye_in_an_even_field_or_none_in_an_odd_one_leaves_somebody_without_one_place(field):
    """By counting: so the checker needs no rule of its own for it."""
    size = 2 * len(field) + 1
    odd = RoundInput(field_of([0] * size))
    assert {problem.code for problem in check_pairing(odd, paired(odd, field))} == {"not_one_place"}
    even = RoundInput(field_of([0] * (size - 1)))
    found = check_pairing(even, paired(even, field, bye=1))
    assert {problem.code for problem in found} == {"not_one_place"}


def test_cost_counts_each_term_as_defined():
    policy = PairingPolicy(order=Order.TOP_DOWN, clubs=Apart.SOFT, teams=Apart.HARD, finish=Finish.FEWEST_FLOATS)
    field = field_of(
        [9, 6, 6, 3, 0],
        [(1, 2), (1, 2), (3, 4)],
        byes=[5],
        clubs={1: "A", 2: "A", 3: "B", 4: "C"},
        team={3: "T", 4: "T"},
        apart={3: (4,)},
        downfloats={1: 2, 3: 1, 4: 5},
        upfloats={2: 1, 4: 3, 1: 7},
    )
    cost = cost_of(RoundInput(field, policy), [(2, 1), (3, 4)], 5)
    assert cost == PairingCost(
        second_byes=1,
        forbidden_pairs=1,
        rematches=3,
        club_pairs=1,
        bye_score=0,
        downfloats=(1, 1, 0, 0),
        sum_sq_diff=18,
        finish=2 + 1 + 1 + 3,
    )


def test_cost_of_standings_is_the_squares_of_places():
    field = field_of([3, 3, 3, 3], place={1: 1, 2: 2, 3: 3, 4: 7})
    given = RoundInput(field, PairingPolicy(finish=Finish.STANDINGS))
    assert cost_of(given, [(4, 1), (2, 3)], None).finish == 36 + 1


@pytest.mark.sampled(4)
@pytest.mark.parametrize("number", range(60))
def test_checker_decides_like_networkx_whether_rematches_are_avoidable(number, seed):
    """A deliberately bad round is called avoidable exactly when the optimum has none."""
    chance = random.Random(f"{seed} {number}")
    given = random_state(chance, chance.randint(4, 14), PairingPolicy(teams=Apart.HARD), density=0.8)
    given = replace(given, locked=())
    ids = [each.id for each in free(given)]
    unserved = [each.id for each in free(given) if not each.had_bye]
    bye = (unserved or ids)[0] if len(ids) % 2 else None
    ids = [each for each in ids if each != bye]
    bad = paired(given, list(zip(ids[::2], ids[1::2], strict=True)), bye)
    codes = {problem.code for problem in check_pairing(given, bad)}
    best = least_cost(given)
    assert ("avoidable_forbidden_pairs" in codes) == (bad.cost.forbidden_pairs > 0 == best.forbidden_pairs)
    lawful = best.forbidden_pairs == best.rematches == 0
    assert ("avoidable_rematches" in codes) == (bad.cost.rematches > 0 and lawful)


def test_checker_decides_in_fields_up_to_its_limit_only(monkeypatch):
    monkeypatch.setattr(pair_checker, "DECIDED_UP_TO", 20)

    def verdict(players):
        given = RoundInput(field_of([0] * players, [(1, 2)]))
        pairs = [(one, one + 1) for one in range(1, players, 2)]
        return {problem.code for problem in check_pairing(given, paired(given, pairs))}

    assert verdict(20) == {"avoidable_rematches"}
    assert verdict(22) == set()


def test_oracle_graph_is_exact_for_weights_beyond_floats():
    graph = networkx.Graph()
    graph.add_weighted_edges_from([(1, 2, 2**90 + 1), (3, 4, 2**90), (1, 3, 2**90), (2, 4, 2**90)])
    assert {frozenset(pair) for pair in networkx.max_weight_matching(graph, True)} == {
        frozenset((1, 2)),
        frozenset((3, 4)),
    }

"""The Swiss pairer against exhaustive search, an independent checker, and itself in another process."""

import json
import os
import random
import subprocess
import sys
from dataclasses import astuple, replace
from itertools import combinations

import hypothesis
import networkx
import pytest
from hypothesis import settings
from hypothesis import strategies as st

from tests.tournaments.pairing.pair_checker import check_pairing
from tournaments.pairing.swiss.contenders import Apart, Contender, PairingPolicy, RoundInput
from tournaments.pairing.swiss.swiss import pair_swiss, pairing_cost, recommended_rounds

BYE = "bye"


def pair(contenders, seed, clubs=False):
    return pair_swiss(given(contenders, seed, clubs))


def given(contenders, seed=0, clubs=False):
    return RoundInput(tuple(contenders), PairingPolicy(clubs=Apart.SOFT if clubs else Apart.IGNORE), seed)


def pairings(field):
    """Every complete pairing of a field, byes included: (pairs, bye)."""
    if not field:
        yield [], None
        return
    first, rest = field[0], field[1:]
    for place, other in enumerate(rest):
        for pairs, bye in pairings(rest[:place] + rest[place + 1 :]):
            yield [(first, other), *pairs], bye
    if len(field) % 2:
        for pairs, bye in pairings(rest):
            if bye is None:
                yield pairs, first


@st.composite
def fields(draw):
    size = draw(st.integers(2, 8))
    ids = list(range(1, size + 1))
    met = draw(st.sets(st.tuples(st.sampled_from(ids), st.sampled_from(ids))))
    contenders = []
    for one in ids:
        opponents = tuple(other for other in ids if other != one and ((one, other) in met or (other, one) in met))
        contenders.append(
            Contender(
                one, draw(st.integers(0, 6)), opponents, draw(st.booleans()), draw(st.sampled_from([None, "A", "B"]))
            )
        )
    return contenders


@settings(max_examples=150, deadline=None)
@hypothesis.given(fields(), st.booleans(), st.integers(0, 2**32))
def test_cost_equals_exhaustive_search(contenders, clubs, seed):
    paired = pair(contenders, seed, clubs)
    ids = [contender.id for contender in contenders]
    best = min(
        pairing_cost(given(contenders, clubs=clubs), pairs, bye)
        for pairs, bye in pairings(ids)
        if (bye is None) == (len(ids) % 2 == 0)
    )
    assert paired.cost == best
    assert check_pairing(given(contenders, seed, clubs), paired) == ()


def play(size, rounds, seed):
    """A whole event with drops; yields each round's field and pairing."""
    chance = random.Random(seed)
    score, met, had_bye = dict.fromkeys(range(1, size + 1), 0), {one: [] for one in range(1, size + 1)}, set()
    for _number in range(rounds):
        field = [Contender(one, score[one], tuple(met[one]), one in had_bye) for one in score]
        round_input = given(field, chance.getrandbits(32))
        paired = pair_swiss(round_input)
        yield round_input, paired
        for one, other in paired.pairs:
            score[chance.choice((one, other))] += 3
            met[one].append(other)
            met[other].append(one)
        if paired.bye is not None:
            score[paired.bye] += 3
            had_bye.add(paired.bye)
        for one in [one for one in score if chance.random() < 0.03 and len(score) > rounds + 4]:
            del score[one]


@pytest.mark.parametrize("seed", range(8))
def test_whole_events_have_no_rematch_and_no_second_bye(seed):
    for round_input, paired in play(24 + seed, 6, seed):
        assert check_pairing(round_input, paired) == ()
        assert paired.cost.rematches == 0


def test_without_a_legal_pairing_the_fewest_rematches_are_made_and_counted():
    everybody = [Contender(one, 0, tuple(other for other in range(1, 5) if other != one)) for one in range(1, 5)]
    assert pair(everybody, 1).cost.rematches == 2


def test_bye_goes_to_the_lowest_without_one():
    field = [Contender(1, 9), Contender(2, 6), Contender(3, 3), Contender(4, 0, had_bye=True), Contender(5, 6)]
    assert pair(field, 3).bye == 3


def test_the_order_contenders_come_in_does_not_matter_and_the_seed_does():
    field = [Contender(number, 0) for number in range(1, 41)]
    turned = list(reversed(field))
    assert pair(field, 5) == pair(turned, 5)
    assert pair(field, 5).pairs != pair(field, 6).pairs


def test_tables_run_from_the_highest_score_down():
    field = [Contender(number, number // 2 * 3) for number in range(2, 18)]
    by_id = {contender.id: contender.score for contender in field}
    tops = [max(by_id[one], by_id[other]) for one, other in pair(field, 9).pairs]
    assert tops == sorted(tops, reverse=True)


SCRIPT = """
import json
from tournaments.pairing.swiss.contenders import Contender
from tournaments.pairing.swiss.swiss import pair_swiss
from tournaments.pairing.swiss.contenders import RoundInput
met = lambda n: tuple((n + k) % 63 + 1 for k in (1, 5) if (n + k) % 63 + 1 != n)
field = [Contender(n, (n * 7) % 5 * 3, met(n)) for n in range(1, 64)]
paired = pair_swiss(RoundInput(tuple(field), seed=77))
print(json.dumps([paired.pairs, paired.bye, paired.input_hash]))
"""


def test_two_processes_with_other_hash_seeds_pair_alike():
    answers = {
        subprocess.run(
            [sys.executable, "-c", SCRIPT],
            capture_output=True,
            text=True,
            check=True,
            env={**os.environ, "PYTHONHASHSEED": str(seed)},
        ).stdout
        for seed in (0, 1, 4242)
    }
    assert len(answers) == 1
    assert len(json.loads(answers.pop())[0]) == 31


@pytest.mark.parametrize(
    ("players", "rounds"),
    [(2, 1), (4, 2), (8, 3), (9, 4), (16, 4), (33, 6), (128, 7), (129, 8), (212, 8), (213, 9), (5000, 13)],
)
def test_recommended_rounds_follow_the_table(players, rounds):
    assert recommended_rounds(players) == rounds


@pytest.mark.parametrize("size", [12, 21, 40])
def test_cost_equals_another_library_on_the_full_graph(size, seed):
    chance = random.Random(f"{seed} {size}")
    field = [Contender(one, chance.randrange(5) * 3, had_bye=chance.random() < 0.2) for one in range(size)]
    met = {frozenset(chance.sample(range(size), 2)) for _ in range(size * 4)}
    field = [
        replace(one, opponents=tuple(sorted(b for a in met if one.id in a for b in a - {one.id}))) for one in field
    ]

    def cost_of(pairs):
        byes = [place for pair in pairs if BYE in pair for place in pair if place != BYE]
        return pairing_cost(given(field), [pair for pair in pairs if BYE not in pair], *byes or [None])

    places = [*range(size), BYE] if size % 2 else list(range(size))
    graph = networkx.Graph()
    for one, other in combinations(places, 2):
        weight = 0
        for term in astuple(replace(cost_of([(one, other)]), downfloats=0)):
            weight = weight * 10**6 + term
        graph.add_edge(one, other, weight=-weight)
    best = networkx.max_weight_matching(graph, maxcardinality=True)
    assert pair(field, seed).cost == cost_of(best)

"""The matching library's edges: terms that need more bits than it has, made least one after the other."""

import random
from itertools import combinations

import networkx
import pytest

from tournaments.pairing.swiss import matching
from tournaments.pairing.swiss.matching import Terms, match_least


def random_graph(chance, size, terms, largest):
    """Edges with random terms, packed."""
    most = [largest * size] * terms
    packed = Terms(most)
    edges = []
    for one, other in combinations(range(size), 2):
        if chance.random() < 0.7:
            values = [chance.choice((0, 0, chance.randint(0, largest))) for _ in range(terms)]
            edges.append((one, other, sum(value << shift for value, shift in zip(values, packed.shifts, strict=True))))
    return edges, packed


def least_by_networkx(size, edges):
    """The least cost, or None when no matching is perfect."""
    graph = networkx.Graph()
    graph.add_nodes_from(range(size))
    highest = max((cost for _, _, cost in edges), default=0)
    graph.add_weighted_edges_from((one, other, highest - cost) for one, other, cost in edges)
    pairs = networkx.max_weight_matching(graph, maxcardinality=True)
    costs = {frozenset(edge[:2]): edge[2] for edge in edges}
    return sum(costs[frozenset(pair)] for pair in pairs) if 2 * len(pairs) == size else None


@pytest.mark.sampled(4)
@pytest.mark.parametrize("number", range(60))
def test_many_terms_are_least_in_their_order(number, seed, monkeypatch):
    chance = random.Random(f"{seed} {number}")
    size = chance.choice((2, 4, 6, 10, 16, 24))
    edges, terms = random_graph(chance, size, chance.randint(1, 30), chance.choice((1, 2, 1000)))
    monkeypatch.setattr(matching, "MAX_BITS", chance.choice((60, 122)))
    matched = match_least(size, edges, terms)
    best = least_by_networkx(size, edges)
    assert (matched is None) == (best is None)
    if matched is not None:
        assert sorted(vertex for pair in matched.pairs for vertex in pair) == list(range(size))
        assert matched.cost >= best
        assert matched.cost == best or not matched.exact


@pytest.mark.parametrize("number", range(6))
def test_a_hundred_score_groups_are_matched_exactly(number, seed):
    chance = random.Random(f"{seed} groups {number}")
    groups = [place for place in range(60) for _ in range(chance.choice((1, 1, 2, 3)))]
    groups = groups[: len(groups) // 2 * 2]
    terms = Terms([*(groups.count(place) for place in range(59)), 60**2 * len(groups)])
    assert terms.bits + len(groups).bit_length() > 0
    edges = [
        (one, other, (1 << terms.shifts[groups[one]] if groups[one] < groups[other] else 0)
         + (groups[one] - groups[other]) ** 2)
        for one, other in combinations(range(len(groups)), 2)
        if chance.random() < 0.5
    ]  # fmt: skip
    matched = match_least(len(groups), edges, terms)
    assert matched is not None
    assert matched.exact
    assert matched.cost == least_by_networkx(len(groups), edges)


def test_terms_too_wide_for_the_library_are_matched_but_not_called_exact():
    wide = 1 << 300
    matched = match_least(4, [(0, 1, 0), (2, 3, wide), (0, 2, wide >> 5), (1, 3, wide >> 6)], Terms([4 * wide]))
    assert matched is not None
    assert matched.pairs == [(0, 2), (1, 3)]
    assert not matched.exact


def test_terms_of_a_sum_come_apart_again():
    terms = Terms([5, 0, 300])
    assert terms.unpack(sum(value << shift for value, shift in zip((4, 0, 299), terms.shifts, strict=True))) == [
        4,
        0,
        299,
    ]


def test_nothing_is_matched_in_an_empty_graph():
    assert match_least(0, [], Terms([])).pairs == []
    assert match_least(2, [], Terms([1])) is None

"""The least cost of a round, by exhaustive search and by networkx on the full graph with exact integers.

Both rest on the checker's cost and on nothing of the engine's.
"""

from dataclasses import replace
from itertools import combinations

import networkx

from tests.tournaments.pairing.pair_checker import cost_of
from tournaments.pairing.swiss.contenders import Order

EXHAUSTIVE = 10
BYE = "bye"


def least_cost(given):
    return exhaustive_cost(given) if len(free(given)) <= EXHAUSTIVE else matched_cost(given)


def exhaustive_cost(given):
    """The least cost over every complete pairing."""
    ids = [each.id for each in free(given)]
    return min(cost_of(given, [*locked(given), *pairs], bye) for pairs, bye in pairings(ids))


def matched_cost(given):
    """The cost of a minimum-weight perfect matching of the full graph, each term in digits of its own."""
    places = [*free(given), *([BYE] if len(free(given)) % 2 else [])]
    costs = {pair: digits(given, *pair) for pair in combinations(places, 2)}
    room = [1 + len(places) * max(column) for column in zip(*costs.values(), strict=True)]
    graph = networkx.Graph()
    graph.add_nodes_from(places)
    weights = {pair: in_one(terms, room) for pair, terms in costs.items()}
    highest = max(weights.values(), default=0)
    graph.add_weighted_edges_from((*pair, highest - weight) for pair, weight in weights.items())
    matched = [sorted(pair, key=lambda one: one == BYE) for pair in networkx.max_weight_matching(graph, True)]
    pairs = [(one.id, other.id) for one, other in matched if other != BYE]
    bye = next((one.id for one, other in matched if other == BYE), None)
    return cost_of(given, [*locked(given), *pairs], bye)


def locked(given):
    """The locked pairs that can be kept."""
    kept = []
    for pair in given.locked:
        taken = {seat for other in kept for seat in other}
        if pair[0] != pair[1] and {*pair} <= {each.id for each in given.contenders} - taken:
            kept.append(pair)
    return kept


def free(given):
    """Whom the engine may place as it likes."""
    seated = {seat for pair in locked(given) for seat in pair}
    return [each for each in given.contenders if not each.awarded_bye and each.id not in seated]


def pairings(ids):
    """Every complete pairing of some ids, with one bye when they are odd: (pairs, bye)."""
    if not ids:
        yield [], None
        return
    first, rest = ids[0], ids[1:]
    for place, other in enumerate(rest):
        for pairs, bye in pairings(rest[:place] + rest[place + 1 :]):
            yield [(first, other), *pairs], bye
    if len(ids) % 2:
        for pairs, _none in pairings(rest):
            yield pairs, first


def digits(given, one, other):
    """The terms of one pair (or bye) from the weightiest on, none negative, downfloats as one term a score group."""
    alone = replace(given, contenders=(one,) if other == BYE else (one, other), locked=())
    cost = cost_of(alone, [] if other == BYE else [(one.id, other.id)], one.id if other == BYE else None)
    lowest = min(each.score for each in given.contenders)
    groups = sorted({each.score for each in given.contenders}, reverse=True)
    floats = given.policy.order is Order.TOP_DOWN and any(cost.downfloats)
    upper = max(one.score, other.score) if floats else None
    return (
        cost.second_byes,
        cost.forbidden_pairs,
        cost.rematches,
        cost.club_pairs,
        cost.bye_score - lowest if other == BYE else 0,
        *(int(score == upper) for score in groups),
        cost.sum_sq_diff,
        cost.finish,
    )


def in_one(terms, room):
    """One integer that compares as the terms do."""
    whole = 0
    for term, base in zip(terms, room, strict=True):
        whole = whole * base + term
    return whole

"""Exact matching of least cost on small graphs, by the rustworkx library; costs of any size, term by term.

A cost is several terms packed into one integer, the weightiest in the highest bits, each term wide enough for the sum
over a whole matching: so the order of the integers is the lexicographic order of the terms, and sums never carry over.

The library's weights have 128 bits. Where all terms together need more, the first terms that fit are made least, then
the next ones among the matchings that are least in the first, and so on. "Least in the first" stays one small weight:
with least sums c1, c2, … of the terms so far, the weights v_last = 1, v_k = 1 + sum of v_j * c_j over later j, give
their weighted sum its minimum for exactly those sums (whoever is larger in an earlier term loses more than the later
ones can give back, since no term is negative). A term whose least sum is also its largest possible needs no weight,
and an edge that alone costs more than a least sum is never used again.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from operator import itemgetter

MAX_BITS = 122  # the library's weights have 128 bits; it doubles them and adds a few

Edge = tuple[int, int, int]
Pair = tuple[int, int]


class Terms:
    """How the terms of a cost are packed: `most` is the largest sum that each can reach in a whole matching."""

    def __init__(self, most: Sequence[int]) -> None:
        """Lay the terms out, the last in the lowest bits; a term that is always 0 takes none."""
        self.most = tuple(most)
        self.widths = [each.bit_length() for each in most]
        self.bits = sum(self.widths)
        self.shifts = [sum(self.widths[place + 1 :]) for place in range(len(most))]

    def unpack(self, packed: int) -> list[int]:
        """The terms of a cost or of a sum of costs."""
        return [packed >> shift & (1 << width) - 1 for shift, width in zip(self.shifts, self.widths, strict=True)]


@dataclass(frozen=True, slots=True)
class Matching:
    """Pairs of vertices, sorted, and the sum of their costs; `exact` when no perfect matching costs less."""

    pairs: list[Pair]
    cost: int
    exact: bool = True


def match_least(size: int, edges: Sequence[Edge], terms: Terms) -> Matching | None:
    """The perfect matching of least packed cost of the vertices 0..size-1; None when there is no perfect matching."""
    if terms.bits + size.bit_length() <= MAX_BITS:
        pairs, cost = _match(size, edges)
        return Matching(pairs, cost) if 2 * len(pairs) == size else None
    return _match_by_terms(size, edges, terms)


def assign_least(costs: Sequence[Sequence[int]]) -> list[int]:
    """The column of each row of a square matrix, every column once, with the least sum of costs."""
    size = len(costs)
    edges = [(row, size + column, cost) for row, line in enumerate(costs) for column, cost in enumerate(line)]
    return [column - size for _row, column in _match(2 * size, edges)[0]]


def _match_by_terms(size: int, edges: Sequence[Edge], terms: Terms) -> Matching | None:
    costs = {(one, other): cost for one, other, cost in edges}
    kept, frozen, pairs = list(edges), list[Pair](), list[Pair]()
    least = list[int]()
    exact = True
    while len(least) < len(terms.most):
        done = len(least)
        weights = _weights(least, terms.most)
        lead = sum(weight * sum_ for weight, sum_ in zip(weights, least, strict=True))
        room = MAX_BITS - size.bit_length() - (lead + 1).bit_length()
        upto = next((k for k in range(len(terms.most), done, -1) if sum(terms.widths[done:k]) <= room), done)
        if upto == done and lead:  # what the terms so far have decided stays, the others are matched on their own
            exact = False
            decided = _lead_of(weights, terms)
            frozen += [pair for pair in pairs if decided(costs[pair])]
            gone = {vertex for pair in frozen for vertex in pair}
            kept = [edge for edge in kept if not (edge[0] in gone or edge[1] in gone)]
            least = [0] * done
            continue
        top = terms.shifts[done] + terms.widths[done]
        upto = max(upto, done + 1)
        below = max(terms.shifts[upto - 1], top - room)  # a single term too wide for the library loses its lowest bits
        exact = exact and below == terms.shifts[upto - 1]
        pairs, _cost = _match(size, _compress(kept, _lead_of(weights, terms), top, below))
        if 2 * len(pairs) + 2 * len(frozen) < size:
            return None
        least = terms.unpack(sum(map(costs.__getitem__, pairs)))[:upto]
        kept = _affordable(kept, least, terms)
    pairs = sorted(pairs + frozen)
    return Matching(pairs, sum(map(costs.__getitem__, pairs)), exact)


def _weights(least: Sequence[int], most: Sequence[int]) -> list[int]:
    """The weight of each term that was made least (see the module's text)."""
    weights, total = [], 0
    for sum_, largest in zip(reversed(least), reversed(most[: len(least)]), strict=True):
        weights.append(1 + total if 0 < sum_ < largest else 0)
        total += weights[-1] * sum_
    return weights[::-1]


def _lead_of(weights: Sequence[int], terms: Terms) -> Callable[[int], int]:
    """The weighted sum of the terms that were made least, for any cost."""
    weighted = [
        (weight, shift, (1 << width) - 1)
        for weight, shift, width in zip(weights, terms.shifts, terms.widths, strict=False)
        if weight
    ]
    return lambda cost: sum(weight * (cost >> shift & mask) for weight, shift, mask in weighted)


def _compress(edges: Sequence[Edge], lead: Callable[[int], int], top: int, below: int) -> list[Edge]:
    """The edges with the terms above bit `top` as their weighted sum, and without the bits under `below`."""
    mask = (1 << top - below) - 1
    lead_of_top = cache(lambda upper: lead(upper << top) << top - below)
    return [(one, other, lead_of_top(cost >> top) | cost >> below & mask) for one, other, cost in edges]


def _affordable(edges: Sequence[Edge], least: Sequence[int], terms: Terms) -> list[Edge]:
    """The edges that alone cost no more than the least sum of each term made least so far."""
    upto = len(least)
    shift = terms.shifts[upto - 1]

    @cache
    def fits(upper: int) -> bool:
        return all(cost <= sum_ for cost, sum_ in zip(terms.unpack(upper << shift), least, strict=False))

    return [edge for edge in edges if fits(edge[2] >> shift)]


def _match(size: int, edges: Sequence[Edge]) -> tuple[list[Pair], int]:
    """A matching of most pairs, among these one of least cost; pairs sorted, for the library gives a set; and its cost.

    The library seeks the largest weight: that of an edge is what it costs less than the dearest one.
    """
    import rustworkx  # noqa: PLC0415 (3 MiB that no process needs before it pairs)

    highest = max(map(itemgetter(2), edges), default=0)
    graph: rustworkx.PyGraph[int, int] = rustworkx.PyGraph()
    graph.add_nodes_from(range(size))
    graph.add_edges_from(edges)
    matched = rustworkx.max_weight_matching(graph, max_cardinality=True, weight_fn=highest.__sub__)
    pairs = sorted((one, other) if one < other else (other, one) for one, other in matched)
    return pairs, sum(graph.get_edge_data(*pair) for pair in pairs)

"""Exact minimum-cost perfect matching of a complete graph, by the rustworkx library."""

from collections.abc import Callable

import rustworkx

MOST_BITS = 120  # the library's weights have 128 bits, and it doubles them


def match_all(size: int, cost: Callable[[int, int], int]) -> list[tuple[int, int]]:
    """Pair the vertices 0..size-1 (size even) so that the sum of `cost` (not negative) is least; pairs sorted.

    Raises OverflowError when the costs need more than the library's integers hold.
    """
    edges = [(one, other, cost(one, other)) for one in range(size) for other in range(one + 1, size)]
    highest = max((weight for _, _, weight in edges), default=0)
    if (highest * size).bit_length() > MOST_BITS:
        raise OverflowError("pairing costs exceed 120 bits")
    graph: rustworkx.PyGraph[int, int] = rustworkx.PyGraph(multigraph=False)
    graph.add_nodes_from(range(size))
    graph.add_edges_from([(one, other, highest - weight) for one, other, weight in edges])
    matched = rustworkx.max_weight_matching(graph, max_cardinality=True, weight_fn=int)
    return sorted((min(pair), max(pair)) for pair in matched)

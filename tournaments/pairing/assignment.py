"""The assignment problem: each row one column, at least cost (Kuhn and Munkres, with potentials, cubic)."""

from collections.abc import Sequence


def assign_least(costs: Sequence[Sequence[float]]) -> list[int]:
    """The column of each row of a square matrix (integers or floats) with the least sum of costs."""
    size = len(costs)
    rows: list[float]
    columns: list[float]
    rows, columns = [0] * (size + 1), [0] * (size + 1)
    taken = [0] * (size + 1)  # the row (from 1) of each column (from 1); column 0 holds the row to be placed
    for row in range(1, size + 1):
        taken[0], column = row, 0
        slack: list[float] = [float("inf")] * (size + 1)
        before = [0] * (size + 1)
        used = [False] * (size + 1)
        while taken[column]:
            used[column] = True
            here, nearest, best = taken[column], 0, float("inf")
            line, base = costs[here - 1], rows[here]
            for other in range(1, size + 1):
                if used[other]:
                    continue
                reduced = line[other - 1] - base - columns[other]
                if reduced < slack[other]:
                    slack[other], before[other] = reduced, column
                if slack[other] < best:
                    best, nearest = slack[other], other
            for other in range(size + 1):
                if used[other]:
                    rows[taken[other]] += best
                    columns[other] -= best
                else:
                    slack[other] -= best
            column = nearest
        while column:
            taken[column], column = taken[before[column]], before[column]
    placed = [0] * size
    for column in range(1, size + 1):
        placed[taken[column] - 1] = column - 1
    return placed

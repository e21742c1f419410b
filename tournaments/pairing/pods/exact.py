"""The cheapest seating of a small field, proved: all ways to fill tables, from the lowest place up, each rest once."""

from collections.abc import Callable, Sequence
from functools import cache
from itertools import combinations
from math import comb


def search_work(count: int, sizes: Sequence[int], byes: int) -> int:
    """About how many fillings `best_groups` looks at."""
    kinds = {*sizes, *([1] if byes else [])}
    left = {count}
    for size in (*sizes, *[1] * byes):
        left |= {rest - size for rest in left}
    return sum(comb(count - 1, count - rest) * comb(rest - 1, size - 1) for rest in left if rest > 0 for size in kinds)


def best_groups(
    count: int, sizes: Sequence[int], byes: int, table_cost: Callable[[tuple[int, ...]], int], bye_cost: Sequence[int]
) -> tuple[list[tuple[int, ...]], list[int]]:
    """Split the places 0..count-1 into tables of these sizes and byes at least cost: (tables, byes)."""
    kinds = sorted({*sizes, *([1] if byes else [])})
    numbers = tuple(byes if kind == 1 else list(sizes).count(kind) for kind in kinds)
    fillings = [[_fillings(first, count, kind, table_cost, bye_cost) for kind in kinds] for first in range(count)]

    @cache
    def fill(rest: int, numbers: tuple[int, ...]) -> tuple[int, int]:
        """Least cost of seating the bits of `rest`, and the table of the lowest of them."""
        if not rest:
            return 0, 0
        best, chosen = -1, 0
        first = (rest & -rest).bit_length() - 1
        for kind, number in enumerate(numbers):
            if not number:
                continue
            fewer = (*numbers[:kind], number - 1, *numbers[kind + 1 :])
            for table, cost in fillings[first][kind]:
                if table & rest == table:
                    total = cost + fill(rest ^ table, fewer)[0]
                    if total < best or best < 0:
                        best, chosen = total, table
        return best, chosen

    groups = []
    rest = (1 << count) - 1
    while rest:
        chosen = fill(rest, numbers)[1]
        members = tuple(place for place in range(count) if chosen >> place & 1)
        groups.append(members)
        kind = kinds.index(len(members))
        numbers = (*numbers[:kind], numbers[kind] - 1, *numbers[kind + 1 :])
        rest ^= chosen
    return [group for group in groups if len(group) > 1], [group[0] for group in groups if len(group) == 1]


def _fillings(
    first: int, count: int, size: int, table_cost: Callable[[tuple[int, ...]], int], bye_cost: Sequence[int]
) -> list[tuple[int, int]]:
    """Every table of this size whose lowest place is `first`, as (bits, cost)."""
    if size == 1:
        return [(1 << first, bye_cost[first])]
    groups = ((first, *others) for others in combinations(range(first + 1, count), size - 1))
    return [(sum(1 << place for place in group), table_cost(group)) for group in groups]

"""What no seating of tables can cost less than: pigeonholes for meetings, the best cut for scores.

See docs/how-it-works/pairing.md#pods.
"""

from collections.abc import Callable, Iterable, Sequence
from itertools import combinations
from math import isqrt
from typing import TypeVar

from tournaments.pairing.pods.contenders import TableContender, TableCost, TablePolicy
from tournaments.pairing.pods.costs import Ties, turns_in
from tournaments.pairing.pods.sizes import TableSizes

T = TypeVar("T")


def cost_bound(free: Sequence[TableContender], asked: TableSizes, policy: TablePolicy, ties: Ties) -> TableCost:
    """What no seating of the `free` contenders at these tables undercuts, each term by itself.

    Repeats and mates by pigeonhole, spread by the best cut of the sorted scores, the rest by the least for each alone.
    """
    out = sorted(free, key=lambda each: (each.byes, each.score))[: asked.byes]
    forbidden, repeats, mates = pair_bounds(asked, ties)
    distances = sorted([abs(size - policy.preferred) for size in asked.sizes for _ in range(size)], reverse=True)
    seats = max(asked.sizes, default=0)
    turns = sorted(min((turns_in(each, seat) for seat in range(seats)), default=0) for each in free)
    return TableCost(
        second_byes=sum(each.byes for each in out),
        forbidden_pairs=forbidden,
        repeats=repeats,
        club_pairs=mates,
        bye_score=sum(each.score for each in out) if policy.balance else 0,
        spread=cut_evenly([each.score for each in free], asked)[0] if policy.balance else 0,
        off_size=sum(
            distance * earlier
            for distance, earlier in zip(distances, sorted(each.off_size for each in free), strict=False)
        ),
        seats=sum(turns[: len(free) - asked.byes]),
    )


def pair_bounds(asked: TableSizes, ties: Ties) -> tuple[int, int, int]:
    """Least forbidden pairs, repeats and club pairs: every cover of the field by groups that share something counts.

    Earlier rounds are covers of the pairs that met: meetings are taken out a group at a time, so a pair that met c
    times is in c covers at most, and c squared is at least c.
    """
    forbidden = _fewest_inside(_cover(ties, lambda tie: tie[0] > 0), asked)
    mates = _fewest_inside(_cover(ties, lambda tie: tie[2] > 0), asked)
    left = [{other: isqrt(tie[1]) for other, tie in row.items() if tie[1]} for row in ties]
    repeats = 0
    while any(left):
        cover = _cover(left, lambda meetings: meetings > 0)
        fewest = _fewest_inside(cover, asked)
        if not fewest:
            break
        repeats += fewest
        for group in cover:
            for one, other in combinations(group, 2):
                left[one][other] -= 1
                left[other][one] -= 1
    return forbidden, max(repeats, _forced_meetings(asked, ties)), mates


def _cover(ties: Sequence[dict[int, T]], counts: Callable[[T], bool]) -> list[list[int]]:
    """Groups of places all tied to each other, everybody in one; large groups first found, not the fewest possible."""
    free = dict.fromkeys(range(len(ties)))
    groups = []
    while free:
        group = [next(iter(free))]
        inside = [other for other, tie in ties[group[0]].items() if other in free and counts(tie)]
        while inside:
            group.append(max(inside, key=lambda each: sum(_tied(ties, each, other, counts) for other in inside)))
            inside = [other for other in inside if _tied(ties, group[-1], other, counts)]
        for place in group:
            del free[place]
        groups.append(group)
    return groups


def _tied(ties: Sequence[dict[int, T]], one: int, other: int, counts: Callable[[T], bool]) -> bool:
    return other in ties[one] and counts(ties[one][other])


def _fewest_inside(groups: Sequence[Sequence[int]], asked: TableSizes) -> int:
    """Least pairs of one group at one table: tables fill evenly from the groups, and groups spread over the tables."""
    at_tables = sum(_pairs_inside(size, len(groups)) for size in asked.sizes)
    tables = len(asked.sizes)
    if not tables:
        return 0
    spread = sum(_pairs_inside(len(group), tables) for group in groups)
    saved = sorted((each // tables for group in groups for each in range(len(group))), reverse=True)[: asked.byes]
    return max(at_tables, spread - sum(saved))


def _pairs_inside(members: int, boxes: int) -> int:
    each, over = divmod(members, boxes)
    return boxes * (each * (each - 1) // 2) + over * each


def _forced_meetings(asked: TableSizes, ties: Ties) -> int:
    """Half of what each must meet again because too few strangers are left for the smallest table."""
    mates = min(asked.sizes, default=1) - 1
    forced = []
    for row in ties:
        met = sorted(tie[1] for tie in row.values() if tie[1])
        forced.append(sum(met[: max(0, mates - (len(ties) - 1 - len(met)))]))
    forced.sort()
    return -(-sum(forced[: len(ties) - asked.byes]) // 2)


def cut_evenly(scores: Iterable[int], asked: TableSizes) -> tuple[int, list[int]]:
    """The cut of the sorted scores into these tables with the least spread: (spread, sizes from the highest down).

    As many as have byes are left out wherever that saves most. Exact: with sizes that differ by one at most no seating
    spreads less than a cut (tested exhaustively).
    """
    ranked = sorted(scores, reverse=True)
    small = min(asked.sizes, default=0)
    larger = sum(size > small for size in asked.sizes)
    sums, squares = _running(ranked)
    best: dict[tuple[int, int, int], tuple[int, tuple[int, int, int] | None]] = {(0, 0, 0): (0, None)}
    for done in range(len(asked.sizes) + 1):
        for tall in range(max(0, done - len(asked.sizes) + larger), min(done, larger) + 1):
            for out in range(asked.byes + 1):
                if (done, tall, out) not in best:
                    continue
                here, _ = best[done, tall, out]
                at = done * small + tall + out
                steps = [((done, tall, out + 1), here)] if out < asked.byes else []
                for size, more in ((small, 0), (small + 1, 1)):
                    if done < len(asked.sizes) and tall + more <= larger and at + size <= len(ranked):
                        total = sums[at + size] - sums[at]
                        cost = size * (squares[at + size] - squares[at]) - total * total
                        steps.append(((done + 1, tall + more, out), here + cost))
                for state, cost in steps:
                    if state not in best or cost < best[state][0]:
                        best[state] = (cost, (done, tall, out))
    return _trace(best, (len(asked.sizes), larger, asked.byes), small)


def _running(ranked: Sequence[int]) -> tuple[list[int], list[int]]:
    sums, squares = [0], [0]
    for score in ranked:
        sums.append(sums[-1] + score)
        squares.append(squares[-1] + score * score)
    return sums, squares


def _trace(
    best: dict[tuple[int, int, int], tuple[int, tuple[int, int, int] | None]], end: tuple[int, int, int], small: int
) -> tuple[int, list[int]]:
    sizes, (cost, before) = [], best[end]
    state = end
    while before is not None:
        if before[0] < state[0]:
            sizes.append(small + state[1] - before[1])
        state, before = before, best[before][1]
    return cost, sizes[::-1]

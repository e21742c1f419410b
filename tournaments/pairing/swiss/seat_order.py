"""The order of seats at one table: everybody where they sat least, and not the same two in a row again."""

from collections.abc import Mapping, Sequence
from itertools import combinations

from tournaments.pairing.pods.search import Seating
from tournaments.pairing.swiss.matching import assign_least

EXACT_SEATS = 6  # up to so many every order is weighed; seven have 5,040, eight 40,320
ORDERS = 5_000  # tried while seats are balanced over tables, fewer at tables above EXACT_SEATS
WINDOW = 3


def best_order(
    members: Sequence[int], seats: Sequence[Sequence[int]], left: Sequence[Mapping[int, int]]
) -> tuple[tuple[int, int], tuple[int, ...]]:
    """The cheapest order of `members` as ((seats, targets), order): exact, the first of equal ones in the order given.

    Above EXACT_SEATS `seats` are exact and `targets` as few as swaps find; who then sits where is given by the order
    given. `seats[member]` counts earlier turns in each seat (missing ones are 0), `left[member]` those with each member
    next.
    """
    size = len(members)
    turns = {member: [*seats[member][:size], *[0] * (size - len(seats[member]))] for member in members}
    floor = sum(min(turns[member]) for member in members)
    if size > EXACT_SEATS:
        return _assigned_order(members, turns, floor, left)
    best = (1 << 62, 1 << 62)
    answer: tuple[int, ...] = tuple(members)

    def place(order: tuple[int, ...], rest: tuple[int, ...], seated: int, least: int, targets: int) -> bool:
        """Fill the next seat; `seated + least` is a bound. True when nothing better can follow."""
        nonlocal best, answer
        if not rest:
            cost = (seated, targets + _again(left, order[-1], order[0]))
            if cost < best:
                best, answer = cost, order
            return best == (floor, 0)
        seat = len(order)
        for spot, member in enumerate(rest):
            now = seated + turns[member][seat]
            later = least - min(turns[member])
            again = targets + (_again(left, order[-1], member) if order else 0)
            if (now + later, again) < best and place(
                (*order, member), rest[:spot] + rest[spot + 1 :], now, later, again
            ):
                return True
        return False

    place((), tuple(members), 0, floor, 0)
    return best, answer


def _assigned_order(
    members: Sequence[int], turns: Mapping[int, Sequence[int]], floor: int, left: Sequence[Mapping[int, int]]
) -> tuple[tuple[int, int], tuple[int, ...]]:
    """Seats assigned at least cost, then swapped while that parts neighbours and costs no seat."""

    def cost(order: Sequence[int]) -> tuple[int, int]:
        following = zip(order, [*order[1:], *order[:1]], strict=True)
        seated = sum(turns[member][seat] for seat, member in enumerate(order))
        return seated, sum(_again(left, member, other) for member, other in following)

    order = list(members)
    best = cost(order)
    if best[0] > floor:
        chosen = assign_least([turns[member] for member in members])
        order = [member for _seat, member in sorted(zip(chosen, members, strict=True))]
        best = cost(order)
    improved = bool(best[1])
    while improved:
        improved = False
        for one, other in combinations(range(len(order)), 2):
            order[one], order[other] = order[other], order[one]
            now = cost(order)
            if now < best:
                best, improved = now, True
            else:
                order[one], order[other] = order[other], order[one]
    return best, tuple(order)


def _again(left: Sequence[Mapping[int, int]], member: int, following: int) -> int:
    return left[member].get(following, 0) ** 2


def balance_seats(seating: Seating, seats: Sequence[Sequence[int]], left: Sequence[Mapping[int, int]]) -> None:
    """Swap contenders between tables where it costs nothing else and makes the seats fairer, ORDERS orders at most."""
    tables = range(seating.out)
    costs = [best_order(seating.groups[number], seats, left)[0] for number in tables]
    budget = ORDERS * EXACT_SEATS // max(EXACT_SEATS, *map(len, seating.groups[: seating.out]))
    for number in tables:
        for one in list(seating.groups[number]):
            if costs[number] <= _floor(seating.groups[number], seats) or budget <= 0:
                break
            budget -= _swap_seats(seating, seats, left, costs, one)


def _swap_seats(
    seating: Seating,
    seats: Sequence[Sequence[int]],
    left: Sequence[Mapping[int, int]],
    costs: list[tuple[int, int]],
    one: int,
) -> int:
    """Make the first swap of this contender that helps; the number of orders tried."""
    number = seating.where[one]
    near = range(max(0, number - WINDOW), min(seating.out, number + WINDOW + 1))
    tried = 0
    for other in [other for there in near if there != number for other in seating.groups[there]]:
        if seating.delta(one, other) != (0, 0):
            continue
        there = seating.where[other]
        seating.swap(one, other)
        tried += 2
        now = [best_order(seating.groups[each], seats, left)[0] for each in (number, there)]
        if _sum(*now) < _sum(costs[number], costs[there]):
            costs[number], costs[there] = now
            break
        seating.swap(other, one)
    return tried


def _floor(members: Sequence[int], seats: Sequence[Sequence[int]]) -> tuple[int, int]:
    return sum(min([*seats[member][: len(members)], *[0] * len(members)][: len(members)]) for member in members), 0


def _sum(one: tuple[int, int], other: tuple[int, int]) -> tuple[int, int]:
    return one[0] + other[0], one[1] + other[1]

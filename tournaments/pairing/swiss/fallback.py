"""Matches a kernel beyond the budget in windows and repairs what is left: good, quick, not proved."""

from collections.abc import Iterator, Sequence
from operator import add

from tournaments.pairing.swiss.costs import Costs
from tournaments.pairing.swiss.large.fill_large_groups import Couple
from tournaments.pairing.swiss.large.reduced_graph import Kernel, Vertex
from tournaments.pairing.swiss.matching import Pair
from tournaments.pairing.swiss.seating import order_couples

WINDOW = 200  # vertices matched at a time; half of them are settled
MAX_WORK = 4_000_000  # opponents looked at, and ten more an exchange, while flaws are repaired: about a second


def match_in_windows(vertices: Sequence[Vertex], costs: Costs, *, odd: bool) -> tuple[Kernel, list[Pair]]:
    """The kernel of all vertices and a perfect matching: the bye to the lowest, then exact matchings of score slices.

    Of each slice the upper half of the pairs is kept, the others join the next slice. A pair with a flaw waits for a
    later slice while there is room.
    """
    kernel = Kernel(vertices, costs, odd=odd)
    waiting = list(range(len(vertices)))
    pairs: list[Pair] = []
    if odd:
        bye = min(waiting, key=lambda place: (vertices[place].had_bye, -kernel.places[place], vertices[place].lot))
        pairs.append((bye, len(vertices)))
        waiting.remove(bye)
    while waiting:
        window, waiting = waiting[:WINDOW], waiting[WINDOW:]
        matching, _ = Kernel([vertices[place] for place in window], costs, odd=False).match()
        matched = sorted(((window[one], window[other]) for one, other in matching.pairs), key=max)
        if waiting:
            clean = [pair for pair in matched[: WINDOW // 4] if not any(kernel.price(*pair)[:3])]
            matched = clean if len(clean) > WINDOW // 8 else matched[: WINDOW // 4]
            settled = {place for pair in matched for place in pair}
            waiting = [place for place in window if place not in settled] + waiting
        pairs += matched
    return kernel, sorted(pairs)


def repair(couples: Sequence[Couple], costs: Costs) -> list[Couple]:
    """The couples, those with a flaw having changed partners with the nearest in score where that lessens flaws."""
    repaired = order_couples(couples)
    work = 0
    for place, couple in enumerate(repaired):
        if costs.clean(*couple):
            continue
        for where in _outwards(place, len(repaired)):
            work += 10 + sum(len(one.opponents) for one in (*repaired[place], *repaired[where]))
            found = _exchange(repaired[place], repaired[where], costs)
            if found:
                repaired[place], repaired[where] = found
            if found or work > MAX_WORK:
                break
    return repaired


def _outwards(place: int, size: int) -> Iterator[int]:
    for step in range(1, size):
        yield from (where for where in (place + step, place - step) if 0 <= where < size)


def _exchange(couple: Couple, with_: Couple, costs: Costs) -> tuple[Couple, Couple] | None:
    """Two couples of the same four with fewer flaws, the weightier first; of two ways that of fewer squares."""

    def flaws(one: Couple, other: Couple) -> tuple[int, ...]:
        return tuple(map(add, costs.flaws(*one), costs.flaws(*other)))

    (one, other), (third, fourth) = couple, with_
    ways = (((one, third), (other, fourth)), ((one, fourth), (other, third)))
    best = min(ways, key=lambda way: (flaws(*way), sum((a.score - b.score) ** 2 for a, b in way)))
    return best if flaws(*best) < flaws(couple, with_) else None

"""Matches a kernel beyond the budget in windows: good, quick, not proved."""

from collections.abc import Sequence

from tournaments.pairing.costs import Costs
from tournaments.pairing.kernel import Kernel, Vertex
from tournaments.pairing.matching import Pair

WINDOW = 200  # vertices matched at a time; half of them are settled


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

"""Pairs the inside of a large score group without a flaw: shuffle and swap, and the exact way where that fails."""

from collections.abc import Callable, Sequence

from tournaments.pairing.swiss.contenders import Contender
from tournaments.pairing.swiss.matching import Terms, match_least

MAX_EXACT = 300  # members; a larger group is left to the swaps alone

Couple = tuple[Contender, Contender]
Clean = Callable[[Contender, Contender], bool]


def pair_inside(members: Sequence[Contender], clean: Clean) -> tuple[list[Couple], bool]:
    """Pair an even number of members, neighbours first; says whether every pair is clean.

    Both of a pair with a flaw change partners with the next pair where that makes two clean ones. There is such a pair
    whenever m > 2d (m members, nobody kept from more than d of them): a pair is of no use only if it holds two of the
    2d - 2 others that the two are kept from, and there are m / 2 - 1 > d - 1 pairs.
    """
    pairs = list(zip(members[::2], members[1::2], strict=True))
    flawed = [place for place, (one, other) in enumerate(pairs) if not clean(one, other)]
    for place in flawed:
        if not clean(*pairs[place]):
            _swap(pairs, place, clean)
    if all(clean(*pairs[place]) for place in flawed):
        return pairs, True
    return _pair_exactly(members, clean) or (pairs, False)


def _swap(pairs: list[Couple], place: int, clean: Clean) -> None:
    one, other = pairs[place]
    for where in sorted(range(len(pairs)), key=lambda where: abs(where - place))[1:]:
        for third, fourth in (pairs[where], pairs[where][::-1]):
            if clean(one, third) and clean(other, fourth):
                pairs[place], pairs[where] = (one, third), (other, fourth)
                return


def _pair_exactly(members: Sequence[Contender], clean: Clean) -> tuple[list[Couple], bool] | None:
    if len(members) > MAX_EXACT:
        return None
    edges = [
        (one, other, 0)
        for one in range(len(members))
        for other in range(one + 1, len(members))
        if clean(members[one], members[other])
    ]
    matching = match_least(len(members), edges, Terms(()))
    if matching is None:
        return None
    return [(members[one], members[other]) for one, other in matching.pairs], True

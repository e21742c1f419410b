"""Brings people of near places together where stand-ins keep places from being matched exactly (Finish.STANDINGS)."""

from collections import defaultdict
from collections.abc import Sequence

from tournaments.pairing.swiss.contenders import Contender
from tournaments.pairing.swiss.large.fill_large_groups import Clean, Couple

NEAR = 4  # how far apart in the order of places of a score group two are that may change partners
PASSES = 10


def bring_together(couples: Sequence[Couple], clean: Clean) -> list[Couple]:
    """The same couples after exchanges of partners that lessen the squared differences of places.

    Only two of one score group change, and only for pairs without a flaw: no other term can grow.
    """
    partners: dict[int, Contender] = {}
    groups = defaultdict[int, list[Contender]](list)
    for couple in couples:
        for one, other in (couple, couple[::-1]):
            partners[one.id] = other
            groups[one.score].append(one)
    for group in groups.values():
        group.sort(key=lambda one: (one.place, one.id))
    for _ in range(PASSES):
        if not sum(_exchange(group, partners, clean) for group in groups.values()):
            break
    firsts = (one for score in sorted(groups, reverse=True) for one in groups[score])
    return [(one, other) for one in firsts if _is_first(one, other := partners[one.id])]


def _is_first(one: Contender, other: Contender) -> bool:
    return (-one.score, one.place, one.id) < (-other.score, other.place, other.id)


def _exchange(group: Sequence[Contender], partners: dict[int, Contender], clean: Clean) -> int:
    """One pass over a score group; how many exchanges were made."""
    made = 0
    for place, one in enumerate(group):
        for other in group[place + 1 : place + 1 + NEAR]:
            first, second = partners[one.id], partners[other.id]
            if first is other or not _gain(one, other, first, second):
                continue
            if clean(one, second) and clean(other, first):
                partners[one.id], partners[second.id] = second, one
                partners[other.id], partners[first.id] = first, other
                made += 1
    return made


def _gain(one: Contender, other: Contender, first: Contender, second: Contender) -> bool:
    """Whether one with second and other with first is less than one with first and other with second."""
    return (one.place - other.place) * (first.place - second.place) < 0

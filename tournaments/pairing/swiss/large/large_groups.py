"""Which score groups are large, and whom stand-ins stand for. A wrong guess costs time, never truth.

See docs/how-it-works/pairing.md#kernel.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Sequence

from tournaments.pairing.swiss.contenders import Contender, Finish
from tournaments.pairing.swiss.costs import Costs
from tournaments.pairing.swiss.large.reduced_graph import Group

FEW = 6  # members with fewer floats than the others, below this many, are vertices themselves
STANDINGS_MOST = 600  # contenders; up to here places are matched exactly, without stand-ins


def divide(field: Sequence[Contender], costs: Costs) -> list[Group]:
    """The score groups from the highest, members as they come; large where stand-ins will probably do."""
    members = defaultdict[int, list[Contender]](list)
    for one in field:
        members[costs.ranks[one.score]].append(one)
    groups = [Group(rank, members[rank]) for rank in sorted(members)]
    if costs.finish_rule is Finish.STANDINGS and len(field) <= STANDINGS_MOST:
        return groups
    ties = _Ties(field, costs)
    for group in groups:
        if ties.few(group.special):
            _enlarge(group, costs)
    return groups


class _Ties:
    """How many others of a group each member is kept from."""

    def __init__(self, field: Sequence[Contender], costs: Costs) -> None:
        self.costs = costs
        self.mates = Counter(kind for one in field for kind in costs.mates_of(one)) if costs.keeps_mates_apart else {}
        self.apart = Counter(one for pair in costs.apart for one in pair)
        self.most = max((len(one.opponents) for one in field), default=0)
        self.most += 2 * max(self.mates.values(), default=0) + max(self.apart.values(), default=0)

    def few(self, group: Sequence[Contender]) -> bool:
        """Whether the group is large: its inside can be paired whoever leaves it."""
        left = len(group) - 5
        return left > 2 * self.most or (left > 2 and left > 2 * self._most_inside(group))

    def _most_inside(self, group: Sequence[Contender]) -> int:
        ids = {one.id for one in group}
        mates = Counter(kind for one in group for kind in self.costs.mates_of(one)) if self.mates else {}
        return max(
            sum(other in ids for other in one.opponents)
            + self.apart[one.id]
            + sum(mates[kind] - 1 for kind in (self.costs.mates_of(one) if mates else ()))
            for one in group
        )


def _enlarge(group: Group, costs: Costs) -> None:
    """Put stand-ins for all members but the few with fewer floats, where floats count."""
    common = group.special
    special: list[Contender] = []
    if costs.finish_rule is Finish.FEWEST_FLOATS:
        for count in (lambda one: one.downfloats, lambda one: one.upfloats):
            common, fewer = _split(common, count)
            special += fewer
    if len(common) > 2 * len(special) + 4:
        group.special, group.common, group.standins = special, common, 2 + len(common) % 2


def _split(members: Sequence[Contender], count: Callable[[Contender], int]) -> tuple[list[Contender], list[Contender]]:
    """The members, and those with fewer floats than at least FEW others have in common, taken away from them."""
    having = Counter(map(count, members))
    least = next((floats for floats in sorted(having) if having[floats] >= FEW), 0)
    return [one for one in members if count(one) >= least], [one for one in members if count(one) < least]

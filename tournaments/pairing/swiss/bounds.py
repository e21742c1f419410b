"""Lower bounds that hold for every pairing, for rounds that the kernel does not prove.

See docs/how-it-works/pairing.md#bounds.
"""

from collections import Counter
from collections.abc import Sequence

from tournaments.pairing.swiss.contenders import Apart, Contender, Finish, PairingCost
from tournaments.pairing.swiss.costs import Costs


def neighbour_bound(field: Sequence[Contender], costs: Costs) -> PairingCost:
    """A cost that no pairing of the field can beat.

    In an odd field the bye goes to the lowest score that had none; whoever gives it elsewhere is worse in an earlier
    term. Squares are convex: pairing neighbours of the sorted list is least, whoever may meet whom. Of a club of more
    than half the field, some must meet.
    """
    odd = len(field) % 2 == 1
    had_bye = all(one.had_bye for one in field)
    scores = sorted(one.score for one in field)
    bye = min((one.score for one in field if one.had_bye == had_bye), default=0) if odd else 0
    if odd:
        scores.remove(bye)
    return PairingCost(
        second_byes=int(odd and had_bye),
        forbidden_pairs=_mates_who_must_meet(field, costs, Apart.HARD),
        club_pairs=_mates_who_must_meet(field, costs, Apart.SOFT),
        bye_score=bye,
        downfloats=(0,) * (len(costs.scores) if costs.top_down else 0),
        sum_sq_diff=_squares(scores),
        finish=places_bound(field) if costs.finish_rule is Finish.STANDINGS else 0,
    )


def _mates_who_must_meet(field: Sequence[Contender], costs: Costs, rule: Apart) -> int:
    """Pairs inside a club or team of more than half the field, after everybody else has met one of them."""
    if not costs.keeps_mates_apart:
        return 0
    sizes = Counter(mates for one in field for mates in costs.mates_of(one, rule))
    return max(0, 2 * max(sizes.values(), default=0) - len(field)) // 2


def places_bound(field: Sequence[Contender]) -> int:
    """The least sum of squared differences of places; in an odd field whoever has the bye."""
    places = sorted(one.place for one in field)
    if len(places) % 2 == 0:
        return _squares(places)
    before = [0]
    for place in range(0, len(places) - 1, 2):
        before.append(before[-1] + (places[place + 1] - places[place]) ** 2)
    after = [0]
    for place in range(len(places) - 1, 0, -2):
        after.append(after[-1] + (places[place] - places[place - 1]) ** 2)
    return min(one + other for one, other in zip(before, reversed(after), strict=True))


def _squares(numbers: Sequence[int]) -> int:
    return sum((other - one) ** 2 for one, other in zip(numbers[::2], numbers[1::2], strict=True))

"""The draw of the next deck check: nobody can compute it without the event's key, and with it anybody can repeat it."""

import hmac
from collections.abc import Iterable, Mapping
from types import MappingProxyType

COSTS_NOTHING = 60.0
"""A check that moves the round's expected end by less than these seconds is as good as one that doesn't."""
LOOKED_AHEAD = 10
"""How many of the hidden order may be passed over for a cheaper table: more would leave too many for the last round."""
NO_COSTS: Mapping[int, float] = MappingProxyType({})


def propose_check(
    candidates: Iterable[int],
    times_checked: Mapping[int, int],
    key: bytes,
    costs: Mapping[int, float] = NO_COSTS,
    *,
    in_order: bool = False,
) -> int | None:
    """Which of `candidates` (entry numbers) is checked next; None without a candidate.

    The secret `key` puts those checked least often in an order, another one each time round. The first whose check
    costs nothing is drawn, the first of all where every check costs, or where those passed over are due: `in_order`.
    `costs` are seconds, 0 where not named. Who is not in `times_checked` was never checked.
    """
    pool = least_checked(candidates, times_checked)
    order = sorted(pool, key=lambda number: _place(key, number, times_checked.get(number, 0)))
    if in_order or not order:
        return order[0] if order else None
    ahead = order[:LOOKED_AHEAD]
    return next((number for number in ahead if costs.get(number, 0) < COSTS_NOTHING), order[0])


def least_checked(candidates: Iterable[int], times_checked: Mapping[int, int]) -> list[int]:
    """Those of `candidates` checked least often, in ascending order."""
    numbers = sorted(set(candidates))
    fewest = min((times_checked.get(number, 0) for number in numbers), default=0)
    return [number for number in numbers if times_checked.get(number, 0) == fewest]


def _place(key: bytes, number: int, times: int) -> bytes:
    return hmac.digest(key, f"{number}:{times}".encode(), "sha256")

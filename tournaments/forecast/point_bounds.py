"""How many can be brought to a need at once: the least balance of wins over losses that it takes.

In a round any two may meet, so all that binds is that as many win as lose, and that one sits out where the field is
odd. Whoever wins more than loses needs a person who pays: a distribution of results exists if and only if the balances
(wins less losses) can be made at most 0, because one result can always be raised until they are 0. A table holds, for
how many are brought there and how the byes were given, the least balance.

Over two rounds the balance of each must be 0. The sum of both is enough but in one case: it is exactly 0, nobody has a
draw beside a win or a loss, and an odd number have a win and a loss: then one round has two winners too many, and
swapping the rounds of one of them moves the surplus to the other round. `twist` follows that. Over three rounds and
more the sum is still necessary; nothing is called certain wrongly, but in such a case later than it could be.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations_with_replacement

from tournaments.forecast.stage_state import Stakes

WIN, DRAW, LOSS, BYE = "w", "d", "l", "b"
BALANCE = {WIN: 1, DRAW: 0, LOSS: -1, BYE: 0}
EVEN, ODD, MIXED = 0, 1, 2

State = tuple[int, int | None, int]
"""Byes given so far; over two rounds also what the one with a bye in one of them got in the other, and the twist."""

Table = Mapping[tuple[int, State], int]
"""Least balance by how many were brought there and by state."""

START: State = (0, None, EVEN)
NOTHING: Table = {(0, START): 0}


@dataclass(frozen=True, slots=True)
class Way:
    """What one runner may get in the rounds to come: its value in points, and what it costs the others."""

    value: int
    balance: int
    byes: int = 0
    beside_bye: int | None = None
    twist: int = EVEN


@lru_cache(maxsize=256)
def ways(stakes: Stakes, rounds: int, *, two: bool, odd: bool) -> tuple[Way, ...]:
    """Every way through so many rounds, in any order; byes only in an `odd` field, twists only where `two` count."""
    kinds = (WIN, DRAW, LOSS, BYE) if odd else (WIN, DRAW, LOSS)
    return tuple(way_of(results, stakes, two=two) for results in combinations_with_replacement(kinds, rounds))


def way_of(results: tuple[str, ...], stakes: Stakes, *, two: bool) -> Way:
    """The way that these results make."""
    worth = {WIN: stakes.win, DRAW: stakes.draw, LOSS: stakes.loss, BYE: stakes.bye}
    value, balance = sum(worth[each] for each in results), sum(BALANCE[each] for each in results)
    byes = results.count(BYE)
    if not two or len(results) < 2:
        return Way(value, balance, byes)
    if byes == 1:
        return Way(value, balance, byes, beside_bye=balance)
    return Way(value, balance, byes, twist=_twist(*(BALANCE[each] for each in results)) if not byes else EVEN)


def _twist(one: int, other: int) -> int:
    return (EVEN, MIXED, ODD)[abs(one - other)]


def table_of(choices: Iterable[tuple[int, Way]]) -> Table:
    """The table of one runner from its choices: how much each counts, and the way it goes."""
    found: dict[tuple[int, State], int] = {}
    for count, way in choices:
        key = (count, (way.byes, way.beside_bye, way.twist))
        found[key] = min(way.balance, found.get(key, way.balance))
    return found


def join(one: Table, other: Table, most: int, byes: int, *, drops: bool) -> Table:
    """Both together; counts above `most` are left out where it `drops` them, else taken for `most`."""
    found: dict[tuple[int, State], int] = {}
    for (count, state), balance in one.items():
        for (more, beside), extra in other.items():
            total = count + more
            if total > most:
                if drops:
                    continue
                total = most
            if state[0] + beside[0] > byes:
                continue
            key, sum_ = (total, _joined(state, beside)), balance + extra
            if sum_ < found.get(key, sum_ + 1):
                found[key] = sum_
    return found


def _joined(one: State, other: State) -> State:
    waiting = [each for each in (one[1], other[1]) if each is not None]
    twists = [one[2], other[2]]
    if len(waiting) == 2:  # who has a bye in the first round, who in the second: together they are one who plays both
        twists.append(_twist(*waiting))
        waiting = []
    twist = MIXED if MIXED in twists else twists.count(ODD) % 2
    return one[0] + other[0], waiting[0] if waiting else None, twist


def either(tables: Iterable[Table]) -> Table:
    """The better of several for each count and state."""
    found: dict[tuple[int, State], int] = {}
    for table in tables:
        for key, balance in table.items():
            found[key] = min(balance, found.get(key, balance))
    return found


def is_possible(balance: int, state: State, byes: int) -> bool:
    """Whether results of everybody with this balance can be played."""
    given, waiting, twist = state
    return given == byes and waiting is None and (balance < 0 or (balance == 0 and twist != ODD))

"""Round robin by Berger tables (FIDE Handbook C.05, Annex 1: Details of Berger Tables)."""

from collections.abc import Sequence
from dataclasses import dataclass

from rules_engine.errors import DomainError
from rules_engine.messages import Message, gettext_noop

Pair = tuple[int, int]


@dataclass(frozen=True, slots=True)
class RobinRound:
    """One round: its pairs in the order of the table, the first seat first, and who has the bye in an odd field."""

    number: int
    pairs: tuple[Pair, ...]
    bye: int | None = None


def pair_round_robin(entrants: Sequence[int], *, double: bool = False) -> tuple[RobinRound, ...]:
    """All rounds of a round robin; `entrants` by their numbers in the table, `double` adds the return leg.

    Everybody meets everybody once (twice with the return leg, seats reversed). First and second seats of one leg differ
    by one at most. With a return leg the last two rounds of the first leg change places, as Annex 1 recommends, so that
    nobody has the same seat three times in a row (in a field of four a person has, in either order). DomainError:
    bad_field_size, repeated_entrant.
    """
    if len(entrants) < 2:
        raise DomainError("bad_field_size", Message(gettext_noop("A round robin needs two entrants.")))
    if len(set(entrants)) < len(entrants):
        raise DomainError("repeated_entrant", Message(gettext_noop("Nobody can take two places.")))
    leg = [_seated(table, entrants) for table in berger_table(len(entrants) + len(entrants) % 2)]
    if double:
        leg[-2:] = reversed(leg[-2:])
        leg += [([(other, one) for one, other in pairs], bye) for pairs, bye in leg]
    return tuple(RobinRound(number, tuple(pairs), bye) for number, (pairs, bye) in enumerate(leg, 1))


def berger_table(size: int) -> tuple[tuple[Pair, ...], ...]:
    """The published table for an even `size`: rounds of pairs of numbers from 1, the first seat first.

    The last number meets 1, size/2 + 1, 2, … in turn and changes its seat every round; the others sit mirror-like
    around the one it meets.
    """
    last, rounds = size, []
    for number in range(size - 1):
        centre = number * size // 2 % (size - 1)
        top = (last, centre + 1) if number % 2 else (centre + 1, last)
        rest = [((centre + step) % (size - 1) + 1, (centre - step) % (size - 1) + 1) for step in range(1, size // 2)]
        rounds.append((top, *rest))
    return tuple(rounds)


def _seated(table: Sequence[Pair], entrants: Sequence[int]) -> tuple[list[Pair], int | None]:
    """A round of the table with entrants for numbers; the number beyond an odd field is the bye."""
    ghost = len(entrants) + 1
    pairs = [(entrants[one - 1], entrants[other - 1]) for one, other in table if ghost not in (one, other)]
    alone = next((min(pair) for pair in table if ghost in pair), None)
    return pairs, entrants[alone - 1] if alone else None

"""How fair the tables of an event were, and what earlier rounds mean for the next: from seatings to values."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

from tournaments.pairing.pods.contenders import TableContender


@dataclass(frozen=True, slots=True)
class PlayedTables:
    """One round as it was seated: tables in seat order, and who sat out."""

    tables: tuple[tuple[int, ...], ...]
    byes: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Fairness:
    """What each has had so far.

    `meetings` counts shared tables by pair (the lower id first), pairs that never met left out. `seats` counts turns in
    the first, second, ... seat, `sizes` tables by their size, and `byes` rounds sat out, each by contender.
    """

    meetings: Mapping[tuple[int, int], int]
    seats: Mapping[int, tuple[int, ...]]
    sizes: Mapping[int, Mapping[int, int]]
    byes: Mapping[int, int]

    @property
    def repeats(self) -> int:
        """Meetings after the first, over all pairs."""
        return sum(number - 1 for number in self.meetings.values())


def fairness_of(rounds: Iterable[PlayedTables]) -> Fairness:
    """Count what happened in these rounds, in any order; everybody who sat or sat out is in it."""
    meetings: Counter[tuple[int, int]] = Counter()
    turns: dict[int, Counter[int]] = {}
    sizes: dict[int, Counter[int]] = {}
    byes: Counter[int] = Counter()
    for played in rounds:
        byes.update(played.byes)
        for table in played.tables:
            meetings.update(combinations(sorted(table), 2))
            for seat, each in enumerate(table):
                turns.setdefault(each, Counter())[seat] += 1
                sizes.setdefault(each, Counter())[len(table)] += 1
    everybody = sorted({*turns, *byes})
    return Fairness(
        meetings=dict(sorted(meetings.items())),
        seats={each: _in_a_row(turns.get(each, Counter())) for each in everybody},
        sizes={each: dict(sorted(sizes.get(each, Counter()).items())) for each in everybody},
        byes={each: byes[each] for each in everybody},
    )


def contenders_from(
    rounds: Sequence[PlayedTables], active: Iterable[TableContender], preferred: int
) -> tuple[TableContender, ...]:
    """The active contenders with what earlier rounds left them: opponents, seats, odd tables, byes, who sat next.

    Give ids, scores, clubs and the like in `active`; who is new there has no history, who dropped is an opponent alone.
    """
    fairness = fairness_of(rounds)
    opponents = _gathered(rounds, lambda table, seat: table[:seat] + table[seat + 1 :])
    left = _gathered(rounds, lambda table, seat: (table[(seat + 1) % len(table)],))
    return tuple(
        replace(
            each,
            opponents=tuple(opponents.get(each.id, ())),
            left=tuple(left.get(each.id, ())),
            seats=fairness.seats.get(each.id, ()),
            off_size=_off_size(fairness.sizes.get(each.id, {}), preferred),
            byes=fairness.byes.get(each.id, 0),
        )
        for each in active
    )


def _gathered(
    rounds: Iterable[PlayedTables], pick: Callable[[tuple[int, ...], int], tuple[int, ...]]
) -> dict[int, list[int]]:
    found: dict[int, list[int]] = {}
    for played in rounds:
        for table in played.tables:
            for seat, each in enumerate(table):
                found.setdefault(each, []).extend(pick(table, seat))
    return found


def _in_a_row(turns: Mapping[int, int]) -> tuple[int, ...]:
    return tuple(turns.get(seat, 0) for seat in range(max(turns, default=-1) + 1))


def _off_size(sizes: Mapping[int, int], preferred: int) -> int:
    return sum(number for size, number in sizes.items() if size != preferred)

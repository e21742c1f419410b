"""Multi-player tables: ours beside exhaustive search and krcg, on the same numbers of players and table sizes."""

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

from krcg.seating import get_rounds, optimise

from tests.benchmarks.pairing.clock import Timed, time_call
from tournaments.pairing.pods.contenders import TableContender, TableInput, TablePolicy
from tournaments.pairing.pods.pods import seat_tables

FOURS = TablePolicy(preferred=4, least=3, most=5)
FIVES = TablePolicy(preferred=5, least=4, most=5, balance=False)
KRCG_ITERATIONS = 20_000

Tables = tuple[tuple[int, ...], ...]


@dataclass(frozen=True, slots=True)
class Seated:
    """One round of an event: what was asked, the tables, and spread with its bound."""

    given: TableInput
    tables: Tables
    spread: int
    least_spread: int


def play_tables(size: int, rounds: int, policy: TablePolicy, seed: int) -> Iterator[Seated]:
    """An event of tables seated by ours, the winner of each table by lot."""
    chance = random.Random(f"{seed} {size}")
    field = [TableContender(number) for number in range(1, size + 1)]
    for _ in range(rounds):
        given = TableInput(tuple(field), policy, chance.getrandbits(32))
        seated = seat_tables(given)
        yield Seated(given, seated.tables, seated.cost.spread, seated.bound.spread)
        at = {seat: table for table in seated.tables for seat in table}
        field = [_after(each, at.get(each.id, ()), policy, chance) for each in field]


def repeats_of(rounds: Sequence[Tables]) -> int:
    """Meetings beyond the first of every two, over all rounds."""
    return sum(times - 1 for times in _meetings(rounds).values())


def least_repeats(given: TableInput, sizes: Sequence[int]) -> int:
    """The least sum of squared earlier meetings that tables of these sizes can have: every seating is tried."""
    ids = [each.id for each in given.contenders]
    met = {each.id: Counter(each.opponents) for each in given.contenders}
    best = [sum(count * count for counts in met.values() for count in counts.values()) + 1]
    _try(ids, Counter(sizes), met, 0, best)
    return best[0]


def repeats_cost(given: TableInput, tables: Tables) -> int:
    """The sum of squared earlier meetings of all who share a table."""
    met = {each.id: Counter(each.opponents) for each in given.contenders}
    return sum(met[one][other] ** 2 for table in tables for one, other in combinations(table, 2))


def time_ours(size: int, seed: int, repeats: int) -> Timed:
    """Three rounds of ours on krcg's table sizes, scores ignored as krcg does; the answer is their repeats."""

    def call() -> list[Tables]:
        return [seated.tables for seated in play_tables(size, 3, FIVES, seed)]

    return time_call(lambda: call, repeats_of, repeats)


def time_krcg(size: int, repeats: int) -> Timed:
    """Three rounds by krcg's annealing; the answer is their fewest repeats over the timed calls."""
    found: list[int] = []

    def call() -> Any:
        rounds, _ = optimise(get_rounds(list(range(size)), 3), KRCG_ITERATIONS, fixed=1)
        found.append(repeats_of([tuple(map(tuple, each)) for each in rounds]))

    return time_call(lambda: call, lambda _: min(found), repeats)


def _try(rest: list[int], sizes: Counter[int], met: dict[int, Counter[int]], cost: int, best: list[int]) -> None:
    if not rest:
        best[0] = min(best[0], cost)
        return
    for size in [size for size, left in sizes.items() if left]:
        for others in combinations(rest[1:], size - 1):
            table = (rest[0], *others)
            more = cost + sum(met[one][other] ** 2 for one, other in combinations(table, 2))
            if more < best[0]:
                fewer = sizes - Counter([size])
                _try([each for each in rest if each not in table], fewer, met, more, best)


def _meetings(rounds: Sequence[Tables]) -> Counter[frozenset[int]]:
    return Counter(frozenset(pair) for tables in rounds for table in tables for pair in combinations(table, 2))


def _after(each: TableContender, table: Sequence[int], policy: TablePolicy, chance: random.Random) -> TableContender:
    if not table:
        return replace(each, byes=each.byes + 1)
    seat = table.index(each.id)
    counts = [*each.seats, *[0] * (seat + 1 - len(each.seats))]
    counts[seat] += 1
    return replace(
        each,
        score=each.score + 3 * (table[0] == each.id and chance.random() < 0.5) + chance.choice((0, 0, 1)),
        opponents=each.opponents + tuple(other for other in table if other != each.id),
        seats=tuple(counts),
        off_size=each.off_size + (len(table) != policy.preferred),
        left=(*each.left, table[(seat + 1) % len(table)]),
    )

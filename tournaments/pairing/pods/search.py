"""Seating of larger fields: from a good start downhill by swaps, then by annealed reassignment.

A swap is judged by what it changes (delta evaluation). Reassignment takes one contender from each of several tables and
puts them back at least cost all at once, an assignment problem; annealing adds chance to its costs and cools down.
Work is counted in swaps and reassignments, never in seconds.
"""

import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from tournaments.pairing.swiss.matching import assign_least

NO_SWAP = (1 << 60, 0)
SWAPS, REASSIGNMENTS = 200_000, 1_500  # of a whole search; about 0.4 s
WINDOW = 3  # tables that a swap looks up and down
FINE = 1024  # parts of a cost that chance is counted in, for the matching takes whole numbers
AT_ONCE = 6  # tables of a reassignment
ANNEALED = 100  # largest field in which chance takes part
SAMPLES = 200
HOT, COLD, WEIGHT = 1.0, 0.03, 4.0  # temperatures and weight of a repeat, in typical changes of a swap
HOT_REPEATS, COLD_REPEATS = 0.5, 0.05  # temperatures in repeats, where nothing else counts
Delta = tuple[int, int]


@dataclass(frozen=True, slots=True)
class SearchTerms:
    """What the search weighs, by place in the field; `hard` comes before everything soft.

    `hard[place]` is the cost of sharing a table with other places (a first repeat costs `repeat`). Soft are the spread
    of `scores` and, `unit` times finer, `off_size[place]` at each table times the table's distance from the preferred
    size. `byes` counts earlier ones; sitting out costs `bye_unit` a point of score.
    """

    hard: Sequence[dict[int, int]]
    repeat: int
    scores: Sequence[int]
    off_size: Sequence[int]
    byes: Sequence[int]
    unit: int
    bye_unit: int


class Seating:
    """Contenders at tables, the byes as last group, and what swaps of two of them would change."""

    def __init__(self, terms: SearchTerms, groups: Iterable[Iterable[int]], distances: Sequence[int]) -> None:
        self.terms = terms
        self.distances = [*distances, 0]
        self.out = len(distances)
        self.place(groups)

    def place(self, groups: Iterable[Iterable[int]]) -> None:
        """Seat everybody anew: the tables in their order, then the byes."""
        self.groups = [list(group) for group in groups]
        self.where = {place: number for number, group in enumerate(self.groups) for place in group}
        self.sums = [sum(self.terms.scores[place] for place in group) for group in self.groups]

    def delta(self, one: int, other: int) -> Delta:
        """What swapping two contenders of different groups adds to (hard, soft)."""
        terms = self.terms
        here, there = self.where[one], self.where[other]
        if here == self.out or there == self.out:
            return self._bye_delta(one, other) if there == self.out else self._bye_delta(other, one)
        table, target = self.groups[here], self.groups[there]
        soft = (terms.off_size[one] - terms.off_size[other]) * (self.distances[there] - self.distances[here])
        gain = terms.scores[other] - terms.scores[one]
        if gain:
            rise = gain * (terms.scores[other] + terms.scores[one])
            spread = (
                (len(table) - len(target)) * rise - 2 * gain * (self.sums[here] - self.sums[there]) - 2 * gain * gain
            )
            soft += spread * terms.unit
        hard = self._hard_gain(one, table, target) + self._hard_gain(other, target, table)
        return hard - 2 * terms.hard[one].get(other, 0), soft

    def _hard_gain(self, place: int, table: Sequence[int], target: Sequence[int]) -> int:
        costs = self.terms.hard[place]
        if not costs:
            return 0
        get = costs.get
        return sum([get(each, 0) for each in target]) - sum([get(each, 0) for each in table])

    def _bye_delta(self, one: int, out: int) -> Delta:
        terms = self.terms
        if terms.byes[one] != terms.byes[out]:
            return NO_SWAP
        here = self.where[one]
        table = self.groups[here]
        gain = terms.scores[out] - terms.scores[one]
        spread = gain * (len(table) * (terms.scores[out] + terms.scores[one]) - 2 * self.sums[here] - gain)
        soft = spread * terms.unit - terms.bye_unit * gain
        soft += (terms.off_size[out] - terms.off_size[one]) * self.distances[here]
        costs = terms.hard[out]
        hard = self._hard_gain(one, table, ()) + sum([costs.get(each, 0) for each in table if each != one])
        return hard, soft

    def swap(self, one: int, other: int) -> None:
        """Let two contenders of different groups change places."""
        here, there = self.where[one], self.where[other]
        table, target = self.groups[here], self.groups[there]
        table[table.index(one)], target[target.index(other)] = other, one
        self.where[one], self.where[other] = there, here
        gain = self.terms.scores[other] - self.terms.scores[one]
        self.sums[here] += gain
        self.sums[there] -= gain

    def hard_cost(self, number: int) -> int:
        group = self.groups[number] if number != self.out else ()
        return sum(self.terms.hard[one].get(other, 0) for one in group for other in group) // 2

    def cost(self) -> Delta:
        """Hard and soft cost of everything."""
        terms = self.terms
        soft = terms.bye_unit * self.sums[self.out]
        for group, distance in zip(self.groups[: self.out], self.distances, strict=False):
            total = sum(terms.scores[place] for place in group)
            spread = len(group) * sum(terms.scores[place] ** 2 for place in group) - total * total
            soft += terms.unit * spread + distance * sum(terms.off_size[place] for place in group)
        return sum(self.hard_cost(number) for number in range(self.out)), soft

    def move(self, places: Sequence[int], numbers: Sequence[int]) -> None:
        """Take these places from their tables and put each at the table of that number."""
        for place in places:
            self.groups[self.where[place]].remove(place)
            self.sums[self.where[place]] -= self.terms.scores[place]
        for place, number in zip(places, numbers, strict=True):
            self.groups[number].append(place)
            self.sums[number] += self.terms.scores[place]
            self.where[place] = number


def improve(seating: Seating, lots: random.Random, goal: Delta) -> None:
    """Improve a start until the (hard, soft) cost reaches `goal`, which nothing undercuts, or the work is done."""
    count = len(seating.where)
    descend(seating, SWAPS)
    if seating.cost() > goal:
        reassign(seating, lots, goal, chance=count <= ANNEALED)
        descend(seating, SWAPS, everything=count <= ANNEALED)


def descend(seating: Seating, budget: int, everything: bool = False) -> None:
    """Take the best swap of each troubled table until none helps or `budget` swaps are tried.

    Troubled are tables with a hard cost or an unusual distance, and those a swap touched (`everything`: all). A swap
    looks WINDOW tables up and down, from tables with hard cost and those of unusual size everywhere.
    """
    usual = min(seating.distances[:-1], default=0)
    queue = [
        number
        for number in range(seating.out)
        if everything or seating.distances[number] > usual or seating.hard_cost(number)
    ]
    if seating.groups[seating.out]:
        queue.append(seating.out)
    waiting = set(queue)
    while queue and budget > 0:
        number = queue.pop(0)
        waiting.discard(number)
        far = number == seating.out or seating.distances[number] > usual
        best, tried = _best_swap(seating, number, len(seating.groups) if far else WINDOW)
        if best is None and not far and seating.hard_cost(number):
            best, more = _best_swap(seating, number, len(seating.groups))
            tried += more
        budget -= tried
        if best is None:
            continue
        touched = (number, seating.where[best[1]])
        seating.swap(*best)
        for each in touched:
            if each not in waiting:
                waiting.add(each)
                queue.append(each)


def _best_swap(seating: Seating, number: int, window: int) -> tuple[tuple[int, int] | None, int]:
    near = range(max(0, number - window), min(len(seating.groups), number + window + 1))
    others = [other for there in near if there != number for other in seating.groups[there]]
    best, chosen = (0, 0), None
    for one in seating.groups[number]:
        for other in others:
            delta = seating.delta(one, other)
            if delta < best:
                best, chosen = delta, (one, other)
    return chosen, len(others) * len(seating.groups[number])


def reassign(seating: Seating, lots: random.Random, goal: Delta, *, chance: bool) -> None:
    """Reassign one contender of each of AT_ONCE neighbouring tables, REASSIGNMENTS times, and keep the best seating.

    Without `chance` no reassignment makes anything worse; with it, costs carry a random addition that cools down.
    """
    tables = seating.out
    window = min(AT_ONCE, tables)
    hard, soft = best = seating.cost()
    kept = [list(group) for group in seating.groups]
    weight, hot, cold = _cooling(seating, lots) if chance else (0.0, 0.0, 0.0)
    for turn in range(REASSIGNMENTS):
        first = lots.randrange(tables - window + 1)
        numbers = range(first, first + window)
        places = [lots.choice(seating.groups[number]) for number in numbers]
        costs = _assignment_costs(seating, places, numbers)
        if chance:
            heat = hot / (1 + (hot / cold - 1) * turn / REASSIGNMENTS)
            chosen = assign_least(
                [[int(FINE * (weight * more + less + heat * lots.random())) for more, less in row] for row in costs]
            )
        else:
            chosen = assign_least([[(more << 64) + less for more, less in row] for row in costs])
        hard += sum(costs[row][column][0] - costs[row][row][0] for row, column in enumerate(chosen))
        soft += sum(costs[row][column][1] - costs[row][row][1] for row, column in enumerate(chosen))
        seating.move(places, [numbers[column] for column in chosen])
        if chance and (hard, soft) < best:
            best, kept = (hard, soft), [list(group) for group in seating.groups]
        if (hard, soft) <= goal:
            return
    if chance:
        seating.place(kept)


def _assignment_costs(seating: Seating, places: Sequence[int], numbers: Sequence[int]) -> list[list[Delta]]:
    """What each of the places costs (hard, soft) at each table, when the place taken from there is gone."""
    terms = seating.terms
    left = [
        [each for each in seating.groups[number] if each != place]
        for place, number in zip(places, numbers, strict=True)
    ]
    rows = []
    for place in places:
        get, score, off_size = terms.hard[place].get, terms.scores[place], terms.off_size[place]
        rows.append(
            [
                (
                    sum([get(each, 0) for each in group]),
                    terms.unit * sum([(score - terms.scores[each]) ** 2 for each in group])
                    + off_size * seating.distances[number],
                )
                for group, number in zip(left, numbers, strict=True)
            ]
        )
    return rows


def _cooling(seating: Seating, lots: random.Random) -> tuple[float, float, float]:
    """Weight of one hard unit against soft ones, first and last temperature."""
    places = sorted(seating.where)
    changes = []
    for _ in range(SAMPLES):
        one, other = lots.choice(places), lots.choice(places)
        if seating.where[one] != seating.where[other]:
            change = seating.delta(one, other)
            if change[1] and change[0] < NO_SWAP[0]:
                changes.append(abs(change[1]))
    if not changes:
        return 1.0, HOT_REPEATS * seating.terms.repeat, COLD_REPEATS * seating.terms.repeat
    typical = sum(changes) / len(changes)
    return WEIGHT * typical / seating.terms.repeat, HOT * typical, COLD * typical

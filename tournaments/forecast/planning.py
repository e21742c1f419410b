"""What a planned event comes to: who makes the cut, who is left without a loss, when it ends. Pure; seeded.

A round pairs players of equal points by lot, the odd one out with the next group, and the last without a bye sits out.
The pairing of real rounds forbids rematches too; that moves these counts by less than their error and takes far longer
(`tests/tournaments/forecast/test_planning.py` compares them). Matches are even: among players of equal points skill
changes who wins, not how many do.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import astuple, dataclass, field
from math import sqrt
from operator import add
from random import Random
from typing import NamedTuple, Self

WIN, DRAW = 3, 1
SURELY = 1.96
"""How many standard errors a share may be off, 19 times in 20."""
LOW, HIGH = 0.1, 0.9
MAX_PLAYERS, MAX_ROUNDS = 2000, 20
IN_REQUEST = 500_000
"""So many seats of rounds are simulated while an organiser waits: about 0.3 seconds."""
FEWEST, MOST = 24, 1000
"""Runs of a first answer, by the size of the event."""


class Record(NamedTuple):
    """Losses and draws of a player after the last round."""

    losses: int
    draws: int


WATCHED = (Record(1, 0), Record(1, 1), Record(2, 0))
"""The records whose chance is asked for: X–1, X–1–1, X–2."""


@dataclass(frozen=True, slots=True)
class Plan:
    """An event being planned: `cut` play on after the rounds (0: none do), `draw_share` of matches are drawn."""

    players: int
    rounds: int
    cut: int = 0
    draw_share: float = 0.0


@dataclass(frozen=True, slots=True)
class Share:
    """A share between 0 and 1 with its error, 19 times in 20."""

    value: float
    error: float


@dataclass(frozen=True, slots=True)
class Count:
    """How many, on average, and the range that holds four runs of five."""

    mean: float
    low: int
    high: int

    @classmethod
    def of(cls, found: Sequence[int]) -> Self:
        ordered = sorted(found)
        low, high = (ordered[min(len(ordered) - 1, int(share * len(ordered)))] for share in (LOW, HIGH))
        return cls(sum(ordered) / len(ordered), low, high)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a plan comes to over `runs`: players without a loss, and how likely each record makes the cut."""

    plan: Plan
    runs: int
    without_loss: Count
    makes_cut: dict[Record, Share]


@dataclass(slots=True)
class Sums:
    """Over runs, with one record: how many were in and how many there were, their squares, and their products."""

    inside: int = 0
    whole: int = 0
    inside_squared: int = 0
    products: int = 0
    whole_squared: int = 0

    def add(self, inside: int, whole: int) -> None:
        self.add_all((inside, whole, inside * inside, inside * whole, whole * whole))

    def add_all(self, other: Iterable[int]) -> None:
        """The sums of other runs, in the order of the fields."""
        own = (self.inside, self.whole, self.inside_squared, self.products, self.whole_squared)
        self.inside, self.whole, self.inside_squared, self.products, self.whole_squared = map(add, own, other)

    @property
    def share(self) -> Share | None:
        """The share that was in; None where there was none with the record.

        Its error comes from how runs differ. Where all or none were in, it is what three of as many more could hide.
        """
        inside, whole = self.inside, self.whole
        if not whole:
            return None
        spread = whole**2 * self.inside_squared - 2 * inside * whole * self.products + inside**2 * self.whole_squared
        least = 3 / whole if inside in (0, whole) else 0.0
        return Share(inside / whole, max(SURELY * sqrt(spread) / whole**2, least))


@dataclass(slots=True)
class Counts:
    """What runs show: how many had so many players without a loss, and the sums of each watched record."""

    unbeaten: Counter[int] = field(default_factory=Counter)
    sums: dict[Record, Sums] = field(default_factory=lambda: {record: Sums() for record in WATCHED})

    @property
    def runs(self) -> int:
        return self.unbeaten.total()

    def add(self, other: "Counts") -> None:
        """Count what other runs of the same plan show too."""
        self.unbeaten += other.unbeaten
        for record, sums in other.sums.items():
            self.sums[record].add_all(astuple(sums))

    def as_list(self) -> list[list[list[int]]]:
        """For keeping as JSON: (players without a loss, runs), and for each record (losses, draws, its sums)."""
        return [
            [list(found) for found in sorted(self.unbeaten.items())],
            [[*record, *astuple(sums)] for record, sums in self.sums.items()],
        ]

    @classmethod
    def from_list(cls, kept: list[list[list[int]]]) -> Self:
        """The counts that `as_list` gave."""
        unbeaten: Counter[int] = Counter()
        for number, runs in kept[0]:
            unbeaten[number] = runs
        return cls(unbeaten, {Record(losses, draws): Sums(*rest) for losses, draws, *rest in kept[1]})


def first_runs(plan: Plan) -> int:
    """How many runs a page can wait for."""
    return max(FEWEST, min(MOST, IN_REQUEST // (plan.players * plan.rounds)))


def simulate_plan(plan: Plan, runs: int, seed: int | str) -> Outcome:
    """Play the plan so often; the same seed says the same."""
    return outcome_of(plan, count_runs(plan, runs, seed))


def count_runs(plan: Plan, runs: int, seed: int | str) -> Counts:
    """What so many runs show, to be added to what others do."""
    chance, found = Random(seed), Counts()  # noqa: S311 - odds, not secrets
    for _run in range(runs):
        ranked = play(plan, chance)
        found.unbeaten[sum(record.losses == 0 for record in ranked)] += 1
        whole, inside = Counter(ranked), Counter(ranked[: plan.cut])
        for record, sums in found.sums.items():
            sums.add(inside[record], whole[record])
    return found


def outcome_of(plan: Plan, counts: Counts) -> Outcome:
    """What the counted runs come to; there is at least one."""
    shares = ((record, sums.share) for record, sums in counts.sums.items()) if plan.cut else ()
    makes_cut = {record: share for record, share in shares if share is not None}
    return Outcome(plan, counts.runs, Count.of(sorted(counts.unbeaten.elements())), makes_cut)


def play(plan: Plan, chance: Random) -> list[Record]:
    """The records of one run, best first: by points, then by those of the opponents, then by lot."""
    size = plan.players
    points, losses, draws = [0] * size, [0] * size, [0] * size
    met: list[list[int]] = [[] for _player in range(size)]
    rested: set[int] = set()
    for _round in range(plan.rounds):
        pairs, bye = paired(points, rested, chance)
        if bye is not None:
            rested.add(bye)
            points[bye] += WIN
        for one, other in pairs:
            met[one].append(other)
            met[other].append(one)
            if chance.random() < plan.draw_share:
                points[one] += DRAW
                points[other] += DRAW
                draws[one] += 1
                draws[other] += 1
            else:
                winner, loser = (one, other) if chance.random() < 0.5 else (other, one)
                points[winner] += WIN
                losses[loser] += 1
    keys = [(points[each], sum(points[other] for other in met[each]), chance.random(), each) for each in range(size)]
    return [Record(losses[each], draws[each]) for *_values, each in sorted(keys, reverse=True)]


def paired(points: Sequence[int], rested: set[int], chance: Random) -> tuple[list[tuple[int, int]], int | None]:
    """The pairs of a round, and who has the bye: the last who had none."""
    lots = ((points_so_far, chance.random(), each) for each, points_so_far in enumerate(points))
    order = [each for _points, _lot, each in sorted(lots, reverse=True)]
    bye = None
    if len(order) % 2:
        bye = next((each for each in reversed(order) if each not in rested), order[-1])
        order.remove(bye)
    return list(zip(order[::2], order[1::2], strict=True)), bye

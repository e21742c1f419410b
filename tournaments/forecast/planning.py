"""What a planned event comes to: who makes the cut, who is left without a loss, when it ends. Pure; seeded.

A round pairs players of equal points by lot, the odd one out with the next group, and the last without a bye sits out.
The pairing of real rounds forbids rematches too; that moves these counts by less than their error and takes far longer
(`tests/tournaments/forecast/test_planning.py` compares them). Matches are even: among players of equal points skill
changes who wins, not how many do.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import sqrt
from operator import itemgetter
from random import Random
from typing import NamedTuple, Self

WIN, DRAW = 3, 1
SURELY = 1.96
"""How many standard errors a share may be off, 19 times in 20."""
LOW, HIGH = 0.1, 0.9
MAX_PLAYERS, MAX_ROUNDS = 2000, 20
IN_REQUEST = 500_000
"""So many seats of rounds are simulated while an organiser waits: about 0.3 seconds."""
FEWEST, MOST = 50, 1000
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
        """The count over runs."""
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


def first_runs(plan: Plan) -> int:
    """How many runs a page can wait for."""
    return max(FEWEST, min(MOST, IN_REQUEST // (plan.players * plan.rounds)))


def simulate_plan(plan: Plan, runs: int, seed: int) -> Outcome:
    """Play the plan so often; the same seed says the same."""
    chance = Random(seed)  # noqa: S311 - odds, not secrets
    unbeaten: list[int] = []
    seen: dict[Record, list[tuple[int, int]]] = {record: [] for record in WATCHED}
    for _run in range(runs):
        ranked = play(plan, chance)
        unbeaten.append(sum(record.losses == 0 for record in ranked))
        whole, inside = Counter(ranked), Counter(ranked[: plan.cut])
        for record, found in seen.items():
            found.append((inside[record], whole[record]))
    shares = ((record, share_of(found)) for record, found in seen.items()) if plan.cut else ()
    return Outcome(plan, runs, Count.of(unbeaten), {record: share for record, share in shares if share is not None})


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


def share_of(found: Iterable[tuple[int, int]]) -> Share | None:
    """Among all with a record, the share that was in, from (in, all) of each run; None where there was none.

    Its error comes from how runs differ. Where all or none were in, it is what three of as many more could hide.
    """
    pairs = list(found)
    inside, whole = (sum(map(itemgetter(at), pairs)) for at in (0, 1))
    if not whole:
        return None
    value = inside / whole
    spread = sum((one - value * many) ** 2 for one, many in pairs)
    least = 3 / whole if value in (0, 1) else 0.0
    return Share(value, max(SURELY * sqrt(spread) / whole, least))

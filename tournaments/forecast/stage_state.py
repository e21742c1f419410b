"""What may still happen in a stage that points decide: who has what, which matches are left, what is at stake.

"In" is who ends among the first `places`. A round that is not paired yet may pair any two who play on, whatever they
played before: that is more than the pairing rules allow, so that nothing is called certain too early. Counted are wins,
draws and losses; a double loss, a disqualification, a correction or a drop-out to come is not.
"""

from dataclasses import dataclass
from enum import StrEnum

from scoring.standings.records import Outcome


class Verdict(StrEnum):
    """What can be said of an entry: in whatever happens, out whatever happens, or neither."""

    IN = "in"
    OPEN = "open"
    OUT = "out"


@dataclass(frozen=True, slots=True)
class Stakes:
    """What a win, a draw, a loss and a bye bring."""

    win: int = 3
    draw: int = 1
    loss: int = 0
    bye: int = 3

    @property
    def is_usual(self) -> bool:
        """Whether winning is never worse than a draw or a bye, and those never worse than losing."""
        return self.win >= max(self.draw, self.bye) and min(self.draw, self.bye) >= self.loss

    def of(self, outcome: Outcome) -> int:
        """What an outcome brings."""
        return {Outcome.WIN: self.win, Outcome.DRAW: self.draw, Outcome.LOSS: self.loss}[outcome]


@dataclass(frozen=True, slots=True)
class Runner:
    """A person with points; `plays` on in rounds not paired yet, `takes_place` if ending among the first counts."""

    id: int
    points: int
    plays: bool = True
    takes_place: bool = True


@dataclass(frozen=True, slots=True)
class Situation:
    """A stage after some results.

    `matches` are known pairs without a result, in order of rounds; `rounds` are those not paired yet, each with the ids
    of those who have a bye awarded there. In an odd field one more sits out. With a `goal` in is who has so many
    points, however many those are.
    """

    runners: tuple[Runner, ...]
    places: int
    stakes: Stakes = Stakes()
    matches: tuple[tuple[int, ...], ...] = ()
    rounds: tuple[frozenset[int], ...] = ()
    goal: int | None = None


@dataclass(frozen=True, slots=True)
class Prospect:
    """What is certain for a runner `now`, and what after each result of its own next match; {} without a next match."""

    id: int
    now: Verdict
    after: dict[Outcome, Verdict]

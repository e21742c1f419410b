"""How good an answer is, against the optimum, judged by the checker and not by any engine."""

from dataclasses import dataclass, replace

from tests.benchmarks.pairing.engines import Answer
from tests.tournaments.pairing.pair_checker import cost_of
from tournaments.pairing.swiss.contenders import PairingCost, RoundInput


def cost_of_answer(given: RoundInput, answer: Answer) -> PairingCost | None:
    """The cost without the finish, or None unless everybody has exactly one place and nobody too many have byes."""
    places = sorted([seat for pair in answer.pairs for seat in pair] + list(answer.byes))
    if places != sorted(each.id for each in given.contenders) or len(answer.byes) != len(places) % 2:
        return None
    return replace(cost_of(given, answer.pairs, *(answer.byes or (None,))), finish=0)


def least_possible(given: RoundInput) -> PairingCost:
    """What no pairing of a field without rules can cost less than: no rematch, lowest bye, neighbours by score."""
    eligible = [each for each in given.contenders if not each.had_bye] or list(given.contenders)
    scores = sorted(each.score for each in given.contenders)
    bye, second = 0, 0
    if len(scores) % 2:
        bye = min(each.score for each in eligible)
        second = int(all(each.had_bye for each in given.contenders))
        scores.remove(bye)
    squares = sum((upper - lower) ** 2 for lower, upper in zip(scores[::2], scores[1::2], strict=True))
    return PairingCost(second_byes=second, bye_score=bye, sum_sq_diff=squares)


def before_squares(cost: PairingCost) -> PairingCost:
    """The terms that outweigh the squares."""
    return replace(cost, sum_sq_diff=0, downfloats=(), finish=0)


@dataclass(slots=True)
class Tally:
    """What an engine made of a number of states."""

    states: int = 0
    legal: int = 0
    best: int = 0
    rematches: int = 0
    faults: int = 0
    squares: int = 0
    least_squares: int = 0

    def count(self, cost: PairingCost | None, optimum: PairingCost) -> None:
        """Add one answer: None is an engine that gave up or left somebody out."""
        self.states += 1
        if cost is None:
            self.faults += 1
            return
        self.rematches += cost.rematches - optimum.rematches
        self.best += cost == optimum
        if before_squares(cost) == before_squares(optimum):
            self.legal += 1
            self.squares += cost.sum_sq_diff
            self.least_squares += optimum.sum_sq_diff

    @property
    def ratio(self) -> float:
        """Squares over the optimum's, over the legal rounds together."""
        if not self.least_squares:
            return 1.0 if self.squares == 0 else float("inf")
        return self.squares / self.least_squares

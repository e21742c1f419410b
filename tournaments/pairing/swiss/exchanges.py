"""What a paired round would cost more, or not, had two contenders changed places, as far as everybody may know.

Rules about single people (`Contender.apart`) count for nothing here: no answer depends on whom they are about.
"""

from collections import Counter, defaultdict
from enum import StrEnum
from typing import TypeAlias

from tournaments.pairing.swiss.contenders import Apart, Contender, Finish, Order, RoundInput, RoundPairing

Weight: TypeAlias = tuple[int, int, int, tuple[int, ...], int, int]
"""What two pairs cost: forbidden pairs, rematches, soft pairs, scores paired down from, squares, finish."""


class Verdict(StrEnum):
    """What speaks for the places as they are; RULE: the lot, or a rule about single people, nobody else's business."""

    MET = "met"
    MATES = "mates"
    ELSEWHERE = "elsewhere"
    DOWN = "down"
    FARTHER = "farther"
    FLOATS = "floats"
    PLACES = "places"
    BETTER = "better"
    SAME = "same"
    RULE = "rule"


class Seating:
    """A round with its contenders at hand: by id, by score, with their partners.

    `free` are all whom the engine could place, `seated` those of them at tables, by score and id; `total` counts
    everybody of a score, awarded byes and locked pairs included. `rematches_come_first` where nothing that outranks
    them can matter in this round.
    """

    def __init__(self, given: RoundInput, paired: RoundPairing) -> None:
        """Look everything up once: linear in the contenders and their opponents."""
        self.policy = given.policy
        self.known = {each.id: each for each in given.contenders}
        kept = {frozenset(pair) for pair in given.locked} & {frozenset(pair) for pair in paired.pairs}
        locked = {seat for pair in kept for seat in pair}
        self.free = [each for each in self.known.values() if not each.awarded_bye and each.id not in locked]
        self.total = Counter(each.score for each in given.contenders)
        self.partner: dict[int, Contender] = {}
        for one, other in paired.pairs:
            if one not in locked:
                self.partner[one], self.partner[other] = self.known[other], self.known[one]
        self.seated: dict[int, list[Contender]] = defaultdict(list)
        for each in sorted(self.free, key=lambda each: each.id):
            if each.id in self.partner:
                self.seated[each.score].append(each)
        self.keeps_mates_apart = Apart.IGNORE is not given.policy.clubs or Apart.IGNORE is not given.policy.teams
        self.has_private_rules = any(each.apart for each in given.contenders)
        hard = Apart.HARD in (given.policy.clubs, given.policy.teams)
        second = len(self.free) % 2 and any(each.had_bye for each in self.free)
        self.rematches_come_first = not (hard or second or locked or self.has_private_rules)

    def have_met(self, one: Contender, other: Contender) -> bool:
        return other.id in one.opponents

    def are_mates(self, one: Contender, other: Contender) -> bool:
        """Whether they share a club or team that the event keeps apart."""
        return self._shares(one, other, (Apart.SOFT, Apart.HARD))

    def are_hard_mates(self, one: Contender, other: Contender) -> bool:
        """Whether they share a club or team that the event keeps apart whatever it costs."""
        return self._shares(one, other, (Apart.HARD,))

    def weigh(self, *pairs: tuple[Contender, Contender]) -> Weight:
        """What these pairs cost together."""
        forbidden = rematches = soft = squares = finish = 0
        floats: list[int] = []
        for one, other in pairs:
            rematches += one.opponents.count(other.id)
            if one.score != other.score:
                floats.append(max(one.score, other.score))
                squares += (one.score - other.score) ** 2
            if self.keeps_mates_apart:
                forbidden += self.are_hard_mates(one, other)
                soft += self._shares(one, other, (Apart.SOFT,))
            if self.policy.finish is not Finish.LOT:
                finish += self._finish(one, other)
        downs = tuple(sorted(floats, reverse=True)) if self.policy.order is Order.TOP_DOWN else ()
        return forbidden, rematches, soft, downs, squares, finish

    def exchange(self, stays: Contender | None, goes: Contender, comes: Contender) -> Verdict:
        """Why `comes` is not in the place of `goes`, opposite `stays` (None: the bye), and `goes` in its own."""
        opposite = self.partner[comes.id]
        if stays is None:
            now, then = self.weigh((comes, opposite)), self.weigh((goes, opposite))
        else:
            now = self.weigh((stays, goes), (comes, opposite))
            then = self.weigh((stays, comes), (goes, opposite))
        if then <= now:
            if self.has_private_rules:
                return Verdict.RULE
            return Verdict.SAME if then == now else Verdict.BETTER
        term = next(place for place, (one, other) in enumerate(zip(then, now, strict=True)) if one != other)
        if term in (0, 2):
            if stays and self.are_mates(stays, comes):
                return Verdict.MATES
            return Verdict.ELSEWHERE
        if term == 1:
            return Verdict.MET if stays and self.have_met(stays, comes) else Verdict.ELSEWHERE
        finish = Verdict.PLACES if self.policy.finish is Finish.STANDINGS else Verdict.FLOATS
        return {3: Verdict.DOWN, 4: Verdict.FARTHER}.get(term, finish)

    def _shares(self, one: Contender, other: Contender, rules: tuple[Apart, ...]) -> bool:
        clubs = self.policy.clubs in rules and one.club is not None and one.club == other.club
        return clubs or (self.policy.teams in rules and one.team is not None and one.team == other.team)

    def _finish(self, one: Contender, other: Contender) -> int:
        if self.policy.finish is Finish.STANDINGS:
            return (one.place - other.place) ** 2
        lower, upper = sorted((one, other), key=lambda each: each.score)
        return 0 if lower.score == upper.score else upper.downfloats + lower.upfloats

"""Why a round is paired as it is: reasons as codes with ids and numbers, read off its input and its pairing alone.

Every reason is a fact that can be checked against both, whatever engine paired the round. None tells of a need of a
person or that two people are kept apart: such rules are only ever named together with the lot (`others_rule`).
"""

from bisect import bisect_left, bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain, islice
from typing import Any, Self

from tournaments.pairing.swiss.contenders import Apart, Contender, RoundInput, RoundPairing
from tournaments.pairing.swiss.costs import is_least
from tournaments.pairing.swiss.exchanges import Seating, Verdict

NAMED = 3
"""Ids that a reason lists; the others are counted."""
LOOKS = 60_000
MIN_LOOKS = 20
"""Exchanges looked at for a whole round, shared among its floats, and for each float at least."""
LOT_LOOKS = 10
"""Exchanges looked at to find one that is just as good, for two of one score."""
LOTS = {Verdict.SAME: "lot", Verdict.RULE: "lot_or_rule"}
"""What decided between exchanges that are just as good by what may be said."""

Value = int | tuple[int, ...]
Circle = tuple[str, str, int]
"""Mates of one score: “club” or “team”, its name, the score."""


@dataclass(frozen=True, slots=True)
class Reason:
    """One statement about a pairing: what it says (`code`), and the ids and numbers it says it with."""

    code: str
    params: Mapping[str, Value] = field(default_factory=dict)

    def as_dict(self) -> dict[str, Any]:
        """JSON-ready form; `from_dict` reads it back."""
        values = {name: list(value) if isinstance(value, tuple) else value for name, value in self.params.items()}
        return {"code": self.code, "params": values}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Read the form `as_dict` writes."""
        values = {name: tuple(value) if isinstance(value, list) else value for name, value in data["params"].items()}
        return cls(data["code"], values)


AWARDED_BYE = Reason("bye_awarded")
BY_HAND = Reason("by_hand")
"""For a match that staff put together, in place of what `explain_round` said."""


@dataclass(frozen=True, slots=True)
class RoundReasons:
    """The reasons of a round: one tuple for each of `RoundPairing.pairs`, in that order, and one for its bye.

    Whoever was awarded a bye has the reason AWARDED_BYE, which is not repeated here.
    """

    pairs: tuple[tuple[Reason, ...], ...]
    bye: tuple[Reason, ...]


def explain_round(given: RoundInput, paired: RoundPairing) -> RoundReasons:
    """Why each pair of a round meets and why its bye sits out; linear in the field, up to LOOKS exchanges on top."""
    explainer = _Teller(given, paired)
    pairs = tuple(tuple(explainer.of_pair(one, other)) for one, other in paired.pairs)
    return RoundReasons(pairs, () if paired.bye is None else tuple(explainer.of_bye(explainer.known[paired.bye])))


class _Teller(Seating):
    """Puts together the reasons of a round."""

    def __init__(self, given: RoundInput, paired: RoundPairing) -> None:
        super().__init__(given, paired)
        self.paired = paired
        self.scores = sorted(self.seated)
        self.downs: dict[int, list[Contender]] = defaultdict(list)
        self.taken: Counter[int] = Counter()
        for score, group in self.seated.items():
            for each in group:
                opposite = self.partner[each.id].score
                if opposite < score:
                    self.downs[score].append(each)
                self.taken[score] += opposite > score
        floats = sum(len(group) for group in self.downs.values())
        self.limit = max(MIN_LOOKS, LOOKS // max(3 * floats, 1))
        self.circles: dict[Circle, list[int]] = defaultdict(list)
        for each in sorted(given.contenders, key=lambda each: each.id):
            for circle in self._circles(each):
                self.circles[circle].append(each.id)

    def of_pair(self, first: int, second: int) -> Iterator[Reason]:
        one, other = self.known[first], self.known[second]
        high, low = (one, other) if one.score >= other.score else (other, one)
        placed = first in self.partner
        if not placed:
            yield Reason("locked")
        if high.score != low.score:
            yield Reason("paired_down", {"who": high.id, "above": high.score, "stay": low.id, "below": low.score})
        else:
            yield Reason("same_score", {"points": high.score, "count": self.total[high.score]})
        yield from self._broken(one, other, placed)
        if placed:
            yield from self._float(high, low) if high.score != low.score else self._level(one, other)

    def of_bye(self, bye: Contender) -> Iterator[Reason]:
        others = [each for each in self.free if each is not bye]
        without = [each for each in others if not each.had_bye]
        had = [each for each in others if each.had_bye and each.score <= bye.score]
        if bye.had_bye and without:
            yield Reason("bye_again", {"who": bye.id, "count": len(without)})
            return
        if bye.had_bye:
            yield Reason("bye_all_had", {"who": bye.id})
        else:
            yield from self._list("bye_had", had, {"who": bye.id, "points": bye.score})
        equals = others if bye.had_bye else without
        lower = [each for each in equals if each.score < bye.score]
        level = sorted((each for each in equals if each.score == bye.score), key=lambda each: each.id)
        if lower:
            proved = int(is_least(self.paired.cost, self.paired.bound, "bye_score"))
            rules = int(self.keeps_mates_apart or self.has_private_rules)
            params = {"who": bye.id, "points": bye.score, "count": len(lower), "proved": proved, "rules": rules}
            yield Reason("bye_higher", params)
        else:
            yield Reason("bye_lowest", {"who": bye.id, "points": bye.score, "count": len(level) + 1})
        if level:
            yield from self._others(None, bye, [each for each in level if each.id in self.partner], LOOKS)

    def _broken(self, one: Contender, other: Contender, placed: bool) -> Iterator[Reason]:
        """What this pair breaks, as far as it is anybody's business, and whether that is proved to be the least."""
        cost, bound = self.paired.cost, self.paired.bound
        if times := one.opponents.count(other.id):
            proved = int(placed and is_least(cost, bound, "rematches"))
            yield Reason("met_before", {"times": times, "proved": proved, "first": int(self.rematches_come_first)})
        if self.are_mates(one, other):
            term = "forbidden_pairs" if self.are_hard_mates(one, other) else "club_pairs"
            proved = int(placed and is_least(cost, bound, term))
            yield Reason("mates_meet", {"hard": int(term == "forbidden_pairs"), "proved": proved})

    def _level(self, one: Contender, other: Contender) -> Iterator[Reason]:
        """Two of one score: whom of the group each had met, their mates there, and whether the lot had a choice."""
        group = self.total[one.score]
        for each in (one, other) if group > 2 else ():
            params = {"who": each.id, "points": each.score, "others": group - 1}
            met = {known.id: known for met in each.opponents if (known := self.known.get(met))}
            same = [known for known in met.values() if known.score == each.score]
            yield from self._list("met_in_group", same, params)
            for circle in self._circles(each):
                mates = self.circles[circle]
                if len(mates) > 1:
                    first = tuple(mate for mate in mates[: NAMED + 1] if mate != each.id)[:NAMED]
                    yield Reason(f"{circle[0]}_in_group", {**params, "ids": first, "count": len(mates) - 1})
        others = (each for each in self.seated[one.score] if each.id not in (one.id, other.id))
        looks = (self.exchange(one, other, each) for each in islice(others, LOT_LOOKS))
        byes = (self._sitting_out(each) for each in (one, other))
        found = next((LOTS[verdict] for verdict in chain(looks, byes) if verdict in LOTS), None)
        if found:
            yield Reason(found)

    def _sitting_out(self, one: Contender) -> Verdict | None:
        """What speaks against giving them the bye; nothing to be said where the bye weighs differently for them."""
        bye = None if self.paired.bye is None else self.known[self.paired.bye]
        if bye is None or (bye.score, bye.had_bye) != (one.score, one.had_bye):
            return None
        return self.exchange(None, bye, one)

    def _float(self, high: Contender, low: Contender) -> Iterator[Reason]:
        """Two of different scores: why the higher is paired down, why to here, and why nobody else."""
        yield from self._left_over(high)
        yield from self._others(low, high, self._but(self.seated[high.score], high), self.limit)
        between = self.scores[bisect_right(self.scores, low.score) : bisect_left(self.scores, high.score)]
        nearer = islice((each for score in between for each in self.seated[score]), self.limit + 1)
        yield from self._others(high, low, list(nearer), self.limit)
        yield from self._others(high, low, self._but(self.seated[low.score], low), self.limit)

    def _left_over(self, high: Contender) -> Iterator[Reason]:
        score, group = high.score, len(self.seated[high.score])
        taken, down = self.taken[score], self.downs[score]
        if (group - taken) % 2:
            params = {"points": score, "count": group, "taken": taken, "out": self.total[score] - group}
            yield Reason("group_odd", params)
        elif len(down) > 1:
            yield Reason("group_rest", {"points": score, "count": len(down)})
        if len(down) <= self.limit:
            met = [each for each in down if each is not high and self.have_met(high, each)]
            yield from self._list("down_too_met", met, {"who": high.id})

    def _but(self, group: Iterable[Contender], one: Contender) -> list[Contender]:
        """The first of a group without this one, one more than are looked at."""
        return list(islice((each for each in group if each is not one), self.limit + 1))

    def _others(
        self, stays: Contender | None, goes: Contender, group: Sequence[Contender], limit: int
    ) -> Iterator[Reason]:
        """Why nobody else of these is in the place of `goes`: by what speaks against each, those alike together."""
        found: dict[Verdict, list[Contender]] = defaultdict(list)
        for each in group[:limit]:
            found[self.exchange(stays, goes, each)].append(each)
        params: dict[str, Value] = {"who": goes.id, "points": goes.score, "mates": int(self.keeps_mates_apart)}
        if stays is not None:
            params["stay"] = stays.id
        everybody = self.total[goes.score] - 1
        for verdict in Verdict:
            others = found[verdict]
            if verdict is Verdict.RULE and others:
                yield Reason("others_rule", {"who": goes.id, "count": len(others)})
            else:
                level = sum(each.score == goes.score for each in others)
                yield from self._list(
                    f"others_{verdict}", others, {**params, "all": int(len(others) == level == everybody)}
                )
        if len(group) > limit:
            yield Reason("looked_at", {"count": limit})

    def _list(self, code: str, people: Iterable[Contender], params: Mapping[str, Value]) -> Iterator[Reason]:
        """A reason about some people, by id, the first of them listed; none about nobody."""
        ids = sorted(each.id for each in people)
        if ids:
            yield Reason(code, {**params, "ids": tuple(ids[:NAMED]), "count": len(ids)})

    def _circles(self, one: Contender) -> Iterator[Circle]:
        """The club and the team that the event keeps apart and that this contender is of."""
        for kind, rule, name in (("club", self.policy.clubs, one.club), ("team", self.policy.teams, one.team)):
            if rule is not Apart.IGNORE and name is not None:
                yield kind, name, one.score

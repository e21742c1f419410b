"""Repairs a round after scores changed: as good a pairing as there is, with the fewest tables changed.

Least in the order of `PairingCost` first, then in the number of tables that are not there yet: one more term of an
exact matching, behind all the others. Locked pairs of the input and awarded byes stay as they are.

A large field is not matched whole. Tables that cost nothing are much alike within a score group: a few of each group
are let in, beside everybody whose table costs something or who has none. What comes out is held against the pairing of
the whole field; while it costs more, more tables of each group are let in.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations

from tournaments.pairing.swiss.contenders import Contender, PairingCost, RoundInput, RoundPairing
from tournaments.pairing.swiss.costs import Costs, Price, kept_locked
from tournaments.pairing.swiss.matching import Edge, Pair, Terms, match_least
from tournaments.pairing.swiss.seating import number_tables, order_couples, seat
from tournaments.pairing.swiss.swiss import draw_lots, pair_swiss

MINIMAL_REPAIR = "mending/1"
"""The engine that a repaired round names."""
WHOLE = 200
"""Contenders up to which a field is matched whole."""
MOST = 400
"""Contenders from which on no more tables are let in: the best found so far is given."""
TWINS = 4
"""Tables of each score group that are let in first."""


@dataclass(frozen=True, slots=True)
class RepairedRound:
    """A repaired round: its pairs without the locked ones, kept pairs in their order of seats; its bye; its whole cost.

    No pairing costs less than `bound`; `fewest` says that none as good changes fewer tables.
    """

    pairs: tuple[Pair, ...]
    bye: int | None
    cost: PairingCost
    bound: PairingCost
    fewest: bool


def repair_minimal(given: RoundInput, pairs: Sequence[Pair], bye: int | None) -> RepairedRound:
    """Repair the pairs and the bye of a round for its contenders as they are now; `given.locked` pairs are untouchable.

    Pairs and byes that name others than the contenders count as gone, so that who is left needs a new place.
    """
    repair = _Repair(given, pairs, bye)
    if len(repair.field) <= WHOLE:
        return repair.match(repair.field)
    least, twins = pair_swiss(given), TWINS
    while True:
        chosen = repair.concerned(twins)
        found = repair.match(chosen, least.bound)
        if found.cost <= least.cost or len(chosen) in (len(repair.field), *range(MOST, len(repair.field))):
            return found
        twins *= 2


def pair_repaired(given: RoundInput, places: Iterable[tuple[int, ...]]) -> RoundPairing:
    """The same as a paired round, from the places that stand: ids in order of seats, one id a bye.

    Tables are numbered as if they were all new.
    """
    stand = tuple(places)
    bye = next((place[0] for place in stand if len(place) == 1), None)
    sat = {frozenset(place): (place[0], place[1]) for place in stand if len(place) == 2}
    repaired = repair_minimal(given, tuple(sat.values()), bye)
    known = {one.id: one for one in given.contenders}
    lots = draw_lots(sorted(given.contenders, key=lambda one: one.id), given.seed)
    couples = order_couples([*kept_locked(given), *((known[one], known[other]) for one, other in repaired.pairs)])
    seated = {one.id for couple in kept_locked(given) for one in couple}
    return RoundPairing(
        pairs=tuple(sat.get(frozenset(one.id for one in couple)) or seat(couple, lots) for couple in couples),
        tables=number_tables(couples),
        bye=repaired.bye,
        awarded_byes=tuple(one.id for one in given.contenders if one.awarded_bye and one.id not in seated),
        cost=repaired.cost,
        bound=repaired.bound,
        proved=repaired.cost == repaired.bound,
        seed=given.seed,
        engine=MINIMAL_REPAIR,
        input_hash=given.digest(),
    )


class _Repair:
    """A round under repair: who may be moved (`field`), and whom each of them meets now."""

    def __init__(self, given: RoundInput, pairs: Sequence[Pair], bye: int | None) -> None:
        """Take locked pairs and awarded byes out of the field."""
        self.costs, self.locked = Costs(given), kept_locked(given)
        seated = {one.id for couple in self.locked for one in couple}
        free = (one for one in given.contenders if not one.awarded_bye and one.id not in seated)
        self.field = sorted(free, key=lambda one: one.id)
        self.known = {one.id: one for one in self.field}
        self.now = {frozenset(pair): pair for pair in pairs if self.known.keys() >= set(pair)}
        self.bye = bye if bye in self.known else None

    def concerned(self, twins: int) -> list[Contender]:
        """Who has no table or one that costs something, and so many tables of each score group that cost nothing."""
        chosen, taken = set(self.known), Counter[int]()
        for one, other in self.now.values():
            first, second = self.known[one], self.known[other]
            if first.score == second.score and self.costs.clean(first, second):
                taken[first.score] += 1
                if taken[first.score] > twins:
                    chosen -= {one, other}
        return [one for one in self.field if one.id in chosen]

    def match(self, chosen: Sequence[Contender], bound: PairingCost | None = None) -> RepairedRound:
        """The best round in which all but the chosen keep their tables; without a bound they are the whole field."""
        places = _Places(chosen, self.costs, {*self.now, frozenset({self.bye})})
        fresh, bye, exact = places.match()
        ids = {one.id for one in chosen}
        kept = [pair for key, pair in self.now.items() if not key <= ids]
        pairs = [*kept, *(self.now.get(frozenset(pair), pair) for pair in fresh)]
        couples = [(self.known[one], self.known[other]) for one, other in pairs]
        cost = self.costs.of_round([*self.locked, *couples], None if bye is None else self.known[bye])
        if bound is None:
            bound = cost if exact else PairingCost()
            return RepairedRound(tuple(sorted(pairs)), bye, cost, bound, exact)
        return RepairedRound(tuple(sorted(pairs)), bye, cost, bound, fewest=False)


class _Places:
    """The graph of those who are matched: everybody, and a bye where they are odd; `now` are the places they have."""

    def __init__(self, chosen: Sequence[Contender], costs: Costs, now: Collection[frozenset[int | None]]) -> None:
        self.chosen, self.costs, self.now = chosen, costs, now
        self.odd = len(chosen) % 2 == 1
        self.size = len(chosen) + self.odd
        self.scores = sorted({one.score for one in chosen}, reverse=True)
        self.ranks = {score: rank for rank, score in enumerate(self.scores)}
        self.prices = {
            (one, other): self._price(chosen[one], chosen[other])
            for one, other in combinations(range(len(chosen)), 2)
        }  # fmt: skip

    def _price(self, one: Contender, other: Contender) -> Price:
        return *self.costs.flaws(one, other), self.costs.finish(one, other)

    def match(self) -> tuple[list[Pair], int | None, bool]:
        """The pairs by id, the bye, and whether no matching is better; without a flaw where that can be."""
        terms = self._terms()
        for flawed in (False, True):
            found = match_least(self.size, self._edges(terms, flawed=flawed), terms)
            if found is not None:
                ids = [one.id for one in self.chosen]
                bye = next((ids[one] for one, other in found.pairs if other == len(ids)), None)
                return [(ids[one], ids[other]) for one, other in found.pairs if other < len(ids)], bye, found.exact
        raise AssertionError("a complete graph has a perfect matching")

    def _terms(self) -> Terms:
        """Forbidden, rematches, mates, points of the bye, downfloats by group, squares, finish, tables changed."""
        pairs = self.size // 2
        most = [max(each, default=0) for each in zip(*self.prices.values(), strict=True)] or [0] * 4
        span = self.scores[0] - self.scores[-1] if self.scores else 0
        members = Counter(self.ranks[one.score] for one in self.chosen)
        downs = [members[rank] for rank in range(len(self.scores) - 1)] if self.costs.top_down else []
        first = [each * pairs for each in most[:3]]
        return Terms((*first, span * self.odd, *downs, span**2 * pairs, most[3] * pairs, pairs))

    def _edges(self, terms: Terms, *, flawed: bool) -> list[Edge]:
        edges = [
            (*pair, self._cost(pair, price, terms.shifts))
            for pair, price in self.prices.items()
            if flawed or not any(price[:3])
        ]
        return [*edges, *self._byes(terms.shifts)]

    def _cost(self, pair: Pair, price: Price, shifts: Sequence[int]) -> int:
        one, other = self.chosen[pair[0]], self.chosen[pair[1]]
        cost = (one.score - other.score) ** 2 << shifts[-3] | price[3] << shifts[-2]
        cost |= frozenset((one.id, other.id)) not in self.now
        for flaw, shift in zip(price[:3], shifts, strict=False):
            cost |= flaw << shift
        if self.costs.top_down and one.score != other.score:
            cost |= 1 << shifts[4 + self.ranks[max(one.score, other.score)]]
        return cost

    def _byes(self, shifts: Sequence[int]) -> list[Edge]:
        """From those who had no bye, while there are such."""
        if not self.odd:
            return []
        served = all(one.had_bye for one in self.chosen)
        lowest = self.scores[-1]
        return [
            (place, len(self.chosen), (one.score - lowest) << shifts[3] | (frozenset({one.id}) not in self.now))
            for place, one in enumerate(self.chosen)
            if one.had_bye == served
        ]

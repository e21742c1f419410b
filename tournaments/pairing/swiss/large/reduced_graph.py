"""The kernel: a small graph whose exact matching settles the whole field (docs/how-it-works/pairing.md#kernel).

Vertices. A score group is *small* (every member is a vertex) or *large*: its common members are replaced by a few
anonymous stand-ins, and only its special members are vertices. One more vertex is the bye of an odd field. A pair of
vertices costs what the two contenders cost; with a stand-in, the least that any common member would cost there (flaws,
floats, had_bye); two stand-ins cost what their scores cost, within one group nothing.

Bound. Give each large group as many stand-ins as it has common members: every real round becomes a matching that costs
no more, so the least matching of that graph is a bound for all rounds. A few stand-ins do as well, of the same parity:
if the least matching M of the kernel leaves in each large group two stand-ins paired with each other, further pairs of
stand-ins cannot make it cheaper. Otherwise an alternating cycle would gain against M plus the further pairs; where it
runs through two pairs of stand-ins of one group, exchanging two of these twins cuts it into two cycles of the same
total gain, and so on until a gaining cycle uses one such pair a group at most: that cycle exists in the kernel, too,
against M's being least. (`finish` by standings knows no twins: places differ. There it only steers, and is left out of
the bound.)

Proof. Real members then take the stand-ins' places, those left in each large group are paired among themselves, and the
cost of the round that results is counted afresh. Whenever it equals the bound the round is optimal, whatever led to
it; the rules below for what is large or special only make that likely. Where it fails the group becomes small.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations

from tournaments.pairing.swiss.contenders import Contender, Finish, PairingCost
from tournaments.pairing.swiss.costs import Costs, Price
from tournaments.pairing.swiss.matching import Edge, Matching, Pair, Terms, match_least

LOT_BITS = 20


@dataclass(slots=True)
class Group:
    """One score group: `standins` vertices stand for the `common` members (none in a small group)."""

    rank: int
    special: list[Contender]
    common: list[Contender] = field(default_factory=list)
    standins: int = 0

    @property
    def size(self) -> int:
        return len(self.special) + len(self.common)

    def shrink(self) -> None:
        """Make it small: every member a vertex."""
        self.special, self.common, self.standins = self.special + self.common, [], 0


@dataclass(frozen=True, slots=True)
class Vertex:
    """A contender, or a stand-in of its group (`who` is None), with the least it can cost.

    `place_above` and `place_below` are the place in a pair with a lower and with a higher group.
    """

    group: Group
    who: Contender | None
    lot: int
    down: int
    up: int
    had_bye: bool
    place_above: int
    place_below: int


def vertices_of(groups: Sequence[Group], lots: dict[int, int], finish: Finish) -> list[Vertex]:
    """The vertices of groups, given from the highest; `lots` has a number of LOT_BITS for each contender's id."""
    vertices = []
    for group in groups:
        vertices += [
            Vertex(group, one, lots[one.id], one.downfloats, one.upfloats, one.had_bye, one.place, one.place)
            for one in group.special
        ]
        if group.standins:
            common, places, down, up = group.common, [0], 0, 0
            if finish is Finish.STANDINGS:
                places = [one.place for one in common]
            elif finish is Finish.FEWEST_FLOATS:
                down, up = min(one.downfloats for one in common), min(one.upfloats for one in common)
            had_bye = all(one.had_bye for one in common)
            vertices += [
                Vertex(group, None, lots[one.id], down, up, had_bye, max(places), min(places))
                for one in common[: group.standins]
            ]
    return vertices


class Kernel:
    """The graph of some vertices, in order of their groups from the highest, and of a bye when the field is odd."""

    def __init__(self, vertices: Sequence[Vertex], costs: Costs, *, odd: bool) -> None:
        """Rank the groups of the vertices among each other."""
        self.vertices, self.costs, self.odd = vertices, costs, odd
        self.size = len(vertices) + odd
        ranks = [vertex.group.rank for vertex in vertices]
        self.ranks = sorted(set(ranks))
        self.scores = [costs.scores[rank] for rank in self.ranks]
        local = {rank: place for place, rank in enumerate(self.ranks)}
        self.places = [local[rank] for rank in ranks]
        self.floats = costs.finish_rule is Finish.FEWEST_FLOATS
        self.standings = costs.finish_rule is Finish.STANDINGS

    @cached_property
    def prices(self) -> dict[Pair, Price]:
        """The pairs of vertices that cost more than their groups and floats tell."""
        return {**dict(self._prices_of_contenders()), **dict(self._prices_of_standins())}

    def match(self) -> tuple[Matching, PairingCost]:
        """The matching of least cost (the bye is the last vertex), and this cost.

        Pairs without a flaw are tried alone first: if they match everybody, no flaw is needed and they hold the best.
        """
        for flawed in (False, True):
            terms = self._terms(flawed=flawed)
            matching = match_least(self.size, self._edges(terms, flawed=flawed), terms)
            if matching is not None:
                return matching, self._cost_of(matching.cost, terms)
        raise AssertionError("a complete graph has a perfect matching")

    def price(self, one: int, other: int) -> Price:
        """What a pair of vertices costs beyond the scores of its groups, whoever takes a stand-in's place."""
        usual = (0, 0, 0, self._usual_float(min(one, other), max(one, other)))
        first, second = self.vertices[one], self.vertices[other]
        if first.who is not None and second.who is not None:
            return self.costs.price(first.who, second.who)
        if first.who is not None:
            return cheapest(first.who, second.group.common, self.costs, usual)[0]
        if second.who is not None:
            return cheapest(second.who, first.group.common, self.costs, usual)[0]
        return usual

    def _usual_float(self, higher: int, lower: int) -> int:
        if not self.floats or self.places[higher] == self.places[lower]:
            return 0
        return self.vertices[higher].down + self.vertices[lower].up

    def _prices_of_contenders(self) -> Iterator[tuple[Pair, Price]]:
        """The pairs of contenders with a flaw."""
        index = {vertex.who.id: place for place, vertex in enumerate(self.vertices) if vertex.who}
        found = set[frozenset[int]]()
        mates = defaultdict[tuple[str, str], list[int]](list)
        for place, vertex in enumerate(self.vertices):
            if vertex.who is None:
                continue
            found.update(frozenset((place, index[other])) for other in vertex.who.opponents if other in index)
            for kind in self.costs.mates_of(vertex.who):
                mates[kind].append(place)
        for each in mates.values():
            found.update(map(frozenset, combinations(each, 2)))
        found.update(frozenset(index[one] for one in pair) for pair in self.costs.apart if pair <= index.keys())
        for pair in found:
            one, other = min(pair), max(pair)
            first, second = self.vertices[one].who, self.vertices[other].who
            if first is not None and second is not None and first is not second:
                yield (one, other), self.costs.price(first, second)

    def _prices_of_standins(self) -> Iterator[tuple[Pair, Price]]:
        """The pairs of contender and stand-in that cost more than usual, whoever takes the stand-in's place."""
        standins = defaultdict[int, list[int]](list)
        for place, vertex in enumerate(self.vertices):
            if vertex.who is None:
                standins[vertex.group.rank].append(place)
        firsts = [(each, self.vertices[each[0]].group.common[0]) for each in standins.values()]
        for place, vertex in enumerate(self.vertices):
            if vertex.who is None:
                continue
            for each, first in firsts:
                if not self.floats and self.costs.clean(vertex.who, first):
                    continue
                least = self.price(place, each[0])
                if least != (0, 0, 0, self._usual_float(min(place, each[0]), max(place, each[0]))):
                    yield from (((min(place, other), max(place, other)), least) for other in each)

    def _terms(self, *, flawed: bool) -> Terms:
        """The terms of this graph: forbidden, rematches, clubs, bye, downfloats by group, squares, finish, lot."""
        pairs = self.size // 2
        span = self.scores[0] - self.scores[-1] if self.scores else 0
        most = [max(prices, default=0) for prices in zip(*self.prices.values(), strict=True)] or [0] * 4
        downs = Counter(self.places)
        finish = most[3]
        if self.floats:
            downfloats, upfloats = [vertex.down for vertex in self.vertices], [vertex.up for vertex in self.vertices]
            finish = max(finish, max(downfloats, default=0) + max(upfloats, default=0))
        if self.standings:
            above, below = (
                [getattr(vertex, name) for vertex in self.vertices] or [0] for name in ("place_above", "place_below")
            )
            finish = max(max(above) - min(below), max(below) - min(above)) ** 2
        return Terms(
            (
                *(each * pairs if flawed else 0 for each in most[:3]),
                span if self.odd else 0,
                *((downs[place] for place in range(len(self.ranks) - 1)) if self.costs.top_down else ()),
                span**2 * pairs,
                finish * pairs,
                ((1 << LOT_BITS) - 1) * pairs,
            )
        )

    def _edges(self, terms: Terms, *, flawed: bool) -> list[Edge]:
        places, vertices = self.places, self.vertices
        shifts = terms.shifts
        finish_shift = shifts[-2]
        flaw_shifts = (*shifts[:3], finish_shift)
        rows = self._rows(shifts)
        lots = [vertex.lot for vertex in vertices]
        downs = [vertex.down << finish_shift if self.floats else 0 for vertex in vertices]
        ups = [vertex.up << finish_shift if self.floats else 0 for vertex in vertices]
        ends = {place: end for end, place in enumerate(places, start=1)}
        apart = defaultdict[int, set[int]](set)
        for one, other in self.prices:
            apart[one].add(other)
        edges: list[Edge] = []
        for one, place in enumerate(places):
            row, lot, down, never = rows[place], lots[one], downs[one], apart[one]
            end = ends[place]
            edges += [(one, other, lot ^ lots[other]) for other in range(one + 1, end) if other not in never]
            edges += [
                (one, other, row[places[other]] + down + ups[other] + (lot ^ lots[other]))
                for other in range(end, len(places))
                if other not in never
            ]
        for (one, other), price in self.prices.items():
            if flawed or not any(price[:3]):
                flaws = sum(term << shift for term, shift in zip(price, flaw_shifts, strict=True))
                edges.append((one, other, rows[places[one]][places[other]] + flaws + (lots[one] ^ lots[other])))
        if self.standings:
            edges = [
                (one, other, cost + (self._squared_places(one, other) << finish_shift)) for one, other, cost in edges
            ]
        return edges + self._byes(shifts[3])

    def _rows(self, shifts: Sequence[int]) -> list[list[int]]:
        """What a pair of two groups costs by its scores: the downfloat of the higher and the square."""
        rows = []
        for place, score in enumerate(self.scores):
            down = 1 << shifts[4 + place] if self.costs.top_down and place + 1 < len(self.scores) else 0
            rows.append(
                [((score - other) ** 2 << shifts[-3]) + (down if other != score else 0) for other in self.scores]
            )
        return rows

    def _squared_places(self, higher: int, lower: int) -> int:
        one, other = self.vertices[higher], self.vertices[lower]
        if self.places[higher] == self.places[lower] and (one.who is None or other.who is None):
            return 0
        return (one.place_above - other.place_below) ** 2

    def _byes(self, shift: int) -> list[Edge]:
        """The edges to the bye: only from those who had none, while there are such."""
        if not self.odd:
            return []
        had_bye = all(vertex.had_bye for vertex in self.vertices)
        return [
            (place, len(self.vertices), ((self.scores[self.places[place]] - self.scores[-1]) << shift) + vertex.lot)
            for place, vertex in enumerate(self.vertices)
            if vertex.had_bye == had_bye
        ]

    def _cost_of(self, cost: int, terms: Terms) -> PairingCost:
        forbidden, rematches, clubs, bye, *downs, squares, finish, _lot = terms.unpack(cost)
        by_rank = dict(zip(self.ranks, downs, strict=False))
        return PairingCost(
            second_byes=int(self.odd and all(vertex.had_bye for vertex in self.vertices)),
            forbidden_pairs=forbidden,
            rematches=rematches,
            club_pairs=clubs,
            bye_score=bye + self.scores[-1] if self.odd else 0,
            downfloats=tuple(
                by_rank.get(rank, 0) for rank in range(len(self.costs.scores) if self.costs.top_down else 0)
            ),
            sum_sq_diff=squares,
            finish=finish,
        )


def cheapest(one: Contender, members: Iterable[Contender], costs: Costs, enough: Price) -> tuple[Price, Contender]:
    """The member whom it costs least to meet, the first that costs just `enough`; at least one member."""
    least: tuple[Price, Contender] | None = None
    for member in members:
        found = costs.price(one, member)
        if found == enough:
            return found, member
        if least is None or found < least[0]:
            least = found, member
    assert least is not None
    return least

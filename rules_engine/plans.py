"""The cheapest way to make a scope legal: what its sections keep of a deck, and how many cards they need."""

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import product

from rules_engine.constraints import SizeRange
from rules_engine.flow import UNBOUNDED, Network
from rules_engine.scopes import NO_COUNT, OF_TRIBE, Pool, Scope, Shape, Stock, span_of

ONE_CHANGE = 1 << 20
MAX_COPIES = 1 << 8
PROMISE = 1 << 100


@dataclass(slots=True)
class Plan:
    """What to do with a scope: the stocks with what they keep, and how many cards to add of each (section, shape)."""

    scope: Scope
    stocks: list[Stock]
    additions: Counter[tuple[int, Shape]] = field(default_factory=Counter)

    def missing(self, index: int, number: int | None) -> int:
        """How many cards the required count `number` of a section still lacks; 0 where there is none."""
        if number is None or number < 0:
            return 0
        kept = sum(stock.kept[index] for stock in self.stocks if stock.shape[index] == number)
        return max(0, self.scope.required[index][number].at_least - kept)


def plan_scope(scope: Scope, pool: Pool) -> Plan | None:
    """The cheapest way to make `scope` legal, among equals one that keeps more; None when there is none.

    One change costs 1, a copy taken out or put in.
    """
    plan = Plan(scope, pool.own_stocks(scope))
    if _is_legal(plan):
        return plan
    plan.stocks += pool.further_stocks(scope)
    bundles = _bundles(plan.stocks)
    best = _cheapest(plan, bundles)
    if best is None:
        return None
    plan.additions = best.additions()
    for bundle, kept in zip(bundles, best.kept(), strict=True):
        bundle.keep(kept)
    return plan


def _cheapest(plan: Plan, bundles: Sequence["_Bundle"]) -> "_Flow | None":
    """The cheapest flow over all choices of sizes; a section with the share of a tribe is tried size by size."""
    best: _Flow | None = None
    choices = (list(_sizes_tried(plan, index)) for index in range(len(plan.scope.sections)))
    for sizes in product(*choices):
        flow = _Flow(plan.scope, bundles, sizes)
        if flow.keeps_promises and (best is None or flow.cost < best.cost):
            best = flow
    return best


def _sizes_tried(plan: Plan, index: int) -> Iterator[SizeRange]:
    """The sizes of a section between which a flow chooses: ranges, or every single one that can be the cheapest.

    With more cards than the kept ones and their share of a tribe need, one that was put in could be left out again.
    """
    share = plan.scope.share_of(index)
    if share is None:
        yield from plan.scope.sizes[index]
        return
    held = sum(stock.kept[index] for stock in plan.stocks if stock.shape[index] is not None)
    required = sum(rule.at_least for rule in plan.scope.required[index])
    for size in plan.scope.sizes[index]:
        least, most = span_of(size)
        needed = max(least, 1 - (-100 * held // (100 - share.percent))) + required
        yield from (SizeRange(number, number) for number in range(least, min(most, needed) + 1))


def _is_legal(plan: Plan) -> bool:
    held = [sum(copies) for copies in zip(*(stock.kept for stock in plan.stocks), strict=True)]
    held = held or [0] * len(plan.scope.sections)
    return (
        all(stock.room >= 0 for stock in plan.stocks)
        and all(_has_share(plan, index, size) for index, size in enumerate(held))
        and all(any(held[index] in size for size in sizes) for index, sizes in enumerate(plan.scope.sizes))
        and not any(
            plan.missing(index, number)
            for index, rules in enumerate(plan.scope.required)
            for number in range(len(rules))
        )
    )


def _has_share(plan: Plan, index: int, size: int) -> bool:
    share = plan.scope.share_of(index)
    kept = sum(stock.kept[index] for stock in plan.stocks if stock.shape[index] not in (None, NO_COUNT))
    return share is None or kept >= share.needed(size)


@dataclass(slots=True)
class _Bundle:
    """Stocks of one shape that a flow may treat as one, for sums say what they can keep together.

    So it is for stocks within their limits, for stocks over them in the same two sections, and for any single stock.
    """

    shape: Shape
    stocks: list[Stock]

    @property
    def held(self) -> list[int]:
        return [sum(copies) for copies in zip(*(stock.kept for stock in self.stocks), strict=True)]

    @property
    def allowed(self) -> int:
        return sum(stock.allowed for stock in self.stocks)

    def most_copies(self, index: int) -> int:
        return min(MAX_COPIES, max(stock.kept[index] for stock in self.stocks))

    def keep(self, totals: Sequence[int]) -> None:
        """Lower what the stocks keep to `totals` per section: first those over their limits, then the most-copied."""
        surplus = [held - total for held, total in zip(self.held, totals, strict=True)]
        for stock in self.stocks:
            for index in range(len(surplus)):
                over = max(0, min(-stock.room, stock.kept[index], surplus[index]))
                stock.kept[index] -= over
                surplus[index] -= over
        for index, count in enumerate(surplus):
            _level(self.stocks, index, count)


def _level(stocks: Sequence[Stock], index: int, count: int) -> None:
    """Take `count` copies out of a section, each from a stock that keeps most there."""

    def above(level: int) -> int:
        return sum(max(0, stock.kept[index] - level) for stock in stocks)

    most = max(stock.kept[index] for stock in stocks)
    level = bisect_right(range(most + 1), -count, key=lambda level: -above(level))
    last = count - above(level)
    for stock in stocks:
        if stock.kept[index] >= level:
            stock.kept[index] = level - (last > 0)
            last -= 1


def _bundles(stocks: Iterable[Stock]) -> list[_Bundle]:
    bundles: dict[object, _Bundle] = {}
    for stock in stocks:
        where = tuple(index for index, copies in enumerate(stock.kept) if copies and stock.room < 0)
        key = (stock.shape, where, stock.key if len(where) > 2 else "")
        bundles.setdefault(key, _Bundle(stock.shape, [])).stocks.append(stock)
    return list(bundles.values())


class _Flow:
    """Copies run from bundles to sections (by the count they meet) under one choice of a size range per section.

    A kept copy earns `ONE_CHANGE`, a new one costs it; the smallest sizes and required counts are promises that earn
    more than all copies together. Among equals the section with the most copies of a card gives up some.
    """

    def __init__(self, scope: Scope, bundles: Sequence[_Bundle], sizes: Sequence[SizeRange]) -> None:
        self._network = Network()
        self._promises: list[tuple[int, int]] = []
        self._keeping: dict[tuple[int, int], int] = {}
        self._adding: list[tuple[int, Shape, int]] = []
        self._bundles = bundles
        for number, bundle in enumerate(bundles):
            self._connect(number, bundle)
        for index, size in enumerate(sizes):
            self._bind(scope, index, size)
        self._network.fill("source", "sink")

    def _connect(self, number: int, bundle: _Bundle) -> None:
        copies = ("copies", number)
        self._network.add("source", copies, bundle.allowed)
        for index, held in enumerate(bundle.held):
            count = bundle.shape[index]
            if count is None:
                continue
            if held:
                gain = ONE_CHANGE - bundle.most_copies(index)
                self._keeping[number, index] = self._network.add(copies, ("count", index, count), held, -gain)
            arc = self._network.add(copies, ("count", index, count), UNBOUNDED, ONE_CHANGE)
            self._adding.append((index, bundle.shape, arc))

    def _bind(self, scope: Scope, index: int, size: SizeRange) -> None:
        section, largest = ("section", index), span_of(size)[1]
        share = scope.share_of(index)
        counted = ("count", index, OF_TRIBE) if share else section
        for number, rule in enumerate(scope.required[index]):
            self._promise(("count", index, number), counted, rule.at_least)
            self._network.add(("count", index, number), counted, UNBOUNDED)
        if share:
            self._promise(counted, section, share.needed(size.smallest))
            self._network.add(counted, section, UNBOUNDED)
        self._network.add(("count", index, NO_COUNT), section, UNBOUNDED)
        self._promise(section, "sink", size.smallest)
        self._network.add(section, "sink", largest - size.smallest)

    def _promise(self, tail: object, head: object, amount: int) -> None:
        self._promises.append((self._network.add(tail, head, amount, -PROMISE), amount))

    @property
    def keeps_promises(self) -> bool:
        return all(self._network.flow(arc) == amount for arc, amount in self._promises)

    @property
    def cost(self) -> tuple[int, int]:
        """Changes, then copies put in."""
        added = sum(self._network.flow(arc) for *_, arc in self._adding)
        return added - sum(map(sum, self.kept())), added

    def kept(self) -> Iterator[list[int]]:
        """Per bundle the copies kept in each section."""
        for number, bundle in enumerate(self._bundles):
            arcs = (self._keeping.get((number, index)) for index in range(len(bundle.shape)))
            yield [0 if arc is None else self._network.flow(arc) for arc in arcs]

    def additions(self) -> Counter[tuple[int, Shape]]:
        additions: Counter[tuple[int, Shape]] = Counter()
        for index, shape, arc in self._adding:
            additions[index, shape] += self._network.flow(arc)
        return +additions

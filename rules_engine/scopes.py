"""Sections whose copies count together: what they may hold, and how much of a deck they can keep at the least cost."""

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import reduce
from itertools import product
from typing import TypeAlias

from rules_engine.cards import CardFacts
from rules_engine.constraints import AllowedTypes, CardList, CopyLimit, LegalSets, RequiredCount, SectionSize, SizeRange
from rules_engine.decklist import Section
from rules_engine.flow import UNBOUNDED, Network
from rules_engine.game import GameFormat
from rules_engine.limits import copy_allowance

Shape: TypeAlias = tuple[int | None, ...]
"""Per section of a scope: None if a card may not lie there, else the number of the required count it meets, or -1."""

NO_COUNT = -1
ONE_CHANGE = 1 << 20
MOST_COPIES = 1 << 8
PROMISE = 1 << 100


@dataclass(frozen=True, slots=True)
class Scope:
    """The `sections` of one copy limit (or one section without any) and the rules that bind them."""

    sections: tuple[Section, ...]
    limit: CopyLimit | None
    sizes: tuple[tuple[SizeRange, ...], ...]
    required: tuple[tuple[RequiredCount, ...], ...]
    types: tuple[tuple[frozenset[str], ...], ...]
    sets: tuple[frozenset[str], ...]

    @property
    def room_needed(self) -> int:
        """More cards than these are never put in."""
        largest = sum(max((size.smallest for size in sizes), default=0) for sizes in self.sizes)
        return largest + sum(rule.at_least for rules in self.required for rule in rules)

    def shape_of(self, card: CardFacts) -> Shape:
        """Where `card` may lie and which required counts it meets there."""
        if not all(card.set_slug in sets for sets in self.sets):
            return (None,) * len(self.sections)
        return tuple(
            self._count_met(card.type, index) if all(card.type in types for types in self.types[index]) else None
            for index in range(len(self.sections))
        )

    def _count_met(self, card_type: str, index: int) -> int:
        met = (number for number, rule in enumerate(self.required[index]) if card_type in rule.types)
        return next(met, NO_COUNT)

    def copies_of(self, card: CardFacts, in_force: Iterable[CardList]) -> int:
        """How many copies of `card` the sections may hold together."""
        copies = copy_allowance(card, card.name, self.limit, in_force).copies if self.limit else None
        return UNBOUNDED if copies is None else copies


def scopes_of(game_format: GameFormat) -> tuple[Scope, ...]:
    """The format's sections by copy limit: a legal deck is legal in each scope by itself."""
    scopes = dict.fromkeys(
        (limit := game_format.copy_limit_for(each.key), limit.sections if limit else frozenset({each.key}))
        for each in game_format.sections
    )
    return tuple(_scope(game_format, limit, sections) for limit, sections in scopes)


def _scope(game_format: GameFormat, limit: CopyLimit | None, keys: frozenset[Section]) -> Scope:
    sections = tuple(each.key for each in game_format.sections if each.key in keys)
    rules = game_format.constraints
    sizes = ([r.sizes for r in rules if isinstance(r, SectionSize) and r.section == key] for key in sections)
    required = ([r for r in rules if isinstance(r, RequiredCount) and r.section == key] for key in sections)
    types = ([r.types for r in rules if isinstance(r, AllowedTypes) and r.section == key] for key in sections)
    return Scope(
        sections,
        limit,
        tuple(reduce(_common, each, (SizeRange(0, None),)) for each in sizes),
        tuple(map(tuple, required)),
        tuple(map(tuple, types)),
        tuple(rule.sets for rule in rules if isinstance(rule, LegalSets)),
    )


def _common(some: tuple[SizeRange, ...], others: tuple[SizeRange, ...]) -> tuple[SizeRange, ...]:
    """The sizes that both allow."""
    pairs = ((_span(one), _span(other)) for one in some for other in others)
    spans = ((max(one[0], other[0]), min(one[1], other[1])) for one, other in pairs)
    return tuple(SizeRange(low, None if high == UNBOUNDED else high) for low, high in spans if low <= high)


def _span(size: SizeRange) -> tuple[int, int]:
    return size.smallest, UNBOUNDED if size.largest is None else size.largest


@dataclass(slots=True)
class Stock:
    """One card in a scope: its `shape`, the copies allowed there, and how many each section keeps."""

    card: CardFacts
    shape: Shape
    allowed: int
    kept: list[int]

    @property
    def room(self) -> int:
        """How many more copies are allowed; negative when some must go."""
        return self.allowed - sum(self.kept)


@dataclass(slots=True)
class Plan:
    """What to do with a scope: the stocks with what they keep, and how many cards to add of each (section, shape)."""

    scope: Scope
    stocks: list[Stock]
    additions: Counter[tuple[int, Shape]] = field(default_factory=Counter)

    def missing(self, index: int, number: int | None) -> int:
        """How many cards the required count `number` of a section still lacks; 0 where there is none."""
        if number is None or number == NO_COUNT:
            return 0
        kept = sum(stock.kept[index] for stock in self.stocks if stock.shape[index] == number)
        return max(0, self.scope.required[index][number].at_least - kept)


def plan_scope(scope: Scope, stocks: list[Stock]) -> Plan | None:
    """The cheapest way to make `scope` legal, among equals one that keeps more; None when there is none.

    Every stock must keep at most `allowed` copies in a section, and none where its shape forbids it; what they keep is
    lowered in place. One change costs 1, a copy taken out or put in.
    """
    plan = Plan(scope, stocks)
    if _is_legal(plan):
        return plan
    bundles = _bundles(stocks)
    flows = (_Flow(scope, bundles, sizes) for sizes in product(*scope.sizes))
    best = min((flow for flow in flows if flow.keeps_promises), key=lambda flow: flow.cost, default=None)
    if best is None:
        return None
    plan.additions = best.additions()
    for bundle, kept in zip(bundles, best.kept(), strict=True):
        bundle.keep(kept)
    return plan


def _is_legal(plan: Plan) -> bool:
    held = [sum(copies) for copies in zip(*(stock.kept for stock in plan.stocks), strict=True)]
    held = held or [0] * len(plan.scope.sections)
    return (
        all(stock.room >= 0 for stock in plan.stocks)
        and all(any(held[index] in size for size in sizes) for index, sizes in enumerate(plan.scope.sizes))
        and not any(
            plan.missing(index, number)
            for index, rules in enumerate(plan.scope.required)
            for number in range(len(rules))
        )
    )


@dataclass(slots=True)
class _Bundle:
    """Stocks of one shape that a flow may treat as one, for what they can keep together is given by three sums.

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

    @property
    def keepable(self) -> int:
        return sum(min(stock.allowed, sum(stock.kept)) for stock in self.stocks)

    def most_copies(self, index: int) -> int:
        return min(MOST_COPIES, max(stock.kept[index] for stock in self.stocks))

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
        key = (stock.shape, where, stock.card.name if len(where) > 2 else "")
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
            self._bind(index, scope.required[index], size)
        self._network.fill("source", "sink")

    def _connect(self, number: int, bundle: _Bundle) -> None:
        copies, kept = ("copies", number), ("kept", number)
        self._network.add("source", copies, bundle.allowed)
        self._network.add(copies, kept, bundle.keepable)
        for index, held in enumerate(bundle.held):
            count = bundle.shape[index]
            if count is None:
                continue
            if held:
                gain = ONE_CHANGE - bundle.most_copies(index)
                self._keeping[number, index] = self._network.add(kept, ("count", index, count), held, -gain)
            arc = self._network.add(copies, ("count", index, count), UNBOUNDED, ONE_CHANGE)
            self._adding.append((index, bundle.shape, arc))

    def _bind(self, index: int, required: Sequence[RequiredCount], size: SizeRange) -> None:
        section, largest = ("section", index), _span(size)[1]
        for number, rule in enumerate(required):
            self._promise(("count", index, number), section, rule.at_least)
            self._network.add(("count", index, number), section, UNBOUNDED)
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


def gather_stocks(
    scope: Scope,
    held: Mapping[str, Mapping[Section, int]],
    cards: Mapping[str, CardFacts],
    in_force: Sequence[CardList],
) -> list[Stock]:
    """The deck's own cards in `scope`, each section clipped to what is allowed, then more cards while they matter.

    `held` are the copies per section of each known card, by normalised name. Of each shape enough other cards follow,
    by name, that no plan could use more.
    """
    stocks: list[Stock] = []
    for key in sorted(held):
        stock = _stock(scope, cards[key], in_force)
        for index, section in enumerate(scope.sections):
            if stock.shape[index] is not None:
                stock.kept[index] = min(stock.allowed, held[key].get(section, 0))
        stocks.append(stock)
    return stocks + list(_others(scope, held, cards, in_force))


def _stock(scope: Scope, card: CardFacts, in_force: Sequence[CardList]) -> Stock:
    return Stock(card, scope.shape_of(card), scope.copies_of(card, in_force), [0] * len(scope.sections))


def _others(
    scope: Scope, held: Mapping[str, object], cards: Mapping[str, CardFacts], in_force: Sequence[CardList]
) -> Iterator[Stock]:
    shapes: dict[tuple[str, str], Shape] = {}
    found: dict[Shape, list[Stock]] = {}
    room: Counter[Shape] = Counter()
    for key in sorted(cards):
        card = cards[key]
        kind = (card.type, card.set_slug)
        if kind not in shapes:
            shapes[kind] = scope.shape_of(card)
        shape = shapes[kind]
        enough = room[shape] > scope.room_needed and len(found[shape]) > 1
        if key not in held and not enough and any(count is not None for count in shape):
            stock = Stock(card, shape, scope.copies_of(card, in_force), [0] * len(shape))
            if stock.allowed:
                found.setdefault(shape, []).append(stock)
                room[shape] += stock.allowed
                yield stock

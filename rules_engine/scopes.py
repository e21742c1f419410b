"""Sections whose copies count together: what binds them, and the cards that may lie in them."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import TypeAlias

from rules_engine.cards import CardFacts
from rules_engine.constraints import (
    AllowedTypes,
    CardList,
    CardRule,
    CopyLimit,
    OneTribe,
    RequiredCount,
    SectionSize,
    SizeRange,
    TribeOf,
)
from rules_engine.decklist import Section
from rules_engine.flow import UNBOUNDED
from rules_engine.game import GameFormat
from rules_engine.limits import copy_allowance

Shape: TypeAlias = tuple[int | None, ...]
"""Per section of a scope: None if a card may not lie there, else the number of the required count it meets.

It is -1 for none, -2 for none but the share of a tribe. Cards of required counts belong to the tribe.
"""

NO_COUNT, OF_TRIBE = -1, -2


@dataclass(frozen=True, slots=True)
class Scope:
    """The `sections` of one copy limit (or one section without any) and the rules that bind them."""

    sections: tuple[Section, ...]
    limit: CopyLimit | None
    sizes: tuple[tuple[SizeRange, ...], ...]
    required: tuple[tuple[RequiredCount, ...], ...]
    types: tuple[tuple[frozenset[str], ...], ...]
    card_rules: tuple[CardRule, ...]

    @property
    def tribe(self) -> TribeOf | None:
        """The tribe that its decks are of; None where they need none."""
        return next((rule for rule in self.card_rules if isinstance(rule, TribeOf)), None)

    def share_of(self, index: int) -> OneTribe | None:
        """The rule that says which share of a section belongs to the tribe; None for none."""
        rule = self.tribe.rule if self.tribe else None
        return rule if rule and rule.section == self.sections[index] else None

    @property
    def room_needed(self) -> int:
        """More cards than these are never put in."""
        largest = sum(max((size.smallest for size in sizes), default=0) for sizes in self.sizes)
        return largest + sum(rule.at_least for rules in self.required for rule in rules)

    def shape_of(self, card: CardFacts) -> Shape:
        """Where `card` may lie and which required counts it meets there."""
        if not all(rule.allows(card) for rule in self.card_rules):
            return (None,) * len(self.sections)
        return tuple(
            self._count_met(card, index) if all(card.type in types for types in self.types[index]) else None
            for index in range(len(self.sections))
        )

    def kind_of(self, card: CardFacts) -> tuple[str, ...]:
        """What decides a card's shape: cards of one kind have the same."""
        return card.type, *(rule.kind_of(card) for rule in self.card_rules)

    def _count_met(self, card: CardFacts, index: int) -> int:
        met = (number for number, rule in enumerate(self.required[index]) if card.type in rule.types)
        share, tribe = self.share_of(index), self.tribe.tribe if self.tribe else ""
        return next(met, OF_TRIBE if share and tribe in share.tribes_of(card) else NO_COUNT)

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
        tuple(rule for rule in rules if isinstance(rule, CardRule)),
    )


def _common(some: tuple[SizeRange, ...], others: tuple[SizeRange, ...]) -> tuple[SizeRange, ...]:
    """The sizes that both allow."""
    pairs = ((span_of(one), span_of(other)) for one in some for other in others)
    spans = ((max(one[0], other[0]), min(one[1], other[1])) for one, other in pairs)
    return tuple(SizeRange(low, None if high == UNBOUNDED else high) for low, high in spans if low <= high)


def span_of(size: SizeRange) -> tuple[int, int]:
    """Smallest and largest size, `UNBOUNDED` for one without end."""
    return size.smallest, UNBOUNDED if size.largest is None else size.largest


@dataclass(slots=True)
class Stock:
    """One card in a scope: its normalised name, its shape, the copies allowed, and how many each section keeps."""

    key: str
    card: CardFacts
    shape: Shape
    allowed: int
    kept: list[int]

    @property
    def room(self) -> int:
        """How many more copies are allowed; negative when some must go."""
        return self.allowed - sum(self.kept)


@dataclass(frozen=True, slots=True)
class Pool:
    """All `cards` of a game by normalised name, the lists `in_force`, and the copies a deck has `held` per section."""

    cards: Mapping[str, CardFacts]
    in_force: Sequence[CardList]
    held: Mapping[str, Mapping[Section, int]]

    def own_stocks(self, scope: Scope) -> list[Stock]:
        """The cards of the deck, by name; each section keeps what is allowed in it alone."""
        return [self._own_stock(scope, key) for key in sorted(self.held)]

    def further_stocks(self, scope: Scope) -> Iterator[Stock]:
        """Other cards by name: of each shape so many that no plan could use more, and two to choose from."""
        shapes: dict[tuple[str, ...], Shape] = {}
        found, room = Counter[Shape](), Counter[Shape]()
        enough: set[Shape] = {(None,) * len(scope.sections)}
        needed = scope.room_needed + (sum(sum(copies.values()) for copies in self.held.values()) if scope.tribe else 0)
        for key in sorted(self.cards):
            card = self.cards[key]
            kind = scope.kind_of(card)
            shape = shapes.get(kind) or shapes.setdefault(kind, scope.shape_of(card))
            if shape in enough or key in self.held:
                continue
            stock = self._stock(scope, key)
            if stock.allowed:
                found[shape] += 1
                room[shape] += stock.allowed
                yield stock
            if room[shape] > needed and found[shape] > 1:
                enough.add(shape)

    def _own_stock(self, scope: Scope, key: str) -> Stock:
        stock, copies = self._stock(scope, key), self.held[key]
        for index, section in enumerate(scope.sections):
            if stock.shape[index] is not None:
                stock.kept[index] = min(stock.allowed, copies.get(section, 0))
        return stock

    def _stock(self, scope: Scope, key: str) -> Stock:
        card = self.cards[key]
        return Stock(key, card, scope.shape_of(card), scope.copies_of(card, self.in_force), [0] * len(scope.sections))

"""The vocabulary in which a format says what a legal deck is."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from typing import TypeAlias

from rules_engine.cards import CardFacts, several
from rules_engine.decklist import Section
from rules_engine.messages import Message, gettext_noop

_SIZE = re.compile(r"([0-9]{1,4})(?:(\+)|[-–]([0-9]{1,4}))?")


@dataclass(frozen=True, slots=True)
class Clause:
    """A rule: `id` to cite, our own words, and where the `book` states it, one heading or several.

    `words` are the terms it explains; `also` is what people call them besides, to be searched and never shown.
    """

    id: str
    text: str
    book_section: str
    book: str = ""
    words: tuple[str, ...] = ()
    also: tuple[str, ...] = ()

    @property
    def headings(self) -> list[str]:
        """The headings of the book that the clause tells."""
        return self.book_section.split("; ")

    @property
    def source(self) -> str:
        """Book and section in one line."""
        return ", ".join(part for part in (self.book, self.book_section) if part)


@dataclass(frozen=True, slots=True)
class SizeRange:
    """Sizes from `smallest` to `largest`, both allowed; `largest` None means without end."""

    smallest: int
    largest: int | None

    def __contains__(self, size: int) -> bool:
        return self.smallest <= size and (self.largest is None or size <= self.largest)

    def __str__(self) -> str:
        if self.largest is None:
            return f"{self.smallest}+"
        return str(self.smallest) if self.smallest == self.largest else f"{self.smallest}–{self.largest}"


def parse_size(text: str) -> SizeRange:
    """The sizes that "30", "60+" or "25-30" means; ValueError otherwise, its argument is a Message."""
    match = _SIZE.fullmatch(text.strip())
    if not match:
        raise ValueError(Message(gettext_noop("“%(text)s” is not a size such as 30, 60+ or 25-30."), {"text": text}))
    smallest, largest = int(match[1]), int(match[3] or match[1])
    if largest < smallest:
        raise ValueError(Message(gettext_noop("“%(text)s” ends before it begins."), {"text": text}))
    return SizeRange(smallest, None if match[2] else largest)


@dataclass(frozen=True, slots=True)
class SectionSize:
    """The number of cards in `section` is in one of `sizes` (so "none or exactly 25" can be said)."""

    clause: Clause
    section: Section
    sizes: tuple[SizeRange, ...]

    def allows(self, size: int) -> bool:
        """Whether a section of `size` cards keeps this rule."""
        return any(size in allowed for allowed in self.sizes)


@dataclass(frozen=True, slots=True)
class AllowedTypes:
    """Every card in `section` has one of `types`."""

    clause: Clause
    section: Section
    types: frozenset[str]


@dataclass(frozen=True, slots=True)
class RequiredCount:
    """`section` holds at least `at_least` cards whose type is one of `types`."""

    clause: Clause
    section: Section
    types: frozenset[str]
    at_least: int


@dataclass(frozen=True, slots=True)
class CopiesByValue:
    """Of a card of `types` as many copies as `total` divided by its fact `field` (called `label`), rounded down.

    It takes the place of the general limit; a card whose fact is no number from 1 keeps that.
    """

    clause: Clause
    types: frozenset[str]
    field: str
    label: str
    total: int

    def copies_of(self, card: CardFacts) -> int | None:
        """The copies allowed of `card`; None where this says nothing of it."""
        value = str(card.fields.get(self.field, ""))
        if card.type not in self.types or not (value.isascii() and value.isdigit() and int(value)):
            return None
        return self.total // int(value)


@dataclass(frozen=True, slots=True)
class CopyLimit:
    """How many copies of one name `sections` hold together: `copies`, unless a card list or the card itself says else.

    Lists count where `banned` (0 copies) and `limited` clauses are given; what a card states in its fact
    `own_text_field` ("any" or a number) counts where `own_text` is given, and `by_value` where that is. See
    `limits.copy_allowance`.
    """

    clause: Clause
    sections: frozenset[Section]
    copies: int
    banned: Clause | None = None
    limited: Clause | None = None
    own_text: Clause | None = None
    own_text_field: str = ""
    by_value: CopiesByValue | None = None


@dataclass(frozen=True, slots=True)
class LegalSets:
    """Every card comes from one of `sets` (slugs of card sets)."""

    clause: Clause
    sets: frozenset[str]

    def kind_of(self, card: CardFacts) -> str:
        return card.set_slug

    def allows(self, card: CardFacts) -> bool:
        """Whether a deck may hold the card."""
        return card.set_slug in self.sets


@dataclass(frozen=True, slots=True)
class LegalCards:
    """Every card's fact `field` (called `label`) is among `values`, or, if they are `refused`, none of them.

    A card with several such facts needs all of them among the values.
    """

    clause: Clause
    field: str
    label: str
    values: tuple[str, ...]
    refused: bool = False

    def kind_of(self, card: CardFacts) -> str:
        return str(card.fields.get(self.field, ""))

    def allows(self, card: CardFacts) -> bool:
        """Whether a deck may hold the card."""
        found = several(self.kind_of(card))
        if self.refused:
            return not set(found) & set(self.values)
        return bool(found) and set(found) <= set(self.values)


@dataclass(frozen=True, slots=True)
class OneTribe:
    """All cards of a deck have the same fact `field` (called `label`), but for those with one of the `free` ones.

    A free card has none of the types `bound`. Of the cards of `section` at least `percent`, rounded up, are not free.
    Whether a deck may hold a card follows from the others: `of` says it for each tribe.
    """

    clause: Clause
    section: Section
    field: str
    label: str
    free: frozenset[str]
    bound: frozenset[str]
    percent: int

    def kind_of(self, card: CardFacts) -> str:
        return str(card.fields.get(self.field, ""))

    def allows(self, card: CardFacts) -> bool:
        """Whether some deck may hold the card."""
        return self.is_free(card) or bool(self.tribes_of(card))

    def is_free(self, card: CardFacts) -> bool:
        """Whether decks of every tribe may hold the card."""
        return card.type not in self.bound and bool(self.free.intersection(several(self.kind_of(card))))

    def tribes_of(self, card: CardFacts) -> frozenset[str]:
        return frozenset(several(self.kind_of(card))) - self.free

    def of(self, tribe: str) -> "TribeOf":
        """The rule for decks of a tribe."""
        return TribeOf(self.clause, self, tribe)

    def needed(self, size: int) -> int:
        """So many of `size` cards belong to the tribe at least."""
        return -(-size * self.percent // 100)


@dataclass(frozen=True, slots=True)
class TribeOf:
    """What `rule` says of the decks of one `tribe`."""

    clause: Clause
    rule: OneTribe
    tribe: str

    def kind_of(self, card: CardFacts) -> str:
        return self.rule.kind_of(card)

    def allows(self, card: CardFacts) -> bool:
        """Whether a deck of this tribe may hold the card."""
        return self.tribe in self.rule.tribes_of(card) or self.rule.is_free(card)


CardRule: TypeAlias = LegalSets | LegalCards | OneTribe | TribeOf
"""What says of each card by itself whether a deck may hold it."""
Constraint: TypeAlias = SectionSize | AllowedTypes | RequiredCount | CopyLimit | CardRule


AddedRule: TypeAlias = LegalCards | CopiesByValue | OneTribe


@dataclass(frozen=True, slots=True)
class HouseRule:
    """A rule of a game that its house formats may add, by its `slug`."""

    slug: str
    name: str
    rule: AddedRule


def cited_by(rule: Constraint) -> tuple[Clause, ...]:
    """Every clause that a breach of `rule` may cite."""
    if not isinstance(rule, CopyLimit):
        return (rule.clause,)
    by_value = rule.by_value.clause if rule.by_value else None
    return tuple(clause for clause in (rule.clause, rule.banned, rule.limited, rule.own_text, by_value) if clause)


@dataclass(frozen=True, slots=True)
class CardList:
    """One version of a card list, in force from `valid_from` until a newer version of the same `slug`.

    `limits` maps normalised names to the copies allowed: 0 is banned, None is any number. What `by_variant` says for
    a variant beats it there.
    """

    slug: str
    name: str
    valid_from: date
    limits: Mapping[str, int | None] = field(default_factory=dict)
    by_variant: Mapping[str, Mapping[str, int | None]] = field(default_factory=dict)

    @property
    def source(self) -> str:
        """Name and date in one line, as a verdict cites it."""
        return f"{self.name}, {self.valid_from.isoformat()}"

    def in_variant(self, variant: str) -> "CardList":
        """The list as it reads in one variant."""
        return replace(self, limits={**self.limits, **self.by_variant.get(variant, {})}, by_variant={})


def lists_in_force(card_lists: Iterable[CardList], on_date: date, variant: str = "") -> tuple[CardList, ...]:
    """The newest lists not younger than `on_date`, as they read in `variant`, ordered by slug."""
    return tuple(each.in_variant(variant) for each in newest_lists(card_lists, on_date))


def newest_lists(card_lists: Iterable[CardList], on_date: date) -> tuple[CardList, ...]:
    """Of each list the newest version not younger than `on_date`, ordered by slug."""
    newest: dict[str, CardList] = {}
    for card_list in sorted(card_lists, key=lambda each: each.valid_from):
        if card_list.valid_from <= on_date:
            newest[card_list.slug] = card_list
    return tuple(newest[slug] for slug in sorted(newest))

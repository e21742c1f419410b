"""The vocabulary in which a format says what a legal deck is."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import TypeAlias

from rules_engine.cards import normalise_name
from rules_engine.decklist import Section


@dataclass(frozen=True, slots=True)
class Clause:
    """A rule that checks and messages cite: `id`, our own words, and where the `book` states it."""

    id: str
    text: str
    book_section: str
    book: str = ""

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
class CopyLimit:
    """At most `copies` of one name over `sections` together, unless a card list says otherwise."""

    clause: Clause
    sections: frozenset[Section]
    copies: int


@dataclass(frozen=True, slots=True)
class ListedCards:
    """Card lists count over `sections` together; a listed card with 0 copies breaks `banned`, any other `limited`."""

    banned: Clause
    limited: Clause
    sections: frozenset[Section]


@dataclass(frozen=True, slots=True)
class LegalSets:
    """Every card comes from one of `sets` (slugs of card sets)."""

    clause: Clause
    sets: frozenset[str]


Constraint: TypeAlias = SectionSize | AllowedTypes | RequiredCount | CopyLimit | ListedCards | LegalSets


@dataclass(frozen=True, slots=True)
class CardList:
    """One version of a card list, in force from `valid_from` until a newer version of the same `slug`.

    `limits` maps normalised names to the copies allowed: 0 is banned, None is any number.
    """

    slug: str
    name: str
    valid_from: date
    limits: Mapping[str, int | None] = field(default_factory=dict)

    @property
    def source(self) -> str:
        """Name and date in one line, as a verdict cites it."""
        return f"{self.name}, {self.valid_from.isoformat()}"


@dataclass(frozen=True, slots=True)
class ListedLimit:
    """What the lists in force say of one card: at most `copies` (None: any number), and which list says so."""

    copies: int | None
    card_list: CardList


def lists_in_force(card_lists: Iterable[CardList], on_date: date) -> tuple[CardList, ...]:
    """Of each list the newest version not younger than `on_date`, ordered by slug."""
    newest: dict[str, CardList] = {}
    for card_list in sorted(card_lists, key=lambda each: each.valid_from):
        if card_list.valid_from <= on_date:
            newest[card_list.slug] = card_list
    return tuple(newest[slug] for slug in sorted(newest))


def listed_limit(name: str, in_force: Iterable[CardList]) -> ListedLimit | None:
    """The strictest limit that the lists `in_force` set for the card `name`; None when no list names it."""
    key = normalise_name(name)
    limits = [ListedLimit(card_list.limits[key], card_list) for card_list in in_force if key in card_list.limits]
    return min(limits, key=_strictness, default=None)


def _strictness(limit: ListedLimit) -> tuple[bool, int]:
    return (limit.copies is None, limit.copies or 0)

"""House formats: what an organiser changes in a shipped format, and the format that comes of it."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from typing import Any, NoReturn

from rules_engine.cards import normalise_name
from rules_engine.constraints import (
    AddedRule,
    CardList,
    Clause,
    Constraint,
    CopiesByValue,
    CopyLimit,
    LegalSets,
    SectionSize,
    SizeRange,
    parse_size,
)
from rules_engine.decklist import Section
from rules_engine.errors import DomainError
from rules_engine.game import GameFormat
from rules_engine.messages import Message, gettext_noop

MAX_COPIES = 99
LARGEST_SIZE = 1000
MAX_RANGES = 8
MAX_LISTED = 2000

CLAUSE_TEXTS = {
    "HOUSE-SIZE": gettext_noop("The house format says how many cards this part of a deck holds."),
    "HOUSE-COPIES": gettext_noop("The house format says how many cards of one name a deck holds at the most."),
    "HOUSE-SETS": gettext_noop("The house format says from which sets the cards of a deck come."),
    "HOUSE-BANNED": gettext_noop("A card on the house list with 0 copies stays out of every deck."),
    "HOUSE-LIMITED": gettext_noop("A card on the house list keeps to its number of copies."),
}


@dataclass(frozen=True, slots=True)
class FormatChanges:
    """What a house format changes: sizes per section, copies of a name, legal sets (None: as in the base).

    `limits` are the house's own card list, normalised names to copies as in `CardList`; it comes on top of the base's
    lists, the strictest number wins, unless `keeps_lists` is False. `rules` are slugs of the base's house rules.
    """

    sizes: Mapping[Section, tuple[SizeRange, ...]] = field(default_factory=dict)
    copies: int | None = None
    sets: frozenset[str] | None = None
    limits: Mapping[str, int | None] = field(default_factory=dict)
    keeps_lists: bool = True
    rules: frozenset[str] = frozenset()


def derive_format(
    base: GameFormat, changes: FormatChanges, slug: str, name: str, source: str, valid_from: date
) -> GameFormat:
    """The format `base` becomes by `changes`, which fit it as `changes_from_data` sees to.

    Its clauses cite `source` (name, version and date of the house format). The sections stay those of `base`, so how a
    decklist is read never depends on a version. The house's card list is in force from `valid_from`.
    """
    house = _House({key: Clause(key, text, "", source) for key, text in CLAUSE_TEXTS.items()}, base, changes)
    own_list = CardList(f"{slug}-list", name, valid_from, dict(changes.limits))
    return replace(
        base,
        slug=slug,
        name=name,
        constraints=tuple(house.constraints()),
        card_lists=(*(base.card_lists if changes.keeps_lists else ()), *((own_list,) if changes.limits else ())),
    )


@dataclass(frozen=True, slots=True)
class _House:
    clauses: Mapping[str, Clause]
    base: GameFormat
    changes: FormatChanges

    def constraints(self) -> Iterator[Constraint]:
        """The house's sizes, the base's rules as changed, and what the base says nothing about."""
        for section, sizes in self.changes.sizes.items():
            yield SectionSize(self.clauses["HOUSE-SIZE"], section, sizes)
        for rule in self.base.constraints:
            if isinstance(rule, CopyLimit):
                yield self._copy_limit(rule)
            elif not self._is_replaced(rule):
                yield rule
        if self.changes.copies is not None and not limits_copies(self.base):
            sections = frozenset(section.key for section in self.base.sections)
            yield self._copy_limit(CopyLimit(self.clauses["HOUSE-COPIES"], sections, self.changes.copies))
        if self.changes.sets is not None:
            yield LegalSets(self.clauses["HOUSE-SETS"], self.changes.sets)
        yield from (rule for rule in self._added if not isinstance(rule, CopiesByValue))

    @property
    def _added(self) -> list[AddedRule]:
        return [each.rule for each in self.base.house_rules if each.slug in self.changes.rules]

    def _is_replaced(self, rule: Constraint) -> bool:
        if isinstance(rule, SectionSize):
            return rule.section in self.changes.sizes
        return isinstance(rule, LegalSets) and self.changes.sets is not None

    def _copy_limit(self, rule: CopyLimit) -> CopyLimit:
        if self.changes.copies is not None:
            rule = replace(rule, clause=self.clauses["HOUSE-COPIES"], copies=self.changes.copies)
        if self.changes.limits and rule.banned is None:
            rule = replace(rule, banned=self.clauses["HOUSE-BANNED"], limited=self.clauses["HOUSE-LIMITED"])
        by_value = next((each for each in self._added if isinstance(each, CopiesByValue)), rule.by_value)
        rule = replace(rule, by_value=by_value)
        return rule


def limits_copies(game_format: GameFormat) -> bool:
    """Whether any rule of the format limits copies, and so reads card lists."""
    return any(isinstance(rule, CopyLimit) for rule in game_format.constraints)


def changes_as_data(changes: FormatChanges) -> dict[str, Any]:
    """The changes as plain JSON values; `changes_from_data` reads them back."""
    added = {"rules": sorted(changes.rules)} if changes.rules else {}
    return added | {
        "sizes": {section: [str(size) for size in sizes] for section, sizes in changes.sizes.items()},
        "copies": changes.copies,
        "sets": None if changes.sets is None else sorted(changes.sets),
        "limits": dict(changes.limits),
        "keeps_lists": changes.keeps_lists,
    }


def changes_from_data(
    data: Mapping[str, Any], base: GameFormat, known_sets: Collection[str], known_cards: Collection[str]
) -> FormatChanges:
    """The changes that `data` states (any key may be missing), checked against `base` and what the game has.

    `known_sets` are slugs, `known_cards` normalised names. DomainError `bad_house_format`, worded as a Message, with
    the `field` that does not fit: "base", a key of `data`, or "sizes.<section>".
    """
    if not base.checks_decks:
        _refuse("base", gettext_noop("%(base)s checks no decks, so there is nothing to change."), base=base.name)
    for key in data:
        if key not in FormatChanges.__dataclass_fields__:
            _refuse(key, gettext_noop("“%(key)s” is nothing a house format can change."), key=key)
    changes = FormatChanges(
        sizes=_read_sizes(data.get("sizes", {}), base),
        copies=_read_copies(data.get("copies")),
        sets=_read_sets(data.get("sets"), known_sets),
        limits=_read_limits(data.get("limits", {}), known_cards),
        keeps_lists=_read_flag(data.get("keeps_lists", True)),
        rules=_read_rules(data.get("rules", []), base),
    )
    if changes.limits and changes.copies is None and not limits_copies(base):
        template = gettext_noop("%(base)s does not limit copies: a card list needs a number of copies as well.")
        _refuse("limits", template, base=base.name)
    return changes


def _refuse(field_name: str, template: str, **params: object) -> NoReturn:
    raise DomainError("bad_house_format", Message(template, params), field=field_name)


def _read_sizes(data: object, base: GameFormat) -> dict[Section, tuple[SizeRange, ...]]:
    known = {section.key for section in base.sections}
    sizes = {}
    for section, texts in _mapping("sizes", data).items():
        if section not in known:
            _refuse("sizes", gettext_noop("%(base)s has no section “%(section)s”."), base=base.name, section=section)
        sizes[section] = _read_ranges(f"sizes.{section}", texts)
    return sizes


def _read_ranges(field_name: str, texts: object) -> tuple[SizeRange, ...]:
    if not isinstance(texts, list) or not 1 <= len(texts) <= MAX_RANGES:
        _refuse(field_name, gettext_noop("One to %(most)s sizes are needed."), most=MAX_RANGES)
    ranges = tuple(_read_range(field_name, text) for text in texts)
    if any((each.largest or each.smallest) > LARGEST_SIZE for each in ranges):
        _refuse(field_name, gettext_noop("A size is %(most)s cards at the most."), most=LARGEST_SIZE)
    return ranges


def _read_range(field_name: str, text: object) -> SizeRange:
    try:
        return parse_size(text if isinstance(text, str) else "")
    except ValueError as error:
        message: Message = error.args[0]
        _refuse(field_name, message.template, **message.params)


def _read_copies(data: object) -> int | None:
    if data is not None and not _is_number(data, 1):
        _refuse("copies", gettext_noop("The number of copies is between 1 and %(most)s."), most=MAX_COPIES)
    return data if isinstance(data, int) else None


def _read_sets(data: object, known: Collection[str]) -> frozenset[str] | None:
    if data is None:
        return None
    if not isinstance(data, list) or not data:
        _refuse("sets", gettext_noop("At least one set is needed."))
    for slug in data:
        if not isinstance(slug, str) or slug not in known:
            _refuse("sets", gettext_noop("There is no set “%(set)s”."), set=slug)
    return frozenset(data)


def _read_limits(data: object, known: Collection[str]) -> dict[str, int | None]:
    limits: dict[str, int | None] = {}
    listed = _mapping("limits", data)
    if len(listed) > MAX_LISTED:
        _refuse("limits", gettext_noop("A list holds %(most)s cards at the most."), most=MAX_LISTED)
    for name, copies in listed.items():
        key = normalise_name(name)
        if key not in known:
            _refuse("limits", gettext_noop("There is no card “%(card)s”."), card=name)
        if key in limits:
            _refuse("limits", gettext_noop("“%(card)s” is on the list twice."), card=name)
        if copies is not None and not _is_number(copies, 0):
            template = gettext_noop("“%(card)s”: the number of copies is between 0 and %(most)s, or any.")
            _refuse("limits", template, card=name, most=MAX_COPIES)
        limits[key] = copies
    return limits


def _read_rules(data: object, base: GameFormat) -> frozenset[str]:
    known = {each.slug for each in base.house_rules}
    if not isinstance(data, list) or not all(isinstance(slug, str) and slug in known for slug in data):
        _refuse("rules", gettext_noop("Choose among the rules that %(base)s offers."), base=base.name)
    return frozenset(data)


def _read_flag(data: object) -> bool:
    if not isinstance(data, bool):
        _refuse("keeps_lists", gettext_noop("Either the lists of the base stay in force or not."))
    return data


def _mapping(field_name: str, data: object) -> Mapping[str, Any]:
    if not isinstance(data, dict) or not all(isinstance(key, str) for key in data):
        _refuse(field_name, gettext_noop("This is not a table of names and values."))
    return data


def _is_number(data: object, smallest: int) -> bool:
    return isinstance(data, int) and not isinstance(data, bool) and smallest <= data <= MAX_COPIES

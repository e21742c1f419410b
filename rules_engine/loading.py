"""From a game's folder to a GameSystem: rules.toml and card file, every cross-reference checked."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from rules_engine.cards import normalise_name
from rules_engine.catalogue import CardField, CardSchema
from rules_engine.constraints import (
    AllowedTypes,
    CardList,
    Clause,
    Constraint,
    CopyLimit,
    LegalSets,
    RequiredCount,
    SectionSize,
    SizeRange,
    parse_size,
)
from rules_engine.game import (
    Duration,
    First,
    GameFormat,
    GameSystem,
    MatchFacts,
    SectionRule,
    ShippedSet,
    Stacking,
    Variant,
)
from rules_engine.limits import ANY_NUMBER
from rules_engine.loading_card_texts import read_card_texts
from rules_engine.loading_cards import read_shipped_cards
from rules_engine.loading_house_rules import with_house_rules
from rules_engine.loading_rulebook import read_sections
from rules_engine.loading_ways import read_drafts, read_ways
from rules_engine.rulesfile import Table, open_rules

RULES_FILE = "rules.toml"


@dataclass(frozen=True, slots=True)
class _Names:
    """What a constraint may refer to."""

    clauses: Mapping[str, Clause]
    sections: tuple[str, ...]
    types: tuple[str, ...]
    limit_fields: tuple[str, ...]

    def clause(self, table: Table, key: str = "clause") -> Clause:
        return self.clauses[table.choice(key, self.clauses)]

    def maybe_clause(self, table: Table, key: str) -> Clause | None:
        return self.clause(table, key) if table.has(key) else None

    def section(self, table: Table) -> str:
        return table.choice("section", self.sections)

    def some_sections(self, table: Table) -> frozenset[str]:
        return frozenset(table.texts("sections", self.sections))

    def some_types(self, table: Table) -> frozenset[str]:
        return frozenset(table.texts("types", self.types))


def load_system(folder: Path) -> GameSystem:
    """The game in `folder`; DomainError `bad_rules_file` names file and key of what is missing or does not fit."""
    top = open_rules(folder / RULES_FILE)
    book = top.text("book", "")
    sections = read_sections(top, folder, book)
    clauses = {clause.id: clause for section in sections for clause in section.clauses}
    schema, shipped = read_shipped_cards(top, folder)
    formats = with_house_rules(_read_formats(top, clauses, schema, shipped), top, clauses, schema)
    match = _read_match(top.table("match"), clauses)
    system = GameSystem(
        slug=top.slug(),
        name=top.text("name"),
        summary=top.text("summary"),
        book=book,
        formats=formats,
        match=match,
        rules=sections,
        card_schema=schema,
        shipped=shipped,
        ways=read_ways(top, formats, match, clauses),
        drafts=read_drafts(top, clauses),
        card_texts=read_card_texts(folder, [card for each in shipped for card in each.cards]),
    )
    if system.slug != folder.name:
        top.fail("slug", f"must be the folder's name, {folder.name}")
    top.finish()
    return system


def _read_match(table: Table, clauses: Mapping[str, Clause]) -> MatchFacts:
    seats_min, seats_max = table.integer("seats_min", 1), table.integer("seats_max", 1)
    best_of, default = table.integers("best_of"), table.integer("best_of_default", 1)
    if seats_max < seats_min:
        table.fail("seats_max", "must not be below seats_min")
    if any(length < 1 or length % 2 == 0 for length in best_of):
        table.fail("best_of", "must hold odd numbers")
    if default not in best_of:
        table.fail("best_of_default", "must be one of best_of")
    labels, roles, deciding = (_read_labels(table, key) for key in ("win_kinds", "roles", "deciding_game"))
    if roles and (len(roles) != seats_max or seats_min != seats_max):
        table.fail("roles", "must be as many as there are seats")
    stacking = _read_stacking(table.table("stacking"), clauses) if table.has("stacking") else None
    pairs = table.flag("pairs")
    tables_of = table.integer("tables_of", 3) if table.has("tables_of") else None
    if tables_of is not None and tables_of > seats_max:
        table.fail("tables_of", "must not be above seats_max")
    duration = _read_duration(table.table("duration"), clauses) if table.has("duration") else None
    first = _read_first(table.table("first"), clauses) if table.has("first") else None
    table.finish()
    return MatchFacts(
        seats_min, seats_max, best_of, default, labels, stacking, roles, deciding, pairs, tables_of, duration, first
    )


def _read_first(table: Table, clauses: Mapping[str, Clause]) -> First:
    first = First(clauses[table.choice("clause", clauses)], table.flag("by_lot"))
    table.finish()
    return first


def _read_labels(table: Table, key: str) -> dict[str, str]:
    labels = {}
    for each in table.tables(key):
        labels[each.text("key")] = each.text("label")
        each.finish()
    return labels


def _read_stacking(table: Table, clauses: Mapping[str, Clause]) -> Stacking:
    clause, reveal = (clauses[table.choice(key, clauses)] for key in ("clause", "reveal"))
    stacking = Stacking(clause, table.integer("minutes", 1), reveal)
    table.finish()
    return stacking


def _read_duration(table: Table, clauses: Mapping[str, Clause]) -> Duration:
    clause, least = clauses[table.choice("clause", clauses)], table.integer("least", 1)
    duration = Duration(clause, least, table.integer("most", least))
    table.finish()
    return duration


def _read_formats(
    top: Table, clauses: Mapping[str, Clause], schema: CardSchema, shipped: tuple[ShippedSet, ...]
) -> tuple[GameFormat, ...]:
    formats = tuple(_read_format(table, clauses, schema, shipped) for table in top.tables("formats"))
    if not formats:
        top.fail("formats", "a game needs at least one")
    top.each_once("formats", [each.slug for each in formats])
    return formats


def _read_format(
    table: Table, clauses: Mapping[str, Clause], schema: CardSchema, shipped: tuple[ShippedSet, ...]
) -> GameFormat:
    sections = tuple(_read_section(each) for each in table.tables("sections"))
    table.each_once("sections", [each.key for each in sections])
    variants = tuple(_read_variant(each) for each in table.tables("variants"))
    table.each_once("variants", [each.slug for each in variants])
    section_keys, types = tuple(each.key for each in sections), tuple(each.name for each in schema.types)
    names = _Names(clauses, section_keys, types, tuple(each.key for each in schema.fields if _states_a_limit(each)))
    constraints = tuple(_read_constraint(each, names) for each in table.tables("constraints"))
    _check_scopes(table, constraints)
    game_format = GameFormat(
        table.slug(),
        table.text("name"),
        sections,
        constraints,
        tuple(_read_lists(table, shipped, [each.slug for each in variants])),
        variants,
        table.text("note", ""),
        table.choice("secret_section", section_keys) if table.has("secret_section") else "",
    )
    table.finish()
    return game_format


def _states_a_limit(card_field: CardField) -> bool:
    """Whether every value of the field is a number of copies or "any"."""
    return card_field.number or all(each == ANY_NUMBER or each.isdecimal() for each in card_field.choices or ("",))


def _read_variant(table: Table) -> Variant:
    variant = Variant(table.slug(), table.text("name"))
    table.finish()
    return variant


def _check_scopes(table: Table, constraints: tuple[Constraint, ...]) -> None:
    """Each section has one copy limit, and a card meets one required count in it: so the smallest repair is exact."""
    limited = [section for rule in constraints if isinstance(rule, CopyLimit) for section in rule.sections]
    required = [
        f"{rule.section} {kind}" for rule in constraints if isinstance(rule, RequiredCount) for kind in rule.types
    ]
    table.each_once("constraints", limited)
    table.each_once("constraints", required)


def _read_section(table: Table) -> SectionRule:
    section = SectionRule(table.text("key"), table.text("title"), table.texts("headings"))
    table.finish()
    return section


def _read_constraint(table: Table, names: _Names) -> Constraint:
    constraint = READERS[table.choice("kind", READERS)](table, names)
    table.finish()
    return constraint


def _read_size(table: Table, names: _Names) -> SectionSize:
    sizes = tuple(_size_range(table, text) for text in table.texts("sizes"))
    return SectionSize(names.clause(table), names.section(table), sizes)


def _size_range(table: Table, text: str) -> SizeRange:
    try:
        return parse_size(text)
    except ValueError as error:
        table.fail("sizes", str(error))


def _read_allowed_types(table: Table, names: _Names) -> AllowedTypes:
    return AllowedTypes(names.clause(table), names.section(table), names.some_types(table))


def _read_required(table: Table, names: _Names) -> RequiredCount:
    return RequiredCount(
        names.clause(table), names.section(table), names.some_types(table), table.integer("at_least", 1)
    )


def _read_copies(table: Table, names: _Names) -> CopyLimit:
    banned, limited, own_text = (names.maybe_clause(table, key) for key in ("banned", "limited", "own_text"))
    if (banned is None) != (limited is None):
        table.fail("banned", "goes with limited: both or neither")
    stated_in = table.choice("own_text_field", names.limit_fields) if own_text else ""
    scope = names.some_sections(table)
    return CopyLimit(names.clause(table), scope, table.integer("copies", 1), banned, limited, own_text, stated_in)


def _read_sets(table: Table, names: _Names) -> LegalSets:
    return LegalSets(names.clause(table), frozenset(table.texts("sets")))


READERS: Mapping[str, Callable[[Table, _Names], Constraint]] = {
    "section_size": _read_size,
    "allowed_types": _read_allowed_types,
    "required_count": _read_required,
    "copy_limit": _read_copies,
    "legal_sets": _read_sets,
}


def _read_lists(table: Table, shipped: tuple[ShippedSet, ...], variants: list[str]) -> Iterator[CardList]:
    known = {normalise_name(card.name) for card_set in shipped for card in card_set.cards}
    for each in table.tables("card_lists"):
        limits: dict[str, int | None] = {}
        by_variant: dict[str, dict[str, int | None]] = {variant: {} for variant in variants}
        for entry in each.tables("cards"):
            key = normalise_name(entry.text("name"))
            if key not in known:
                entry.fail("name", f"“{entry.text('name')}” is not a card of this game")
            scope = entry.texts("variants", variants) if entry.has("variants") else ()
            copies = _copies_allowed(entry)
            for target in [by_variant[variant] for variant in scope] or [limits]:
                if key in target:
                    entry.fail("name", "is on this list twice")
                target[key] = copies
            entry.finish()
        yield CardList(each.slug(), each.text("name"), each.day("valid_from"), limits, _filled(by_variant))
        each.finish()


def _filled(by_variant: dict[str, dict[str, int | None]]) -> dict[str, dict[str, int | None]]:
    return {variant: limits for variant, limits in by_variant.items() if limits}


def _copies_allowed(entry: Table) -> int | None:
    """A number from 0, or "any" for a card without limit."""
    if entry.has("copies") and entry.values["copies"] == ANY_NUMBER:
        return None
    return entry.integer("copies")

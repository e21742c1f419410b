"""The rules that a game's house formats may add, from its rules file."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace

from rules_engine.catalogue import CardField, CardSchema
from rules_engine.constraints import Clause, CopiesByValue, CopyLimit, HouseRule, LegalCards
from rules_engine.game import GameFormat
from rules_engine.rulesfile import Table

Clauses = Mapping[str, Clause]


def with_house_rules(
    formats: Iterable[GameFormat], top: Table, clauses: Clauses, schema: CardSchema
) -> tuple[GameFormat, ...]:
    """The formats with the tables under `house_rules` that fit them; none for one that checks no decks."""
    rules = tuple(_read_house_rule(table, clauses, schema) for table in top.tables("house_rules"))
    top.each_once("house_rules", [each.slug for each in rules])
    return tuple(replace(each, house_rules=tuple(_fitting(rules, each))) for each in formats)


def _fitting(rules: Iterable[HouseRule], game_format: GameFormat) -> Iterator[HouseRule]:
    """Rules of copies need a format that limits them."""
    limits_copies = any(isinstance(rule, CopyLimit) for rule in game_format.constraints)
    for each in rules if game_format.checks_decks else ():
        if limits_copies or not isinstance(each.rule, CopiesByValue):
            yield each


def _read_house_rule(table: Table, clauses: Clauses, schema: CardSchema) -> HouseRule:
    read = READERS[table.choice("kind", READERS)]
    rule = HouseRule(table.slug(), table.text("name"), read(table, clauses, schema))
    table.finish()
    return rule


def _field(table: Table, schema: CardSchema) -> CardField:
    fields = {each.key: each for each in schema.fields}
    return fields[table.choice("field", fields)]


def _read_legal_cards(table: Table, clauses: Clauses, schema: CardSchema) -> LegalCards:
    field, refused = _field(table, schema), table.has("without")
    values = table.texts("without" if refused else "values")
    if not values:
        table.fail("values", "must not be empty")
    return LegalCards(clauses[table.choice("clause", clauses)], field.key, field.label, values, refused)


def _read_copies_by_value(table: Table, clauses: Clauses, schema: CardSchema) -> CopiesByValue:
    field = _field(table, schema)
    types = frozenset(table.texts("types", [each.name for each in schema.types]))
    clause = clauses[table.choice("clause", clauses)]
    return CopiesByValue(clause, types, field.key, field.label, table.integer("total", 1))


READERS: Mapping[str, Callable[[Table, Clauses, CardSchema], LegalCards | CopiesByValue]] = {
    "legal_cards": _read_legal_cards,
    "copies_by_value": _read_copies_by_value,
}

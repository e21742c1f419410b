"""The rules that a game's house formats may add, from its rules file."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace

from rules_engine.catalogue import CardField, CardSchema
from rules_engine.constraints import (
    AddedRule,
    Clause,
    CopiesByValue,
    CopyLimit,
    HouseRule,
    LegalCards,
    OneTribe,
    RequiredCount,
)
from rules_engine.game import GameFormat
from rules_engine.rulesfile import Table

Clauses = Mapping[str, Clause]
MOST_PERCENT = 99


def with_house_rules(
    formats: Iterable[GameFormat], top: Table, clauses: Clauses, schema: CardSchema
) -> tuple[GameFormat, ...]:
    """The formats with the tables under `house_rules` that fit them; none for one that checks no decks."""
    rules = tuple(_read_house_rule(table, clauses, schema) for table in top.tables("house_rules"))
    top.each_once("house_rules", [each.slug for each in rules])
    return tuple(replace(each, house_rules=tuple(_fitting(rules, each))) for each in formats)


def _fitting(rules: Iterable[HouseRule], game_format: GameFormat) -> Iterator[HouseRule]:
    """Rules of copies need a format that limits them; of a tribe's share, one that requires cards of tribes alone.

    The share is one of the first section.
    """
    limits_copies = any(isinstance(rule, CopyLimit) for rule in game_format.constraints)
    for each in rules if game_format.checks_decks else ():
        if isinstance(each.rule, OneTribe):
            rule = replace(each.rule, section=game_format.sections[0].key)
            if all(required.types <= rule.bound for required in _required(game_format, rule)):
                yield replace(each, rule=rule)
        elif limits_copies or not isinstance(each.rule, CopiesByValue):
            yield each


def _required(game_format: GameFormat, tribe: OneTribe) -> Iterator[RequiredCount]:
    for rule in game_format.constraints:
        if isinstance(rule, RequiredCount) and rule.section == tribe.section:
            yield rule


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


def _read_one_tribe(table: Table, clauses: Clauses, schema: CardSchema) -> OneTribe:
    field, percent = _field(table, schema), table.integer("percent", 1)
    if percent > MOST_PERCENT:
        table.fail("percent", f"must be at most {MOST_PERCENT}")
    free, types = frozenset(table.texts("free")), [each.name for each in schema.types]
    clause, bound = clauses[table.choice("clause", clauses)], frozenset(table.texts("bound_types", types))
    return OneTribe(clause, "", field.key, field.label, free, bound, percent)


READERS: Mapping[str, Callable[[Table, Clauses, CardSchema], AddedRule]] = {
    "legal_cards": _read_legal_cards,
    "copies_by_value": _read_copies_by_value,
    "one_tribe": _read_one_tribe,
}

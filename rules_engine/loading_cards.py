"""Reading the cards of a game: their fields and types, and the sets that come with it."""

from dataclasses import replace
from pathlib import Path

from rules_engine.catalogue import CardField, CardSchema, CardType, Shelf, read_cards
from rules_engine.game import ShippedSet
from rules_engine.rulesfile import Table

FIELD_FLAGS = ("number", "signed", "optional", "filter", "listed", "chart", "hidden")


def read_shipped_cards(top: Table, folder: Path) -> tuple[CardSchema, tuple[ShippedSet, ...]]:
    """What cards of a game look like, and its shipped sets; nothing of both for a game without cards."""
    if not top.has("cards"):
        return CardSchema(), ()
    table = top.table("cards")
    fields = tuple(_read_field(each) for each in table.tables("fields"))
    table.each_once("fields", [each.key for each in fields])
    types = tuple(_read_type(each, fields) for each in table.tables("types"))
    table.each_once("types", [each.name for each in types])
    schema = CardSchema(fields, types)
    shipped = _read_shipped(table, folder, schema) if table.has("file") else ()
    table.finish()
    return schema, shipped


def _read_field(table: Table) -> CardField:
    choices = table.texts("choices") if table.has("choices") else ()
    flags = {name: table.flag(name) for name in FIELD_FLAGS}
    if flags["hidden"] and (flags["filter"] or flags["listed"] or flags["chart"]):
        table.fail("hidden", "does not go with filter, listed or chart")
    card_field = CardField(table.text("key"), table.text("label"), choices=choices, **flags)
    table.finish()
    return card_field


def _read_type(table: Table, fields: tuple[CardField, ...]) -> CardType:
    keys = table.texts("fields", [each.key for each in fields])
    card_type = CardType(table.text("name"), table.text("plural"), tuple(each for each in fields if each.key in keys))
    table.finish()
    return card_type


def _read_shipped(table: Table, folder: Path, schema: CardSchema) -> tuple[ShippedSet, ...]:
    file, sets = table.text("file"), [_read_set(each) for each in table.tables("sets")]
    slugs = [each.slug for each in sets]
    if not sets:
        table.fail("sets", "a card file needs at least one set")
    table.each_once("sets", slugs)
    try:
        text = (folder / file).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        table.fail("file", str(error))
    reading = read_cards(text, schema, Shelf({each.slug: each.name for each in sets}))
    if reading.problems:
        first = reading.problems[0]
        table.fail("file", f"{file} line {first.line}: {first.message}")
    return tuple(replace(each, cards=tuple(c for c in reading.cards if c.set_slug == each.slug)) for each in sets)


def _read_set(table: Table) -> ShippedSet:
    card_set = ShippedSet(table.slug(), table.text("name"), table.flag("sample"), ())
    table.finish()
    return card_set

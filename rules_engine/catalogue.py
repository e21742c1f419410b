"""What a game's cards look like, and reading them from a card file: every bad row is reported, none is guessed."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from rules_engine.cardfile import CardFile, Row, RowProblem, Unit, read_rows
from rules_engine.cards import MAX_NAME_LENGTH, CardFacts, normalise_name, several
from rules_engine.messages import gettext_noop
from rules_engine.tables import csv_text

MAX_TEXT_LENGTH = 2000
MAX_NUMBER = 9999
SET_COLUMN = "set"
_UNSTORABLE = re.compile("[\x00\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class CardField:
    """One fact a card may have: its column `key` and its `label`; a text, or a whole number (negative too if `signed`).

    It may be left out if `optional`, and must be one of `choices` if there are any. Cards are searched by it if
    `filter`; it stands in lists of cards if `listed`; decks are charted by it if `chart`. No page
    shows it if `hidden`: it is for the machine, and stands in files only.
    """

    key: str
    label: str
    number: bool = False
    signed: bool = False
    optional: bool = False
    choices: tuple[str, ...] = ()
    filter: bool = False
    listed: bool = False
    chart: bool = False
    hidden: bool = False

    def values_of(self, card: CardFacts) -> tuple[str, ...]:
        """What a card may be found by: its value, or each of several parted by ", " or " / "; none without a value."""
        return several(card.fields.get(self.key, ""))


@dataclass(frozen=True, slots=True)
class CardType:
    """A type of card and the facts that cards of this type have; other fields must be empty."""

    name: str
    plural: str
    fields: tuple[CardField, ...]


@dataclass(frozen=True, slots=True)
class CardSchema:
    """The columns of a game's card file and the card types it knows."""

    fields: tuple[CardField, ...] = ()
    types: tuple[CardType, ...] = ()

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns in order: name, type, set, then the fields."""
        return ("name", "type", SET_COLUMN, *(each.key for each in self.fields))

    @property
    def filters(self) -> tuple[CardField, ...]:
        return tuple(each for each in self.fields if each.filter)

    @property
    def listed(self) -> tuple[CardField, ...]:
        """The fields that lists of cards show: all that are shown anywhere unless some are marked."""
        return tuple(each for each in self.fields if each.listed) or self.shown

    @property
    def shown(self) -> tuple[CardField, ...]:
        return tuple(each for each in self.fields if not each.hidden)

    def get_type(self, name: str) -> CardType | None:
        """The type called `name`, whatever its letter case."""
        wanted = normalise_name(name)
        return next((known for known in self.types if name == known.name or wanted == normalise_name(known.name)), None)


@dataclass(frozen=True, slots=True)
class Shelf:
    """What is there before a file is read.

    `sets` are the sets a row may name, slug to name; the first is meant where a row names none. `cards` are all cards
    by normalised name. No file changes the sets in `fixed`: a row may only say of them what is so already. A card of
    the sets in `giving_way` makes room for one of the same name.
    """

    sets: Mapping[str, str] = field(default_factory=dict)
    cards: Mapping[str, CardFacts] = field(default_factory=dict)
    fixed: frozenset[str] = frozenset()
    giving_way: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class CatalogueReading:
    """Cards read and problems found, counted in `unit`; only a reading without problems should be stored.

    `cards` are those of sets that a file may change, `repeated` counts those of the others.
    """

    cards: tuple[CardFacts, ...] = ()
    problems: tuple[RowProblem, ...] = ()
    unit: Unit = Unit.LINE
    repeated: int = 0


def read_cards(text: str, schema: CardSchema, shelf: Shelf | None = None) -> CatalogueReading:
    """The cards in CSV or JSON `text` (see `cardfile.read_rows`), or all that is wrong with it."""
    shelf = shelf or Shelf()
    file = read_rows(text, schema.columns)
    cards = [_read_card(row, schema, shelf) for row in file.rows]
    _refuse_doubles(file, cards)
    touched = {card.set_slug for card in cards} - shelf.fixed
    for row, card in zip(file.rows, cards, strict=True):
        _compare_with_shelf(row, card, shelf, touched)
    problems = file.problems + tuple(problem for row in file.rows for problem in row.problems)
    changing = tuple(card for card in cards if card.set_slug in touched)
    return CatalogueReading(changing, problems, file.unit, len(cards) - len(changing))


def card_row(card: CardFacts, schema: CardSchema) -> tuple[str | int, ...]:
    """What a card says in each column of the game; "" where it says nothing."""
    return (card.name, card.type, card.set_slug, *(card.fields.get(each.key, "") for each in schema.fields))


def write_cards(cards: Iterable[CardFacts], schema: CardSchema) -> str:
    """The cards as CSV with every column of the game; `read_cards` gives them back."""
    return csv_text(schema.columns, (card_row(card, schema) for card in cards))


def example_cards(schema: CardSchema) -> tuple[CardFacts, ...]:
    """One made-up card of each type with what the type needs, for a file to begin with."""
    return tuple(
        CardFacts(f"Example {each.name}", each.name, "", {known.key: _example(known) for known in each.fields})
        for each in schema.types
    )


def _example(known: CardField) -> str | int:
    if known.number:
        return 1
    return known.choices[0] if known.choices else known.label


def _refuse_doubles(file: CardFile, cards: Iterable[CardFacts]) -> None:
    on_line, at_entry = (
        gettext_noop("“%(name)s” is already on line %(first)s."),
        gettext_noop("“%(name)s” is already entry %(first)s."),
    )
    template = on_line if file.unit is Unit.LINE else at_entry
    firsts: dict[str, int] = {}
    for row, card in zip(file.rows, cards, strict=True):
        first = firsts.setdefault(normalise_name(card.name), row.line)
        if card.name and first != row.line:
            row.refuse("name", template, name=card.name, first=first)


def _compare_with_shelf(row: Row, card: CardFacts, shelf: Shelf, touched: set[str]) -> None:
    """Refuse what would change a fixed set, or take a name from a set that the file does not hold."""
    held = shelf.cards.get(normalise_name(card.name))
    if card.set_slug in shelf.fixed:
        if card != held:
            template = gettext_noop("You can't change the built-in set “%(set)s”. Use your own set.")
            row.refuse(SET_COLUMN, template, set=shelf.sets.get(card.set_slug, card.set_slug))
    elif held and held.set_slug not in (touched | shelf.giving_way):
        template = gettext_noop("“%(name)s” is already in the set “%(set)s”.")
        row.refuse("name", template, name=card.name, set=shelf.sets.get(held.set_slug, held.set_slug))


def _read_card(row: Row, schema: CardSchema, shelf: Shelf) -> CardFacts:
    if row.is_refused(""):
        return CardFacts("", "")
    set_slug = _read_set(row, shelf)
    name = row.values.get("name", "")
    if not name or len(name) > MAX_NAME_LENGTH or not name.isprintable():
        row.refuse("name", gettext_noop("Enter a name of 1 to %(limit)s characters."), limit=MAX_NAME_LENGTH)
    card_type = schema.get_type(row.values.get("type", ""))
    if card_type is None:
        known = ", ".join(each.name for each in schema.types)
        template = gettext_noop("Unknown card type “%(type)s”. Use: %(known)s.")
        row.refuse("type", template, type=row.values.get("type", ""), known=known)
        return CardFacts(name, "", set_slug)
    return CardFacts(name, card_type.name, set_slug, dict(_read_fields(row, card_type, schema)))


def _read_set(row: Row, shelf: Shelf) -> str:
    named = row.values.get(SET_COLUMN, "")
    if not named:
        return next(iter(shelf.sets), "")
    if named in shelf.sets:
        return named
    wanted = normalise_name(named)
    for slug, name in shelf.sets.items():
        if wanted in (normalise_name(slug), normalise_name(name)):
            return slug
    template = gettext_noop("Unknown set “%(set)s”. Use: %(known)s.")
    row.refuse(SET_COLUMN, template, set=named, known=", ".join(shelf.sets.values()))
    return ""


def _read_fields(row: Row, card_type: CardType, schema: CardSchema) -> Iterator[tuple[str, str | int]]:
    has = {each.key for each in card_type.fields}
    for known in schema.fields:
        value = row.values.get(known.key, "")
        if known.key not in has:
            if value:
                row.refuse(known.key, gettext_noop("A card of type %(type)s has no “%(column)s”."), type=card_type.name)
        elif not value:
            if not known.optional and not row.is_refused(known.key):
                row.refuse(known.key, gettext_noop("A card of type %(type)s needs “%(column)s”."), type=card_type.name)
        else:
            yield known.key, _read_value(row, known, value)


def _read_value(row: Row, known: CardField, value: str) -> str | int:
    if known.number:
        return _read_number(row, known, value)
    if len(value) > MAX_TEXT_LENGTH:
        row.refuse(known.key, gettext_noop("“%(column)s”: at most %(limit)s characters."), limit=MAX_TEXT_LENGTH)
    elif _UNSTORABLE.search(value):
        row.refuse(known.key, gettext_noop("“%(column)s” has an invalid character."))
    elif known.choices and value not in known.choices:
        template = gettext_noop("“%(column)s”: one of %(choices)s.")
        row.refuse(known.key, template, choices=", ".join(known.choices))
    return value


def _read_number(row: Row, known: CardField, value: str) -> int:
    smallest = -MAX_NUMBER if known.signed else 0
    digits = value.removeprefix("-") if known.signed else value
    if digits.isascii() and digits.isdigit() and len(digits) <= len(str(MAX_NUMBER)):
        return int(value)
    template = gettext_noop("“%(column)s”: a whole number from %(smallest)s to %(limit)s.")
    row.refuse(known.key, template, smallest=smallest, limit=MAX_NUMBER)
    return 0

"""Reading a game's cards from CSV text: every bad row is reported, none is guessed."""

import csv
import io
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field

from rules_engine.cards import MAX_NAME_LENGTH, CardFacts, normalise_name
from rules_engine.messages import Message, gettext_noop

MAX_TEXT_LENGTH = 2000
MAX_NUMBER = 9999
SET_COLUMN = "set"


@dataclass(frozen=True, slots=True)
class CardField:
    """One fact a card may have: its column `key` and its `label`; a text, or a whole number (negative too if `signed`).

    It may be left out if `optional`, and must be one of `choices` if there are any.
    """

    key: str
    label: str
    number: bool = False
    signed: bool = False
    optional: bool = False
    choices: tuple[str, ...] = ()


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

    def get_type(self, name: str) -> CardType | None:
        """The type called `name`, whatever its letter case."""
        wanted = normalise_name(name)
        return next((known for known in self.types if normalise_name(known.name) == wanted), None)


@dataclass(frozen=True, slots=True)
class RowProblem:
    """Why the row on `line` of the file is not a card; `column` "" when the row as a whole is at fault."""

    line: int
    column: str
    message: Message


@dataclass(frozen=True, slots=True)
class CatalogueReading:
    """Cards read and problems found; only a reading without problems should be stored."""

    cards: tuple[CardFacts, ...] = ()
    problems: tuple[RowProblem, ...] = ()


@dataclass(slots=True)
class _Row:
    line: int
    values: Mapping[str, str]
    problems: list[RowProblem] = field(default_factory=list)

    def refuse(self, column: str, template: str, **params: object) -> None:
        self.problems.append(RowProblem(self.line, column, Message(template, {"column": column, **params})))


def read_cards(
    text: str, schema: CardSchema, sets: Collection[str] = (), taken: Mapping[str, str] | None = None
) -> CatalogueReading:
    """The cards in CSV `text`, or all that is wrong with it.

    Values are parted by comma or semicolon; a header row names the columns of `schema`, in any order. `sets` are the
    slugs a row may name as its set; the first one is meant where a row names none. `taken` gives for normalised names
    that are used already the set that uses them.
    """
    text = text.removeprefix("\ufeff")
    header_line = text.partition("\n")[0]
    delimiter = ";" if header_line.count(";") > header_line.count(",") else ","
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    try:
        rows = [(reader.line_num, row) for row in reader if any(value.strip() for value in row)]
    except csv.Error as error:
        message = Message(gettext_noop("This line is not CSV: %(error)s."), {"error": error})
        return CatalogueReading(problems=(RowProblem(reader.line_num, "", message),))
    if not rows:
        return CatalogueReading(problems=(RowProblem(1, "", Message(gettext_noop("The file is empty."))),))
    header = [name.strip().casefold() for name in rows[0][1]]
    problems = tuple(_check_header(header, schema))
    if problems:
        return CatalogueReading(problems=problems)
    named = [_Row(line, dict(zip(header, map(str.strip, values), strict=False))) for line, values in rows[1:]]
    for row, (_line, values) in zip(named, rows[1:], strict=True):
        if len(values) > len(header):
            row.refuse("", gettext_noop("This row has more values than the header has columns."))
    return _read_rows(named, schema, tuple(sets), taken or {})


def _check_header(header: list[str], schema: CardSchema) -> Iterator[RowProblem]:
    for column in ("name", "type"):
        if column not in header:
            yield RowProblem(
                1, column, Message(gettext_noop("The column “%(column)s” is missing."), {"column": column})
            )
    for column in header:
        params = {"column": column, "columns": ", ".join(schema.columns)}
        if column not in schema.columns:
            template = gettext_noop("The column “%(column)s” is not known here; columns are: %(columns)s.")
            yield RowProblem(1, column, Message(template, params))
        elif header.count(column) > 1:
            yield RowProblem(1, column, Message(gettext_noop("The column “%(column)s” is there twice."), params))


def _read_rows(
    rows: list[_Row], schema: CardSchema, sets: tuple[str, ...], taken: Mapping[str, str]
) -> CatalogueReading:
    cards = []
    first_lines: dict[str, int] = {}
    for row in rows:
        card = _read_card(row, schema, sets)
        key = normalise_name(card.name)
        first = first_lines.setdefault(key, row.line)
        if card.name and first != row.line:
            row.refuse("name", gettext_noop("“%(name)s” is already on line %(first)s."), name=card.name, first=first)
        if key in taken:
            template = gettext_noop("“%(name)s” is already a card of the set “%(set)s”.")
            row.refuse("name", template, name=card.name, set=taken[key])
        cards.append(card)
    return CatalogueReading(tuple(cards), tuple(problem for row in rows for problem in row.problems))


def _read_card(row: _Row, schema: CardSchema, sets: tuple[str, ...]) -> CardFacts:
    set_slug = _read_set(row, sets)
    name = row.values.get("name", "")
    if not name or len(name) > MAX_NAME_LENGTH or not name.isprintable():
        row.refuse("name", gettext_noop("A name of 1 to %(limit)s characters is needed."), limit=MAX_NAME_LENGTH)
    card_type = schema.get_type(row.values.get("type", ""))
    if card_type is None:
        known = ", ".join(each.name for each in schema.types)
        template = gettext_noop("“%(type)s” is not a card type; types are: %(known)s.")
        row.refuse("type", template, type=row.values.get("type", ""), known=known)
        return CardFacts(name, "", set_slug)
    return CardFacts(name, card_type.name, set_slug, dict(_read_fields(row, card_type, schema)))


def _read_set(row: _Row, sets: tuple[str, ...]) -> str:
    named = row.values.get(SET_COLUMN, "")
    if named and named not in sets:
        template = gettext_noop("“%(set)s” is not a set known here; sets are: %(known)s.")
        row.refuse(SET_COLUMN, template, set=named, known=", ".join(sets))
    return named or next(iter(sets), "")


def _read_fields(row: _Row, card_type: CardType, schema: CardSchema) -> Iterator[tuple[str, str | int]]:
    has = {each.key for each in card_type.fields}
    for known in schema.fields:
        value = row.values.get(known.key, "")
        if known.key not in has:
            if value:
                row.refuse(known.key, gettext_noop("A card of type %(type)s has no “%(column)s”."), type=card_type.name)
        elif not value:
            if not known.optional:
                row.refuse(known.key, gettext_noop("A card of type %(type)s needs “%(column)s”."), type=card_type.name)
        else:
            yield known.key, _read_value(row, known, value)


def _read_value(row: _Row, known: CardField, value: str) -> str | int:
    if known.number:
        return _read_number(row, known, value)
    if len(value) > MAX_TEXT_LENGTH or "\x00" in value:
        row.refuse(known.key, gettext_noop("“%(column)s”: at most %(limit)s characters."), limit=MAX_TEXT_LENGTH)
    elif known.choices and value not in known.choices:
        template = gettext_noop("“%(column)s”: one of %(choices)s.")
        row.refuse(known.key, template, choices=", ".join(known.choices))
    return value


def _read_number(row: _Row, known: CardField, value: str) -> int:
    smallest = -MAX_NUMBER if known.signed else 0
    digits = value.removeprefix("-") if known.signed else value
    if digits.isascii() and digits.isdigit() and len(digits) <= len(str(MAX_NUMBER)):
        return int(value)
    template = gettext_noop("“%(column)s”: a whole number from %(smallest)s to %(limit)s.")
    row.refuse(known.key, template, smallest=smallest, limit=MAX_NUMBER)
    return 0

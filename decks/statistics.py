"""Figures of a decklist to draw: how many cards of each type, and how the fields fall that a game has marked for it."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction

from rules_engine.cards import CardFacts, normalise_name
from rules_engine.catalogue import CardField, CardSchema
from rules_engine.decklist import Decklist
from rules_engine.messages import gettext_noop

TYPES = gettext_noop("Card types")
WIDEST_CURVE = 16


@dataclass(frozen=True, slots=True)
class Bar:
    """How many cards have one value; `label` is in English."""

    label: str
    count: int


@dataclass(frozen=True, slots=True)
class Chart:
    """One figure: its title, a bar for each value in order, how many cards have one at all.

    `is_curve` marks numbers in a row (a gap is a bar of 0), of which `average` is the mean over all copies.
    """

    title: str
    bars: tuple[Bar, ...]
    counted: int
    is_curve: bool = False
    average: Fraction | None = None

    @property
    def highest(self) -> int:
        """The count of the longest bar."""
        return max(bar.count for bar in self.bars)


def charts_of(decklist: Decklist, schema: CardSchema, cards: Mapping[str, CardFacts]) -> tuple[Chart, ...]:
    """The figures of a deck, without those that would be empty; cards that nobody knows are in none."""
    copies = [
        (facts, entry.count)
        for entry in decklist.entries
        if (facts := cards.get(normalise_name(entry.name))) is not None
    ]
    types = Counter[str]()
    for facts, count in copies:
        types[facts.type] += count
    charts = [_in_order(TYPES, types, [each.name for each in schema.types])]
    charts += [_chart_field(each, copies) for each in schema.fields if each.chart]
    return tuple(chart for chart in charts if chart.bars)


def _chart_field(field: CardField, copies: Iterable[tuple[CardFacts, int]]) -> Chart:
    """A card with several values (two colours) stands in the bar of each, and is counted once."""
    values, counted = Counter[str](), 0
    for facts, count in copies:
        found = field.values_of(facts)
        counted += count if found else 0
        for value in found:
            values[value] += count
    numbers = Counter({int(value): count for value, count in values.items() if _is_number(value)})
    if numbers and len(numbers) == len(values) and max(numbers) - min(numbers) < WIDEST_CURVE:
        return _curve(field.label, numbers, counted)
    order = field.choices or sorted(values, key=_numerically if numbers else lambda value: (-values[value], value))
    return _in_order(field.label, values, order, counted)


def _curve(title: str, numbers: Counter[int], counted: int) -> Chart:
    bars = tuple(Bar(str(number), numbers[number]) for number in range(min(numbers), max(numbers) + 1))
    average = Fraction(sum(number * count for number, count in numbers.items()), numbers.total())
    return Chart(title, bars, counted, is_curve=True, average=average)


def _in_order(title: str, values: Counter[str], order: Iterable[str], counted: int | None = None) -> Chart:
    bars = tuple(Bar(label, values[label]) for label in order if values[label])
    return Chart(title, bars, values.total() if counted is None else counted)


def _is_number(value: str) -> bool:
    digits = value.removeprefix("-")
    return digits.isascii() and digits.isdigit() and len(digits) <= 9


def _numerically(value: str) -> tuple[int, int | str]:
    """Numbers by size, then everything else by letters."""
    return (0, int(value)) if _is_number(value) else (1, value)

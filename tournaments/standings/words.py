"""The tiebreakers in the reader's language, and how their values are written."""

from collections.abc import Mapping
from fractions import Fraction

from django.utils.formats import get_format
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from scoring.standings.records import ScoringPolicy
from scoring.standings.standings import decimal_text
from scoring.standings.tiebreakers import TIEBREAKERS, Kind, Tiebreaker

INNER_NAMES: Mapping[str, Promise] = {
    "match_win": gettext_lazy("Match-win %"),
    "game_win": gettext_lazy("Game-win %"),
}
"""What tiebreakers are made from, where a derivation names it."""


def name_of(key: str) -> str:
    return str(INNER_NAMES[key]) if key in INNER_NAMES else _(TIEBREAKERS[key].name)


def short_name(column: Tiebreaker) -> str:
    """A tiebreaker as the head of a column."""
    return _(column.abbreviation)


def said_of(key: str) -> str:
    """What a tiebreaker is, in one line."""
    return _(TIEBREAKERS[key].description)


def value_text(column: Tiebreaker, value: Fraction, policy: ScoringPolicy) -> str:
    """A value as published: percentages of 100 with the event's digits and rounding, numbers without idle zeros."""
    if column.percentage:
        return with_mark(decimal_text(value * 100, max(policy.decimals - 2, 0), policy.rounding))
    if column.kind is Kind.LOT:
        return str(-value)
    return number_text(value, policy)


def number_text(value: Fraction, policy: ScoringPolicy) -> str:
    """A number with at most the event's digits, without zeros that say nothing: 13, 13.5, 5.1111."""
    text = decimal_text(value, policy.decimals, policy.rounding)
    return with_mark(text.rstrip("0").rstrip(".") if "." in text else text)


def with_mark(number: str) -> str:
    """A number with the decimal mark of the reader's language; programs get the point."""
    return number.replace(".", str(get_format("DECIMAL_SEPARATOR")))


def exact_text(column: Tiebreaker, value: Fraction) -> str:
    """A value with its name, as a fraction where it is one."""
    exact = f"{value} = {with_mark(decimal_text(value * 100, 6))} %" if column.percentage else str(value)
    return f"{name_of(column.key)}: {exact}"

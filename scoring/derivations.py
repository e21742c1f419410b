"""How a tiebreaker's value came about, line by line: what players are shown, and what adds up to the value again."""

from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction


class Operation(StrEnum):
    """How the counted terms of a derivation make up its value."""

    SUM = "sum"
    AVERAGE = "average"
    SHARE = "share"
    """The first term over the second."""
    PRODUCT = "product"
    GIVEN = "given"
    """The one term is the value: a lot, a floor."""


@dataclass(frozen=True, slots=True)
class Term:
    """One line: an opponent, a round or a plain number.

    `value` is what the line brings in, after floor and weight. `parts` says how `value` came about where that is worth
    a line (an opponent's match-win %: points over the most possible). `note` is a code such as "floored", "cut",
    "own_score", "virtual"; a line that is not `counted` was left out of the sum (the lowest of Cut 1).
    """

    code: str
    value: Fraction
    contender: int | None = None
    round_number: int | None = None
    parts: "Derivation | None" = None
    counted: bool = True
    note: str = ""


@dataclass(frozen=True, slots=True)
class Derivation:
    """The arithmetic of one value: `value` is exactly what `operation` makes of the counted `terms`."""

    key: str
    operation: Operation
    terms: tuple[Term, ...]
    value: Fraction

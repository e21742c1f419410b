"""The arithmetic of one value as whole numbers: what defines a tiebreaker, added up fast or shown line by line."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from scoring.standings.derivations import Operation
from scoring.standings.result_table import ResultTable


class IntegerTerm(NamedTuple):
    """What one opponent, round or number brings in: `amount` times `weight`; `contender` is a place in the field.

    `source` is the key whose value `amount` came from, for this opponent (without one: for the contender itself).
    `code` and `note` are those of `scoring.standings.derivations.Term`.
    """

    code: str
    amount: int
    contender: int | None = None
    round_number: int | None = None
    source: str = ""
    weight: int = 1
    note: str = ""
    counted: bool = True
    voluntary: bool = False


class IntegerTerms(NamedTuple):
    """Lines, what becomes of them, and the common denominators of their amounts and weights.

    An average is weighted; a share is the first line over the second, each with weight 1. `factors` are the codes of
    amount and weight where the weight is part of the arithmetic.
    """

    operation: Operation
    lines: Sequence[IntegerTerm]
    scale: int = 1
    weight_scale: int = 1
    factors: tuple[str, str] | None = None

    @property
    def rational(self) -> tuple[int, int]:
        """The value as numerator and denominator."""
        lines = [line for line in self.lines if line.counted]
        if self.operation is Operation.SHARE:
            return lines[0].amount, lines[1].amount
        total = sum([line.amount * line.weight for line in lines])
        if self.operation is Operation.AVERAGE:
            return total, self.scale * sum([line.weight for line in lines])
        return total, self.scale * self.weight_scale


Definition = Callable[[ResultTable, int], IntegerTerms]
"""How the value of the contender at a place in the field is made up."""


def constant(code: str, amount: int, scale: int = 1, note: str = "", source: str = "") -> IntegerTerms:
    """A value that is not worked out from others."""
    return IntegerTerms(Operation.GIVEN, [IntegerTerm(code, amount, source=source, note=note)], scale)

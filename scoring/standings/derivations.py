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


CODES = frozenset({
    "round", "running_total", "opponent", "unplayed", "virtual", "points", "most_points", "game_points",
    "most_game_points", "wins_and_half_draws", "rounds", "opponents_score", "opponents_value", "weight", "weighted_sum",
    "weights", "thousandths", "floor", "nothing_played", "head_to_head", "on_time", "lot",
})  # fmt: skip
"""What a line is: "unplayed" is a round that counts the player's score, "running_total" one of a progressive score."""
NOTES = frozenset({
    "floored", "cut", "virtual", "digits", "as_draw", "no_opponents", "not_tied", "not_all_met", "bye", "requested_bye",
    "forfeit_win", "forfeit_loss", "absent",
})  # fmt: skip
"""Why a line is as it is: "digits" were set side by side, "as_draw" is a round given up that opponents count so."""


@dataclass(frozen=True, slots=True)
class Term:
    """One line: an opponent, a round or a plain number.

    `value` is what the line brings in, after floor and weight. `parts` says how `value` came about where that is worth
    a line (an opponent's match-win %: points over the most possible). `code` is one of CODES, `note` one of NOTES or
    empty; a line that is not `counted` was left out of the sum (the lowest of Cut 1).
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

"""The columns of what `scoring.standings.chess` defines line by line, for the whole field at once."""

from collections.abc import Callable
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from scoring.standings.chess import Columns
from scoring.standings.percentages import divided
from scoring.standings.played_rounds import Presence
from scoring.standings.result_table import Column, ResultTable
from scoring.standings.round_arrays import RoundArrays, Truth, Whole, array_of

AVAILABLE, GIVEN_UP, VOLUNTARY = (
    np.array([getattr(each, name) for each in Presence]) for name in ("available", "given_up", "voluntary")
)


class Amounts(NamedTuple):
    """Lines of everybody: whose, the amount, its worth in the sum, whether a round was unplayed by choice."""

    size: int
    who: Whole
    amount: Whole
    worth: Whole
    voluntary: Truth


def adjusted_column(*, fore: bool = False, own: bool = False) -> Columns:
    """The column of `adjusted_lines`."""

    def column(field: ResultTable) -> Column:
        rounds, size = field.arrays, len(field.facts)
        drawn = np.zeros(len(rounds.who), np.bool_)
        if not own:
            could = available(rounds)
            last = _highest(size, rounds.who[could], rounds.number[could])
            drawn |= GIVEN_UP[rounds.presence] & (rounds.number > last[rounds.who])
        if fore and field.rounds:
            drawn |= (rounds.number == field.rounds[-1]) & rounds.played
        points = np.where(drawn, field.policy.draw, rounds.points)
        return Column(_sums(size, rounds.who, points).tolist(), field.policy.point_unit)

    return column


def opponents_column(
    theirs: Columns, own: Columns, cut: Callable[[Amounts], Whole] | None = None, *, by_points: bool = False
) -> Columns:
    """The column of `opponents_lines`; `cut` is taken off."""

    def column(field: ResultTable) -> Column:
        found, unit = _amounts(field, theirs(field), own(field), by_points=by_points), field.policy.point_unit
        total = _sums(found.size, found.who, found.worth)
        left = total - cut(found) if cut else total
        return Column(left.tolist(), unit * unit if by_points else unit)

    return column


def _amounts(field: ResultTable, theirs: Column, mine: Column, *, by_points: bool) -> Amounts:
    """The opponents' scores; an unplayed round counts the player's own."""
    rounds, kind = field.arrays, field.arrays.points.dtype
    unplayed = np.flatnonzero(~rounds.played)
    met, other = rounds.meetings
    row = np.concatenate([met, unplayed])
    who = rounds.who[row]
    dummies = np.array(mine.amounts, kind)[rounds.who[unplayed]]
    amount = np.concatenate([np.array(theirs.amounts, kind)[other], dummies])
    worth = amount * rounds.points[row] if by_points else amount
    return Amounts(len(field.facts), who, amount, worth, VOLUNTARY[rounds.presence[row]])


def lowest(lines: Amounts) -> Whole:
    """What `cut_lowest` leaves out."""
    size, who, amount, worth, voluntary = lines
    least = amount == _lowest(size, who, amount)[who]
    opponent = _lowest(size, who[least], worth[least])
    return np.maximum(opponent, _lowest(size, who[voluntary], worth[voluntary]))


def lowest_and_highest(lines: Amounts) -> Whole:
    """What `cut_both` leaves out where a line is worth its amount."""
    size, who, amount = lines[:3]
    cut, top = lowest(lines), _highest(size, who, amount)
    at_top = amount == top[who]
    only = np.bincount(who[at_top], minlength=size) < 2
    second = _highest(size, who[~at_top], amount[~at_top])
    return cut + np.where((cut == top) & only, second, top)


def opponents_average_column(column: Columns) -> Columns:
    """The column of `opponents_average_lines`."""

    def average(field: ResultTable) -> Column:
        values, rounds, size = column(field), field.arrays, len(field.facts)
        row, other = rounds.meetings
        who = rounds.who[row]
        sums = _sums(size, who, array_of(values.amounts, len(who))[other])
        return divided(sums.tolist(), np.bincount(who, minlength=size).tolist(), values.scale, Fraction(0))

    return average


def progressive_column(*, cut_first: bool = False) -> Columns:
    """The column of `progressive_lines`: each round's points count once for every total from then on."""

    def column(field: ResultTable) -> Column:
        rounds, size = field.arrays, len(field.facts)
        order = np.lexsort((rounds.number, rounds.who))
        who, points = rounds.who[order], rounds.points[order]
        counts = rounds.number[order] != field.rounds[0] if cut_first and field.rounds else np.ones(len(who), np.bool_)
        so_far = np.cumsum(counts)
        after = _highest(size, who, so_far)[who] - so_far + counts
        return Column(_sums(size, who, points * after).tolist(), field.policy.point_unit)

    return column


def counted_column(counts: Callable[[RoundArrays], Truth]) -> Columns:
    """The column of `counted_lines`; `counts` says which rounds."""

    def column(field: ResultTable) -> Column:
        rounds = field.arrays
        return Column(np.bincount(rounds.who[counts(rounds)], minlength=len(field.facts)).tolist())

    return column


def available(rounds: RoundArrays) -> Truth:
    """Rounds that the contender could have played."""
    could: Truth = AVAILABLE[rounds.presence]
    return could


def _sums(size: int, who: Whole, numbers: Whole) -> Whole:
    found = np.zeros(size, numbers.dtype)
    np.add.at(found, who, numbers)
    return found


def _highest(size: int, who: Whole, numbers: Whole) -> Whole:
    """The highest number of each contender; 0 without any."""
    found = np.zeros(size, numbers.dtype)
    np.maximum.at(found, who, numbers)
    return found


def _lowest(size: int, who: Whole, numbers: Whole) -> Whole:
    """The lowest number of each contender; 0 without any."""
    found = np.full(size, numbers.max(initial=0))
    np.minimum.at(found, who, numbers)
    found[np.bincount(who, minlength=size) == 0] = 0
    return found

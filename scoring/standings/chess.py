"""Buchholz, Sonneborn-Berger and what belongs to them, with FIDE's handling of unplayed rounds.

Source: docs/how-it-works/standings-and-tiebreakers.md#chess (C.07, 2023 text). Everything is in policy points: a dummy
opponent has the player's final score.
"""

from collections.abc import Callable

from scoring.standings.derivations import Operation
from scoring.standings.played_rounds import PlayedRound, Presence
from scoring.standings.points import places_of
from scoring.standings.records import Outcome
from scoring.standings.result_table import Column, ResultTable
from scoring.standings.tiebreaker_terms import Definition, IntegerTerm, IntegerTerms, constant

Columns = Callable[[ResultTable], Column]


def adjusted_lines(*, fore: bool = False, own: bool = False) -> Definition:
    """A contender's score as opponents count it: rounds given up after the last available one are draws.

    With `fore` every match of the last round is a draw; with `own` rounds given up stay as they are.
    """

    def lines(field: ResultTable, place: int) -> IntegerTerms:
        last, draw = field.last_available[place], field.policy.draw
        final = field.rounds[-1] if fore and field.rounds else None
        found = []
        for part in field.parts[place]:
            given_up = not own and part.presence.given_up and part.round_number > last
            drawn = given_up or (part.round_number == final and part.presence is Presence.PLAYED)
            note = "as_draw" if drawn else _why(part)
            found.append(IntegerTerm("round", draw if drawn else part.points, None, part.round_number, note=note))
        return IntegerTerms(Operation.SUM, found, field.policy.point_unit)

    return lines


def opponents_lines(
    scores: str,
    column: Columns,
    own: Columns,
    cut: Callable[[list[IntegerTerm]], list[IntegerTerm]] = list,
    *,
    by_points: bool = False,
) -> Definition:
    """Sum of the opponents' scores, each times the points taken from that opponent if `by_points`.

    An unplayed round is a dummy with the player's score. `cut` leaves lines out.
    """

    def lines(field: ResultTable, place: int) -> IntegerTerms:
        theirs, mine = column(field).amounts, own(field).amounts
        found: list[IntegerTerm] = []
        for part in field.parts[place]:
            weight = part.points if by_points else 1
            if part.presence is Presence.PLAYED:
                found += [
                    IntegerTerm("opponent", theirs[other], other, part.round_number, scores, weight)
                    for other in part.others
                ]
            else:
                found.append(_dummy(part, mine[place])._replace(weight=weight))
        unit = field.policy.point_unit
        if not by_points:
            return IntegerTerms(Operation.SUM, cut(found), unit)
        return IntegerTerms(Operation.SUM, cut(found), unit, unit, ("opponents_score", "points"))

    return lines


def _dummy(part: PlayedRound, score: int) -> IntegerTerm:
    return IntegerTerm("unplayed", score, None, part.round_number, note=_why(part), voluntary=part.presence.voluntary)


def _why(part: PlayedRound) -> str:
    return "" if part.presence is Presence.PLAYED else part.presence.value


def cut_lowest(lines: list[IntegerTerm]) -> list[IntegerTerm]:
    """Leave out the voluntary unplayed round that counts least, or the lowest opponent if that removes more."""
    chosen = [
        min(lines, key=lambda line: (line.amount, line.amount * line.weight), default=None),
        min((line for line in lines if line.voluntary), key=lambda line: line.amount * line.weight, default=None),
    ]
    found = [line for line in reversed(chosen) if line is not None]
    return _without(lines, max(found, key=lambda line: line.amount * line.weight, default=None))


def cut_both(lines: list[IntegerTerm]) -> list[IntegerTerm]:
    """Leave out the lowest as Cut 1 does, and the highest of the others."""
    left = cut_lowest(lines)
    return _without(left, max((line for line in left if line.counted), key=lambda line: line.amount, default=None))


def _without(lines: list[IntegerTerm], cut: IntegerTerm | None) -> list[IntegerTerm]:
    return [line._replace(counted=False, note=line.note or "cut") if line is cut else line for line in lines]


def opponents_average_lines(source: str, column: Columns) -> Definition:
    """Average of a value, called `source`, of the opponents met at the table; 0 without any."""

    def lines(field: ResultTable, place: int) -> IntegerTerms:
        values = column(field)
        found = [
            IntegerTerm("opponent", values.amounts[other], other, part.round_number, source)
            for part in field.parts[place]
            if part.presence is Presence.PLAYED
            for other in part.others
        ]
        return (
            IntegerTerms(Operation.AVERAGE, found, values.scale) if found else constant("floor", 0, note="no_opponents")
        )

    return lines


def progressive_lines(*, cut_first: bool = False) -> Definition:
    """Sum of the running totals after each round; without the first one if cut."""

    def lines(field: ResultTable, place: int) -> IntegerTerms:
        found: list[IntegerTerm] = []
        total = 0
        for part in field.parts[place]:
            total += part.points
            cut = cut_first and part.round_number == field.rounds[0]
            found.append(
                IntegerTerm("running_total", total, None, part.round_number, note="cut" if cut else "", counted=not cut)
            )
        return IntegerTerms(Operation.SUM, found, field.policy.point_unit)

    return lines


def counted_lines(counts: Callable[[PlayedRound], bool]) -> Definition:
    """The number of a contender's rounds of one sort."""

    def lines(field: ResultTable, place: int) -> IntegerTerms:
        found = [
            IntegerTerm("round", 1, part.only_other, part.round_number, note=_why(part))
            for part in field.parts[place]
            if counts(part)
        ]
        return IntegerTerms(Operation.SUM, found)

    return lines


def played(part: PlayedRound) -> bool:
    """At the table, not by forfeit."""
    return part.presence is Presence.PLAYED


def placed(place: int) -> Callable[[PlayedRound], bool]:
    """Took this place at a table that was played, alone or shared."""

    def counts(part: PlayedRound) -> bool:
        if part.record is None or part.own is None or not played(part):
            return False
        return places_of(part.record)[part.record.seats.index(part.own)] == place

    return counts


def won(part: PlayedRound) -> bool:
    """A win of any kind."""
    return part.own is not None and part.own.outcome is Outcome.WIN


def in_second_seat(part: PlayedRound) -> bool:
    """Played from the second seat: the black pieces."""
    return part.presence is Presence.PLAYED and part.record is not None and part.record.seats[1:2] == (part.own,)

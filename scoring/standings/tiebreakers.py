"""The criteria by which standings are ordered: each is defined by the lines that make up its value."""

from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction

from rules_engine.errors import DomainError
from scoring.standings.chess import (
    adjusted_lines,
    buchholz_lines,
    counted_lines,
    cut_both,
    cut_lowest,
    in_second_seat,
    opponents_average_lines,
    placed,
    played,
    progressive_lines,
    sonneborn_lines,
    won,
)
from scoring.standings.derivations import Operation
from scoring.standings.percentages import (
    at_the_floor,
    average_column,
    average_lines,
    averaged,
    gw_column,
    gw_lines,
    pace_lines,
    schedule_lines,
    share_lines,
    thousandths,
)
from scoring.standings.points import table_points_of, wins_table
from scoring.standings.result_table import Column, Field, Part, common
from scoring.standings.tiebreaker_terms import Definition, Line, Lines, given


class Kind(StrEnum):
    """What a tiebreaker's values are, and so how they are written."""

    POINTS = "points"
    """Policy points over the policy's `point_unit`: may be halves or quarters."""
    PERCENTAGE = "percentage"
    """A share of 1."""
    NUMBER = "number"
    """A count or a plain number; averages may be fractions."""
    LOT = "lot"
    """The lot drawn, below zero: a smaller lot is better."""


@dataclass(frozen=True, slots=True)
class Tiebreaker:
    """An ordered criterion: higher is better. `column` is a faster way to what `lines` add up to for everybody."""

    key: str
    name: str
    abbreviation: str
    lines: Definition
    kind: Kind = Kind.NUMBER
    column: Callable[[Field], Column] | None = None

    @property
    def percentage(self) -> bool:
        """Shown as a percentage."""
        return self.kind is Kind.PERCENTAGE


def tiebreaker_of(key: str) -> Tiebreaker:
    """The tiebreaker of a key; DomainError "unknown_tiebreaker"."""
    if key not in TIEBREAKERS:
        raise DomainError("unknown_tiebreaker", f"There is no tiebreaker called {key!r}.", known=sorted(TIEBREAKERS))
    return TIEBREAKERS[key]


def lines_of(field: Field, key: str, place: int) -> Lines:
    """The arithmetic of one value; `key` may also be one of the inner ones."""
    definition = INNER.get(key) or tiebreaker_of(key).lines
    return definition(field, place)


def column_of(field: Field, key: str) -> Column:
    """Everybody's values of a tiebreaker or an inner key."""
    if key not in field.columns:
        fast = None if key in INNER else tiebreaker_of(key).column
        places = range(len(field.facts))
        found = fast(field) if fast else common(lines_of(field, key, place).rational for place in places)
        field.columns[key] = found
    return field.columns[key]


def _column(key: str) -> Callable[[Field], Column]:
    return lambda field: column_of(field, key)


def _total(name: str, *, points: bool = False) -> Callable[[Field], Column]:
    def column(field: Field) -> Column:
        return Column(getattr(field.totals, name), field.policy.point_unit if points else 1)

    return column


def _point_lines(field: Field, place: int) -> Lines:
    found = [
        Line("round", part.points, _only(part), part.round_number, note="" if played(part) else part.presence.value)
        for part in field.parts[place]
        if part.record is not None
    ]
    return Lines(Operation.SUM, found, field.policy.point_unit)


def _only(part: Part) -> int | None:
    return part.others[0] if len(part.others) == 1 else None


def _opponents_average(key: str) -> Definition:
    """The plain average of the opponents' values of a percentage."""

    def lines(field: Field, place: int) -> Lines:
        values = column_of(field, key)
        found = [
            Line("opponent", values.amounts[other], other, part.round_number, key)
            for part in field.parts[place]
            if part.presence.value not in ("bye", "requested_bye")
            for other in part.others
        ]
        return Lines(Operation.AVERAGE, found, values.scale) if found else at_the_floor(field)

    return lines


def _opponents_average_column(key: str) -> Callable[[Field], Column]:
    return lambda field: averaged(field, column_of(field, key), field.policy.floor)


def _head_to_head_lines(field: Field, place: int) -> Lines:
    """Points from the matches among all who are tied so far; decides nothing unless all of them have met.

    Tied means equal in everything that stands before it in the policy's order (in match points where it does not
    stand there). With three or more tied it counts as FIDE's direct encounter does when everybody has met; what C.07
    says of groups in which some have not met is not applied: the next criterion decides then. No-shows count.
    """
    group, all_met = _ties(field)[place]
    if len(group) == 1:
        return given("head_to_head", 0, note="not_tied")
    if not all_met:
        return given("head_to_head", 0, note="not_all_met")
    found = [
        Line("opponent", part.points, _only(part), part.round_number)
        for part in field.parts[place]
        if not group.isdisjoint(part.others)
    ]
    return Lines(Operation.SUM, found, field.policy.point_unit)


def _ties(field: Field) -> list[tuple[frozenset[int], bool]]:
    """For everybody, who is tied before head-to-head, and whether all of them have met."""
    if field.ties is None:
        keys = field.policy.tiebreakers
        before = keys[: keys.index("head_to_head")] if "head_to_head" in keys else ("match_points",)
        columns = [column_of(field, key).amounts for key in before]
        groups: defaultdict[tuple[int, ...], set[int]] = defaultdict(set)
        tied = [tuple(column[place] for column in columns) for place in range(len(field.facts))]
        for place, key in enumerate(tied):
            if field.facts[place].ranked:
                groups[key].add(place)
        known = {key: (frozenset(group), _all_met(field, group)) for key, group in groups.items()}
        field.ties = [
            known[key] if field.facts[place].ranked else (frozenset([place]), False) for place, key in enumerate(tied)
        ]
    return field.ties


def _all_met(field: Field, group: set[int]) -> bool:
    return all(group <= {place}.union(*(part.others for part in field.parts[place])) for place in group)


def _score_lines(field: Field, place: int) -> Lines:
    scale = field.score_scale
    found = [
        Line("round", int(part.own.score * scale), None, part.round_number)
        for part in field.parts[place]
        if part.own is not None and part.own.score is not None
    ]
    return Lines(Operation.SUM, found, scale)


def _table_point_lines(field: Field, place: int) -> Lines:
    found = [
        Line("round", table_points_of(part.record, part.own, field.policy) or 0, None, part.round_number)
        for part in field.parts[place]
        if part.record is not None and part.own is not None
    ]
    return Lines(Operation.SUM, found)


def _duel_number_lines(field: Field, place: int) -> Lines:
    """Points, opponents' and opponents' opponents' match-win % in thousandths, in one number.

    See docs/how-it-works/standings-and-tiebreakers.md#duel-number.
    """
    points = field.totals.points[place]
    return Lines(
        Operation.SUM,
        [
            Line("points", points * 1_000_000, source="match_points", note="digits"),
            Line("thousandths", thousandths(column_of(field, "omw"), place) * 1000, source="omw", note="digits"),
            Line("thousandths", thousandths(column_of(field, "oomw"), place), source="oomw", note="digits"),
        ],
    )


def _wins_table(part: Part) -> bool:
    return part.record is not None and part.own is not None and wins_table(part.record, part.own)


def _schedule_column(key: str, rounds: Callable[[Field], Column]) -> Callable[[Field], Column]:
    """The column of `schedule_lines` where all rounds weigh the same."""

    def column(field: Field) -> Column:
        if not field.policy.round_weights:
            return averaged(field, rounds(field), Fraction(0))
        return common(lines_of(field, key, place).rational for place in range(len(field.facts)))

    return column


INNER: Mapping[str, Definition] = {
    "match_win": share_lines("match_win", ("points", "most_points"), lambda field: field.policy.point_unit),
    "game_win": share_lines("game_win", ("game_points", "most_game_points")),
    "win_share": share_lines("win_share", ("wins_and_half_draws", "rounds"), lambda _field: 2),
    "points_a_round": pace_lines,
    "adjusted_score": adjusted_lines(),
    "fore_score": adjusted_lines(fore=True),
    "fore_own": adjusted_lines(fore=True, own=True),
}
"""What tiebreakers are made from, with a derivation of its own: parts of the lines that players are shown."""

ADJUSTED, FORE, FORE_OWN = _column("adjusted_score"), _column("fore_score"), _column("fore_own")
POINTS = _total("points", points=True)
PACE, SCHEDULE = _column("points_a_round"), _column("strength_of_schedule")

TIEBREAKERS: Mapping[str, Tiebreaker] = {
    tiebreaker.key: tiebreaker
    for tiebreaker in (
        Tiebreaker("match_points", "Match points", "Pts", _point_lines, Kind.POINTS, POINTS),
        Tiebreaker("rounds_played", "Rounds played", "Rds", counted_lines(lambda part: part.record is not None),
                   column=_total("rounds")),
        Tiebreaker("wins", "Match wins", "Wins", counted_lines(won), column=_total("wins")),
        Tiebreaker("head_to_head", "Head-to-head", "H2H", _head_to_head_lines, Kind.POINTS),
        Tiebreaker("omw", "Opponents' match-win %", "OMW%", average_lines("match_win"),
                   Kind.PERCENTAGE, average_column("match_win")),
        Tiebreaker("gw", "Game-win %", "GW%", gw_lines, Kind.PERCENTAGE, gw_column),
        Tiebreaker("ogw", "Opponents' game-win %", "OGW%", average_lines("game_win"),
                   Kind.PERCENTAGE, average_column("game_win")),
        Tiebreaker("oomw", "Opponents' opponents' match-win %", "OOMW%", _opponents_average("omw"),
                   Kind.PERCENTAGE, _opponents_average_column("omw")),
        Tiebreaker("opponents_win", "Opponents' win % (draws as half, byes left out)", "Opp%",
                   average_lines("win_share"), Kind.PERCENTAGE, average_column("win_share")),
        Tiebreaker("opponents_opponents_win", "Opponents' opponents' win % (draws as half, byes left out)", "OppOpp%",
                   _opponents_average("opponents_win"), Kind.PERCENTAGE, _opponents_average_column("opponents_win")),
        Tiebreaker("buchholz", "Buchholz", "BH", buchholz_lines("adjusted_score", ADJUSTED, POINTS), Kind.POINTS),
        Tiebreaker("buchholz_cut_1", "Buchholz Cut 1", "BH-C1",
                   buchholz_lines("adjusted_score", ADJUSTED, POINTS, cut_lowest), Kind.POINTS),
        Tiebreaker("buchholz_median", "Median Buchholz", "BH-M1",
                   buchholz_lines("adjusted_score", ADJUSTED, POINTS, cut_both), Kind.POINTS),
        Tiebreaker("opponents_buchholz", "Average of opponents' Buchholz", "AOB",
                   opponents_average_lines("buchholz", _column("buchholz")), Kind.POINTS),
        Tiebreaker("fore_buchholz", "Fore Buchholz", "FB", buchholz_lines("fore_score", FORE, FORE_OWN), Kind.POINTS),
        Tiebreaker("sonneborn_berger", "Sonneborn-Berger", "SB", sonneborn_lines(ADJUSTED), Kind.POINTS),
        Tiebreaker("sonneborn_berger_cut_1", "Sonneborn-Berger Cut 1", "SB-C1",
                   sonneborn_lines(ADJUSTED, cut_lowest), Kind.POINTS),
        Tiebreaker("progressive", "Progressive score", "PS", progressive_lines(), Kind.POINTS),
        Tiebreaker("progressive_cut_1", "Progressive score Cut 1", "PS-C1", progressive_lines(cut_first=True),
                   Kind.POINTS),
        Tiebreaker("wins_played", "Matches won at the table", "WON",
                   counted_lines(lambda part: played(part) and won(part))),
        Tiebreaker("rounds_available", "Rounds available", "GE", counted_lines(lambda part: part.presence.available)),
        Tiebreaker("second_seats", "Matches played in the second seat", "2nd", counted_lines(in_second_seat)),
        Tiebreaker("second_seat_wins", "Matches won in the second seat", "2nd W",
                   counted_lines(lambda part: in_second_seat(part) and won(part))),
        Tiebreaker("strength_of_schedule", "Strength of schedule", "SoS", schedule_lines("points_a_round", PACE),
                   column=_schedule_column("strength_of_schedule", PACE)),
        Tiebreaker("extended_strength", "Extended strength of schedule", "ESoS",
                   schedule_lines("strength_of_schedule", SCHEDULE),
                   column=_schedule_column("extended_strength", SCHEDULE)),
        Tiebreaker("duel_number", "Points and opponents' wins in one number", "No.", _duel_number_lines),
        Tiebreaker("table_wins", "Game wins at tables", "GW", counted_lines(_wins_table)),
        Tiebreaker("victory_points", "Victory points", "VP", _score_lines),
        Tiebreaker("opponents_score", "Opponents' average score", "OppVP",
                   opponents_average_lines("victory_points", _column("victory_points"))),
        Tiebreaker("firsts", "First places at tables", "1sts", counted_lines(placed(1))),
        Tiebreaker("seconds", "Second places at tables", "2nds", counted_lines(placed(2))),
        Tiebreaker("thirds", "Third places at tables", "3rds", counted_lines(placed(3))),
        Tiebreaker("table_points", "Table points by place", "TP", _table_point_lines),
        Tiebreaker("on_time", "Not late", "Late", lambda field, place: given("on_time", not field.facts[place].late)),
        Tiebreaker("lot", "Lot", "Lot", lambda field, place: given("lot", -field.facts[place].lot), Kind.LOT),
    )
}  # fmt: skip

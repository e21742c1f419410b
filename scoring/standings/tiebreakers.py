"""The criteria by which standings are ordered: each is defined by the lines that make up its value.

One long module, since the definitions look up each other's columns in the table, and the table names the definitions.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction

from rules_engine.errors import DomainError
from rules_engine.messages import gettext_noop
from scoring.standings.chess import (
    adjusted_lines,
    counted_lines,
    cut_both,
    cut_lowest,
    in_second_seat,
    opponents_average_lines,
    opponents_lines,
    placed,
    played,
    progressive_lines,
    won,
)
from scoring.standings.chess_columns import (
    adjusted_column,
    available,
    counted_column,
    lowest,
    lowest_and_highest,
    opponents_average_column,
    opponents_column,
    progressive_column,
)
from scoring.standings.derivations import Operation
from scoring.standings.head_to_head import head_to_head_column, head_to_head_lines
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
from scoring.standings.played_rounds import PlayedRound
from scoring.standings.points import table_points_of, wins_table
from scoring.standings.result_table import Column, ResultTable, common
from scoring.standings.tiebreaker_terms import Definition, IntegerTerm, IntegerTerms, constant


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
    description: str
    lines: Definition
    kind: Kind = Kind.NUMBER
    column: Callable[[ResultTable], Column] | None = None

    @property
    def percentage(self) -> bool:
        return self.kind is Kind.PERCENTAGE


def tiebreaker_of(key: str) -> Tiebreaker:
    """The tiebreaker of a key; DomainError "unknown_tiebreaker"."""
    if key not in TIEBREAKERS:
        raise DomainError("unknown_tiebreaker", f"There is no tiebreaker called {key!r}.", known=sorted(TIEBREAKERS))
    return TIEBREAKERS[key]


def lines_of(field: ResultTable, key: str, place: int) -> IntegerTerms:
    """The arithmetic of one value; `key` may also be one of the inner ones."""
    definition = INNER.get(key) or tiebreaker_of(key).lines
    return definition(field, place)


def column_of(field: ResultTable, key: str) -> Column:
    """Everybody's values of a tiebreaker or an inner key."""
    if key not in field.columns:
        fast = INNER_COLUMNS.get(key) if key in INNER else tiebreaker_of(key).column
        places = range(len(field.facts))
        found = fast(field) if fast else common(lines_of(field, key, place).rational for place in places)
        field.columns[key] = found
    return field.columns[key]


def _column(key: str) -> Callable[[ResultTable], Column]:
    return lambda field: column_of(field, key)


def _total(name: str, *, points: bool = False) -> Callable[[ResultTable], Column]:
    def column(field: ResultTable) -> Column:
        return Column(getattr(field.totals, name), field.policy.point_unit if points else 1)

    return column


def _point_lines(field: ResultTable, place: int) -> IntegerTerms:
    found = [
        IntegerTerm(
            "round", part.points, part.only_other, part.round_number, note="" if played(part) else part.presence.value
        )
        for part in field.parts[place]
        if part.record is not None
    ]
    return IntegerTerms(Operation.SUM, found, field.policy.point_unit)


def _opponents_average(key: str) -> Definition:
    """The plain average of the opponents' values of a percentage."""

    def lines(field: ResultTable, place: int) -> IntegerTerms:
        values = column_of(field, key)
        found = [
            IntegerTerm("opponent", values.amounts[other], other, part.round_number, key)
            for part in field.parts[place]
            if part.presence.value not in ("bye", "requested_bye")
            for other in part.others
        ]
        return IntegerTerms(Operation.AVERAGE, found, values.scale) if found else at_the_floor(field)

    return lines


def _opponents_average_column(key: str) -> Callable[[ResultTable], Column]:
    return lambda field: averaged(field, column_of(field, key), field.policy.floor)


def _before_head_to_head(field: ResultTable) -> list[list[int]]:
    """What stands before head-to-head in the policy's order; match points where it does not stand there."""
    keys = field.policy.tiebreakers
    before = keys[: keys.index("head_to_head")] if "head_to_head" in keys else ("match_points",)
    return [column_of(field, key).amounts for key in before]


def _score_column(field: ResultTable) -> Column:
    scale, amounts = field.score_scale, [0] * len(field.facts)
    for record in field.records:
        for seat in record.seats:
            if seat.score is not None:
                amounts[field.index[seat.contender]] += int(seat.score * scale)
    return Column(amounts, scale)


def _score_lines(field: ResultTable, place: int) -> IntegerTerms:
    scale = field.score_scale
    found = [
        IntegerTerm("round", int(part.own.score * scale), None, part.round_number)
        for part in field.parts[place]
        if part.own is not None and part.own.score is not None
    ]
    return IntegerTerms(Operation.SUM, found, scale)


def _table_point_lines(field: ResultTable, place: int) -> IntegerTerms:
    found = [
        IntegerTerm("round", table_points_of(part.record, part.own, field.policy) or 0, None, part.round_number)
        for part in field.parts[place]
        if part.record is not None and part.own is not None
    ]
    return IntegerTerms(Operation.SUM, found)


def _duel_number_lines(field: ResultTable, place: int) -> IntegerTerms:
    """Points, opponents' and opponents' opponents' match-win % in thousandths, in one number.

    See docs/how-it-works/standings-and-tiebreakers.md#duel-number.
    """
    points = field.totals.points[place]
    return IntegerTerms(
        Operation.SUM,
        [
            IntegerTerm("points", points * 1_000_000, source="match_points", note="digits"),
            IntegerTerm("thousandths", thousandths(column_of(field, "omw"), place) * 1000, source="omw", note="digits"),
            IntegerTerm("thousandths", thousandths(column_of(field, "oomw"), place), source="oomw", note="digits"),
        ],
    )


def _wins_table(part: PlayedRound) -> bool:
    return part.record is not None and part.own is not None and wins_table(part.record, part.own)


def _schedule_column(key: str, rounds: Callable[[ResultTable], Column]) -> Callable[[ResultTable], Column]:
    """The column of `schedule_lines` where all rounds weigh the same."""

    def column(field: ResultTable) -> Column:
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

INNER_COLUMNS: Mapping[str, Callable[[ResultTable], Column]] = {
    "adjusted_score": adjusted_column(),
    "fore_score": adjusted_column(fore=True),
    "fore_own": adjusted_column(fore=True, own=True),
}
"""Faster ways to some of them."""

ADJUSTED, FORE, FORE_OWN = _column("adjusted_score"), _column("fore_score"), _column("fore_own")
POINTS = _total("points", points=True)
PACE, SCHEDULE = _column("points_a_round"), _column("strength_of_schedule")

TIEBREAKERS: Mapping[str, Tiebreaker] = {
    tiebreaker.key: tiebreaker
    for tiebreaker in (
        Tiebreaker("match_points", gettext_noop("Match points"), gettext_noop("Pts"),
                   gettext_noop("Points from all matches."),
                   _point_lines, Kind.POINTS, POINTS),
        Tiebreaker("rounds_played", gettext_noop("Rounds played"), gettext_noop("Rds"),
                   gettext_noop("Rounds with a result."),
                   counted_lines(lambda part: part.record is not None), column=_total("rounds")),
        Tiebreaker("wins", gettext_noop("Match wins"), gettext_noop("Wins"),
                   gettext_noop("Matches won, byes included."),
                   counted_lines(won), column=_total("wins")),
        Tiebreaker("head_to_head", gettext_noop("Head-to-head"), "H2H",
                   gettext_noop("Points from matches among the tied; counts if all have met."),
                   head_to_head_lines(_before_head_to_head), Kind.POINTS,
                   head_to_head_column(_before_head_to_head)),
        Tiebreaker("omw", gettext_noop("Opponents' match-win %"), "OMW%",
                   gettext_noop("Opponents' average share of possible match points, floored."),
                   average_lines("match_win"), Kind.PERCENTAGE, average_column("match_win")),
        Tiebreaker("gw", gettext_noop("Game-win %"), "GW%",
                   gettext_noop("Your share of the possible game points."),
                   gw_lines, Kind.PERCENTAGE, gw_column),
        Tiebreaker("ogw", gettext_noop("Opponents' game-win %"), "OGW%",
                   gettext_noop("Opponents' average game-win %, floored."),
                   average_lines("game_win"), Kind.PERCENTAGE, average_column("game_win")),
        Tiebreaker("oomw", gettext_noop("Opponents' opponents' match-win %"), "OOMW%",
                   gettext_noop("Your opponents' opponents' average share of possible match points."),
                   _opponents_average("omw"), Kind.PERCENTAGE, _opponents_average_column("omw")),
        Tiebreaker("opponents_win", gettext_noop("Opponents' win %"), "Opp%",
                   gettext_noop("Opponents' average share of wins; a draw is half, byes don't count."),
                   average_lines("win_share"), Kind.PERCENTAGE, average_column("win_share")),
        Tiebreaker("opponents_opponents_win", gettext_noop("Opponents' opponents' win %"), "OppOpp%",
                   gettext_noop("Your opponents' opponents' average share of wins."),
                   _opponents_average("opponents_win"), Kind.PERCENTAGE, _opponents_average_column("opponents_win")),
        Tiebreaker("buchholz", gettext_noop("Buchholz"), "BH",
                   gettext_noop("The opponents' points added up."),
                   opponents_lines("adjusted_score", ADJUSTED, POINTS), Kind.POINTS,
                   opponents_column(ADJUSTED, POINTS)),
        Tiebreaker("buchholz_cut_1", gettext_noop("Buchholz Cut 1"), "BH-C1",
                   gettext_noop("Buchholz without the weakest opponent."),
                   opponents_lines("adjusted_score", ADJUSTED, POINTS, cut_lowest), Kind.POINTS,
                   opponents_column(ADJUSTED, POINTS, lowest)),
        Tiebreaker("buchholz_median", gettext_noop("Median Buchholz"), "BH-M1",
                   gettext_noop("Buchholz without weakest and strongest opponent."),
                   opponents_lines("adjusted_score", ADJUSTED, POINTS, cut_both), Kind.POINTS,
                   opponents_column(ADJUSTED, POINTS, lowest_and_highest)),
        Tiebreaker("opponents_buchholz", gettext_noop("Average of opponents' Buchholz"), "AOB",
                   gettext_noop("Average Buchholz of opponents met at the table."),
                   opponents_average_lines("buchholz", _column("buchholz")), Kind.POINTS,
                   opponents_average_column(_column("buchholz"))),
        Tiebreaker("fore_buchholz", gettext_noop("Fore Buchholz"), "FB",
                   gettext_noop("Buchholz with all last-round matches as draws."),
                   opponents_lines("fore_score", FORE, FORE_OWN), Kind.POINTS, opponents_column(FORE, FORE_OWN)),
        Tiebreaker("sonneborn_berger", gettext_noop("Sonneborn-Berger"), "SB",
                   gettext_noop("Each opponent's points times those you took from them."),
                   opponents_lines("adjusted_score", ADJUSTED, POINTS, by_points=True), Kind.POINTS,
                   opponents_column(ADJUSTED, POINTS, by_points=True)),
        Tiebreaker("sonneborn_berger_cut_1", gettext_noop("Sonneborn-Berger Cut 1"), "SB-C1",
                   gettext_noop("Sonneborn-Berger without the weakest opponent."),
                   opponents_lines("adjusted_score", ADJUSTED, POINTS, cut_lowest, by_points=True), Kind.POINTS,
                   opponents_column(ADJUSTED, POINTS, lowest, by_points=True)),
        Tiebreaker("progressive", gettext_noop("Progressive score"), "PS",
                   gettext_noop("Sum of totals after each round; early wins count more."),
                   progressive_lines(), Kind.POINTS, progressive_column()),
        Tiebreaker("progressive_cut_1", gettext_noop("Progressive score Cut 1"), "PS-C1",
                   gettext_noop("Progressive score without round 1."),
                   progressive_lines(cut_first=True), Kind.POINTS, progressive_column(cut_first=True)),
        Tiebreaker("wins_played", gettext_noop("Matches won at the table"), "WON",
                   gettext_noop("Matches won in play; no byes, no no-shows."),
                   counted_lines(lambda part: played(part) and won(part)),
                   column=counted_column(lambda rounds: rounds.played & rounds.won)),
        Tiebreaker("rounds_available", gettext_noop("Rounds available"), "GE",
                   gettext_noop("Rounds available to play in."),
                   counted_lines(lambda part: part.presence.available),
                   column=counted_column(available)),
        Tiebreaker("second_seats", gettext_noop("Matches played in the second seat"), gettext_noop("2nd"),
                   gettext_noop("Matches played from the second seat."),
                   counted_lines(in_second_seat), column=counted_column(lambda rounds: rounds.in_second_seat)),
        Tiebreaker("second_seat_wins", gettext_noop("Matches won in the second seat"), gettext_noop("2nd W"),
                   gettext_noop("Matches won from the second seat."),
                   counted_lines(lambda part: in_second_seat(part) and won(part)),
                   column=counted_column(lambda rounds: rounds.in_second_seat & rounds.won)),
        Tiebreaker("strength_of_schedule", gettext_noop("Strength of schedule"), "SoS",
                   gettext_noop("The average of the opponents' points a round."),
                   schedule_lines("points_a_round", PACE), column=_schedule_column("strength_of_schedule", PACE)),
        Tiebreaker("extended_strength", gettext_noop("Extended strength of schedule"), "ESoS",
                   gettext_noop("Average of the opponents' strength of schedule."),
                   schedule_lines("strength_of_schedule", SCHEDULE),
                   column=_schedule_column("extended_strength", SCHEDULE)),
        Tiebreaker("duel_number", gettext_noop("Points and opponents' wins in one number"), "No.",
                   gettext_noop("Points, then match-win percentages of opponents and theirs, in thousandths."),
                   _duel_number_lines),
        Tiebreaker("table_wins", gettext_noop("Game wins at tables"), "GW",
                   gettext_noop("Tables won with most victory points, at least two."),
                   counted_lines(_wins_table)),
        Tiebreaker("victory_points", gettext_noop("Victory points"), "VP",
                   gettext_noop("Sum of victory points, or of scores at all tables."),
                   _score_lines, column=_score_column),
        Tiebreaker("opponents_score", gettext_noop("Opponents' average score"), "OppVP",
                   gettext_noop("Average of all opponents' points, each meeting counted."),
                   opponents_average_lines("victory_points", _column("victory_points")),
                   column=opponents_average_column(_column("victory_points"))),
        Tiebreaker("firsts", gettext_noop("First places at tables"), "1sts",
                   gettext_noop("First places at tables, also shared."),
                   counted_lines(placed(1))),
        Tiebreaker("seconds", gettext_noop("Second places at tables"), "2nds",
                   gettext_noop("Second places at tables, also shared."),
                   counted_lines(placed(2))),
        Tiebreaker("thirds", gettext_noop("Third places at tables"), "3rds",
                   gettext_noop("Third places at tables, also shared."),
                   counted_lines(placed(3))),
        Tiebreaker("table_points", gettext_noop("Table points by place"), "TP",
                   gettext_noop("Points for the place at each table."),
                   _table_point_lines),
        Tiebreaker("on_time", gettext_noop("Not late"), "Late",
                   gettext_noop("Late players rank below those tied."),
                   lambda field, place: constant("on_time", not field.facts[place].late),
                   column=lambda field: Column([int(not each.late) for each in field.facts])),
        Tiebreaker("lot", gettext_noop("Lot"), "Lot",
                   gettext_noop("Random number from before the start; everybody can verify it."),
                   lambda field, place: constant("lot", -field.facts[place].lot), Kind.LOT,
                   lambda field: Column([-each.lot for each in field.facts])),
    )
}  # fmt: skip

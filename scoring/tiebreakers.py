"""The criteria by which standings are ordered: one function each, registered by key, name and abbreviation."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from functools import cached_property
from math import lcm

from scoring.records import MatchKind, MatchRecord, Outcome, ScoringPolicy, SeatRecord


class Sums:
    """What one contender's matches add up to under a policy (TIEBREAKERS.md 1, Magic)."""

    def __init__(self, policy: ScoringPolicy) -> None:
        self.policy = policy
        self.match_points = self.rounds_played = self.wins = self.draws = self.losses = 0
        self.counted_points = self.counted_rounds = 0
        self.game_points = self.games = 0
        self.opponents: list[int] = []

    def add(self, record: MatchRecord, own: SeatRecord) -> None:
        """Count one match; byes count in the own percentages only where the policy says so."""
        policy, bye = self.policy, record.kind is MatchKind.BYE
        points = policy.bye if bye else policy.match_points(own.outcome)
        self.match_points += points
        self.rounds_played += 1
        self.wins += own.outcome is Outcome.WIN
        self.draws += own.outcome is Outcome.DRAW
        self.losses += own.outcome is Outcome.LOSS
        if not bye or policy.bye_in_own_match_pct:
            self.counted_points += points
            self.counted_rounds += 1
        if not bye:
            others = [seat for seat in record.seats if seat.contender != own.contender]
            self.opponents += [seat.contender for seat in others]
            self._add_games(
                own.games_won, sum(seat.games_won for seat in others) + record.games_lost, record.games_drawn
            )
        elif policy.bye_in_own_game_pct:
            self._add_games(*policy.bye_games, 0)

    def _add_games(self, won: int, lost: int, drawn: int) -> None:
        policy = self.policy
        self.game_points += policy.game_win * won + policy.game_loss * lost + policy.game_draw * drawn
        self.games += won + lost + drawn

    @cached_property
    def match_win(self) -> Fraction:
        """Match points over the most possible in the rounds completed, not floored; 0 before the first round."""
        most = self.policy.win * self.counted_rounds
        return Fraction(self.counted_points, most) if most else Fraction(0)

    @cached_property
    def game_win(self) -> Fraction:
        """Game points over the most possible in the games played, not floored; 0 without a game."""
        most = self.policy.game_win * self.games
        return Fraction(self.game_points, most) if most else Fraction(0)

    @cached_property
    def floored_match_win(self) -> Fraction:
        """What an opponent's average of match-win counts."""
        return max(self.match_win, self.policy.floor)

    @cached_property
    def floored_game_win(self) -> Fraction:
        """What an opponent's average of game-win counts."""
        return max(self.game_win, self.policy.floor)


@dataclass(frozen=True, slots=True)
class Field:
    """Everybody's sums: what a tiebreaker may look at."""

    sums: Mapping[int, Sums]
    policy: ScoringPolicy

    def average(self, contender: int, share: Callable[[Sums], Fraction]) -> Fraction:
        """Plain average of a share of every opponent faced, each meeting counted; the floor without any.

        Summed as whole numbers over a common denominator: exact, and far faster than adding fractions.
        """
        shares = [share(self.sums[other]) for other in self.sums[contender].opponents]
        if not shares:
            return self.policy.floor
        common = lcm(*{each.denominator for each in shares})
        whole = sum(each.numerator * (common // each.denominator) for each in shares)
        return Fraction(whole, common * len(shares))


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
    """An ordered criterion: higher is better."""

    key: str
    name: str
    abbreviation: str
    value: Callable[[Field, int], Fraction]
    kind: Kind = Kind.NUMBER

    @property
    def percentage(self) -> bool:
        """Shown as a percentage."""
        return self.kind is Kind.PERCENTAGE


def _match_points(field: Field, contender: int) -> Fraction:
    return Fraction(field.sums[contender].match_points)


def _rounds_played(field: Field, contender: int) -> Fraction:
    return Fraction(field.sums[contender].rounds_played)


def _wins(field: Field, contender: int) -> Fraction:
    return Fraction(field.sums[contender].wins)


def _omw(field: Field, contender: int) -> Fraction:
    return field.average(contender, lambda sums: sums.floored_match_win)


def _gw(field: Field, contender: int) -> Fraction:
    sums = field.sums[contender]
    return sums.floored_game_win if field.policy.gw_floored else sums.game_win


def _ogw(field: Field, contender: int) -> Fraction:
    return field.average(contender, lambda sums: sums.floored_game_win)


def _later(field: Field, contender: int) -> Fraction:
    """Defined in the next commits."""
    return Fraction(0)


TIEBREAKERS: Mapping[str, Tiebreaker] = {
    tiebreaker.key: tiebreaker
    for tiebreaker in (
        Tiebreaker("match_points", "Match points", "Pts", _match_points, Kind.POINTS),
        Tiebreaker("rounds_played", "Rounds played", "Rds", _rounds_played),
        Tiebreaker("wins", "Match wins", "Wins", _wins),
        Tiebreaker("head_to_head", "Head-to-head", "H2H", _later, Kind.POINTS),
        Tiebreaker("omw", "Opponents' match-win %", "OMW%", _omw, Kind.PERCENTAGE),
        Tiebreaker("gw", "Game-win %", "GW%", _gw, Kind.PERCENTAGE),
        Tiebreaker("ogw", "Opponents' game-win %", "OGW%", _ogw, Kind.PERCENTAGE),
        Tiebreaker("oomw", "Opponents' opponents' match-win %", "OOMW%", _later, Kind.PERCENTAGE),
        Tiebreaker("opponents_win", "Opponents' win % (draws as half, byes left out)", "Opp%", _later, Kind.PERCENTAGE),
        Tiebreaker(
            "opponents_opponents_win",
            "Opponents' opponents' win % (draws as half, byes left out)",
            "OppOpp%",
            _later,
            Kind.PERCENTAGE,
        ),
        Tiebreaker("buchholz", "Buchholz", "BH", _later, Kind.POINTS),
        Tiebreaker("buchholz_cut_1", "Buchholz Cut 1", "BH-C1", _later, Kind.POINTS),
        Tiebreaker("buchholz_median", "Median Buchholz", "BH-M1", _later, Kind.POINTS),
        Tiebreaker("opponents_buchholz", "Average of opponents' Buchholz", "AOB", _later, Kind.POINTS),
        Tiebreaker("fore_buchholz", "Fore Buchholz", "FB", _later, Kind.POINTS),
        Tiebreaker("sonneborn_berger", "Sonneborn-Berger", "SB", _later, Kind.POINTS),
        Tiebreaker("sonneborn_berger_cut_1", "Sonneborn-Berger Cut 1", "SB-C1", _later, Kind.POINTS),
        Tiebreaker("progressive", "Progressive score", "PS", _later, Kind.POINTS),
        Tiebreaker("progressive_cut_1", "Progressive score Cut 1", "PS-C1", _later, Kind.POINTS),
        Tiebreaker("wins_played", "Matches won at the table", "WON", _later),
        Tiebreaker("rounds_available", "Rounds available", "GE", _later),
        Tiebreaker("second_seats", "Matches played in the second seat", "2nd", _later),
        Tiebreaker("second_seat_wins", "Matches won in the second seat", "2nd W", _later),
        Tiebreaker("strength_of_schedule", "Strength of schedule", "SoS", _later),
        Tiebreaker("extended_strength", "Extended strength of schedule", "ESoS", _later),
        Tiebreaker("duel_number", "Points and opponents' wins in one number", "No.", _later),
        Tiebreaker("table_wins", "Game wins at tables", "GW", _later),
        Tiebreaker("victory_points", "Victory points", "VP", _later),
        Tiebreaker("table_points", "Table points by place", "TP", _later),
        Tiebreaker("on_time", "Not late", "Late", _later),
        Tiebreaker("lot", "Lot", "Lot", _later, Kind.LOT),
    )
}

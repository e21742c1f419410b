"""The tiebreakers in words: their names and what each says, in one line; and how values are written."""

from collections.abc import Mapping
from fractions import Fraction

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from scoring.standings.records import ScoringPolicy
from scoring.standings.standings import decimal_text
from scoring.standings.tiebreakers import TIEBREAKERS, Kind, Tiebreaker

NAMES: Mapping[str, Promise] = {
    "match_points": gettext_lazy("Match points"),
    "rounds_played": gettext_lazy("Rounds played"),
    "wins": gettext_lazy("Match wins"),
    "head_to_head": gettext_lazy("Head-to-head"),
    "omw": gettext_lazy("Opponents' match-win %"),
    "gw": gettext_lazy("Game-win %"),
    "ogw": gettext_lazy("Opponents' game-win %"),
    "oomw": gettext_lazy("Opponents' opponents' match-win %"),
    "opponents_win": gettext_lazy("Opponents' win %"),
    "opponents_opponents_win": gettext_lazy("Opponents' opponents' win %"),
    "buchholz": gettext_lazy("Buchholz"),
    "buchholz_cut_1": gettext_lazy("Buchholz Cut 1"),
    "buchholz_median": gettext_lazy("Median Buchholz"),
    "opponents_buchholz": gettext_lazy("Average of opponents' Buchholz"),
    "fore_buchholz": gettext_lazy("Fore Buchholz"),
    "sonneborn_berger": gettext_lazy("Sonneborn-Berger"),
    "sonneborn_berger_cut_1": gettext_lazy("Sonneborn-Berger Cut 1"),
    "progressive": gettext_lazy("Progressive score"),
    "progressive_cut_1": gettext_lazy("Progressive score Cut 1"),
    "wins_played": gettext_lazy("Matches won at the table"),
    "rounds_available": gettext_lazy("Rounds available"),
    "second_seats": gettext_lazy("Matches played in the second seat"),
    "second_seat_wins": gettext_lazy("Matches won in the second seat"),
    "strength_of_schedule": gettext_lazy("Strength of schedule"),
    "extended_strength": gettext_lazy("Extended strength of schedule"),
    "duel_number": gettext_lazy("Points and opponents' wins in one number"),
    "table_wins": gettext_lazy("Game wins at tables"),
    "victory_points": gettext_lazy("Victory points"),
    "opponents_score": gettext_lazy("Opponents' average score"),
    "firsts": gettext_lazy("First places at tables"),
    "seconds": gettext_lazy("Second places at tables"),
    "thirds": gettext_lazy("Third places at tables"),
    "table_points": gettext_lazy("Table points by place"),
    "on_time": gettext_lazy("Not late"),
    "lot": gettext_lazy("Lot"),
    "match_win": gettext_lazy("Match-win %"),
    "game_win": gettext_lazy("Game-win %"),
}
SAYS: Mapping[str, Promise] = {
    "match_points": gettext_lazy("What all matches gave."),
    "rounds_played": gettext_lazy("How many rounds somebody has a result for."),
    "wins": gettext_lazy("How many matches were won, byes included."),
    "head_to_head": gettext_lazy("Points from the matches among those tied so far; counts if all of them have met."),
    "omw": gettext_lazy("The average of the opponents' match points as a share of the most possible, floored."),
    "gw": gettext_lazy("Own game points as a share of the most possible."),
    "ogw": gettext_lazy("The average of the opponents' game-win %, floored."),
    "oomw": gettext_lazy("The average of the opponents' own average of opponents."),
    "opponents_win": gettext_lazy("The average share of wins of the opponents; a draw is half a win, byes left out."),
    "opponents_opponents_win": gettext_lazy("The average of that value of the opponents."),
    "buchholz": gettext_lazy("The opponents' points added up."),
    "buchholz_cut_1": gettext_lazy("Buchholz without the weakest opponent."),
    "buchholz_median": gettext_lazy("Buchholz without the weakest and the strongest opponent."),
    "opponents_buchholz": gettext_lazy("The average Buchholz of the opponents met at the table."),
    "fore_buchholz": gettext_lazy("Buchholz as if every match of the last round were a draw."),
    "sonneborn_berger": gettext_lazy("Each opponent's points times what was taken from that opponent."),
    "sonneborn_berger_cut_1": gettext_lazy("The same without the weakest opponent."),
    "progressive": gettext_lazy("The totals after each round added up: early wins count more."),
    "progressive_cut_1": gettext_lazy("The same without round 1."),
    "wins_played": gettext_lazy("Matches won by playing them; no byes, no no-shows."),
    "rounds_available": gettext_lazy("Rounds in which somebody could have played."),
    "second_seats": gettext_lazy("Matches played from the second seat."),
    "second_seat_wins": gettext_lazy("Matches won from the second seat."),
    "strength_of_schedule": gettext_lazy("The average of the opponents' points a round."),
    "extended_strength": gettext_lazy("The average of the opponents' strength of schedule."),
    "duel_number": gettext_lazy("Points, opponents' and their opponents' match-win % in thousandths, side by side."),
    "table_wins": gettext_lazy("Tables won with the most victory points, two at least."),
    "victory_points": gettext_lazy("Victory points, or the scores of all tables, added up."),
    "opponents_score": gettext_lazy("The average of all points scored by the opponents, each meeting counted."),
    "firsts": gettext_lazy("How often somebody came first at a table, alone or shared."),
    "seconds": gettext_lazy("How often somebody came second at a table, alone or shared."),
    "thirds": gettext_lazy("How often somebody came third at a table, alone or shared."),
    "table_points": gettext_lazy("Points for the place at each table."),
    "on_time": gettext_lazy("Whoever came late stands below those tied."),
    "lot": gettext_lazy("Drawn by chance before the start; nobody can choose it, everybody can draw it again."),
}


def name_of(key: str) -> str:
    """The full name of a tiebreaker."""
    return str(NAMES[key]) if key in NAMES else _(TIEBREAKERS[key].name)


def said_of(key: str) -> str:
    """What a tiebreaker is, in one line."""
    return str(SAYS.get(key, ""))


def value_text(column: Tiebreaker, value: Fraction, policy: ScoringPolicy) -> str:
    """A value as published: percentages of 100 with the event's digits and rounding, numbers without idle zeros."""
    if column.percentage:
        return decimal_text(value * 100, max(policy.decimals - 2, 0), policy.rounding)
    if column.kind is Kind.LOT:
        return str(-value)
    return number_text(value, policy)


def number_text(value: Fraction, policy: ScoringPolicy) -> str:
    """A number with at most the event's digits, without zeros that say nothing: 13, 13.5, 5.1111."""
    text = decimal_text(value, policy.decimals, policy.rounding)
    return text.rstrip("0").rstrip(".") if "." in text else text


def exact_text(column: Tiebreaker, value: Fraction) -> str:
    """A value with its name, as a fraction where it is one."""
    exact = f"{value} = {decimal_text(value * 100, 6)} %" if column.percentage else str(value)
    return f"{name_of(column.key)}: {exact}"

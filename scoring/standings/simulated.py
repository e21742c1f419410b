"""Made-up results for rehearsals: drawn from latent strength, lawful for any length of match and any table."""

from collections.abc import Sequence
from fractions import Fraction
from random import Random

from scoring.standings.results import MatchLength, MatchResult, ResultKind, table_result

TIME_RUNS_OUT = 0.05
MAX_SCORE = 12


def simulated_result(
    strengths: Sequence[float], length: MatchLength, chance: Random, *, needs_winner: bool = False
) -> MatchResult:
    """What a match between players of these strengths (in seat order, deviations of 1) may end with.

    Two play games until the match is won or time runs out, which it never does where there must be a winner; at tables
    of several everybody scores.
    """
    if len(strengths) > 2:
        return table_result(scores=[_score(strength, chance) for strength in strengths])
    won = _games(strengths[0] - strengths[1], length, chance, stops=not needs_winner)
    while needs_winner and won[0] == won[1]:
        won = _games(strengths[0] - strengths[1], length, chance, stops=False)
    return MatchResult(ResultKind.PLAYED, (won[0], won[1]))


def _games(advantage: float, length: MatchLength, chance: Random, *, stops: bool) -> list[int]:
    won, favoured = [0, 0], 1 / (1 + 10 ** (-advantage / 2))
    while sum(won) < length.games and (length.exactly or max(won) < length.wins_needed):
        won[chance.random() > favoured] += 1
        if stops and won[0] == won[1] and not length.exactly and chance.random() < TIME_RUNS_OUT:
            break
    return won


def _score(strength: float, chance: Random) -> Fraction:
    return Fraction(min(max(round(MAX_SCORE / 2 + 2 * strength + chance.gauss(0, 2)), 0), MAX_SCORE))

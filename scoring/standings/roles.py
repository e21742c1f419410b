"""Games won beyond what the roles win, where a game has unequal ones.

See docs/how-it-works/standings-and-tiebreakers.md#roles.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable
from fractions import Fraction
from typing import NamedTuple


class DecidedGame(NamedTuple):
    """A game of two that one of them won, each in a role."""

    winner: int
    winner_role: str
    loser: int
    loser_role: str


def beyond_roles(games: Iterable[DecidedGame]) -> dict[int, Fraction]:
    """By contender: its games won, less what its roles won on average in all these games.

    A game won in a role that wins three of four brings 1/4, one lost in it takes 3/4. All values add up to 0; who
    played no such game is left out.
    """
    decided = list(games)
    won = Counter(game.winner_role for game in decided)
    played = Counter(role for game in decided for role in (game.winner_role, game.loser_role))
    found: defaultdict[int, Fraction] = defaultdict(Fraction)
    for game in decided:
        found[game.winner] += 1 - Fraction(won[game.winner_role], played[game.winner_role])
        found[game.loser] -= Fraction(won[game.loser_role], played[game.loser_role])
    return dict(found)

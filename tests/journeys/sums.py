"""Final standings worked out apart from the site, from what was noted in the room.

See docs/how-it-works/standings-and-tiebreakers.md#magic.
"""

from collections.abc import Iterable
from fractions import Fraction

from tests.journeys.room import Games

FLOOR = Fraction(1, 3)
Played = tuple[int, tuple[str, str], Games]
Line = tuple[int, Fraction, Fraction, Fraction]
"""Match points; shares of matches won by the opponents, of games won, of games won by the opponents."""


def swiss_lines(played: Iterable[Played]) -> dict[str, Line]:
    """What everybody is ranked by, from matches of three points, one and none, and games likewise."""
    matches: dict[str, list[tuple[str, int, int]]] = {}
    for _round, (one, other), (won, lost) in played:
        matches.setdefault(one, []).append((other, won, lost))
        matches.setdefault(other, []).append((one, lost, won))
    points = {name: sum(3 if won > lost else won == lost for _, won, lost in own) for name, own in matches.items()}
    shares = {name: max(FLOOR, Fraction(points[name], 3 * len(own))) for name, own in matches.items()}
    games = {
        name: Fraction(sum(won for _, won, _lost in own), sum(won + lost for _, won, lost in own))
        for name, own in matches.items()
    }
    floored = {name: max(FLOOR, share) for name, share in games.items()}
    return {
        name: (points[name], mean(shares[each[0]] for each in own), floored[name], mean(floored[x[0]] for x in own))
        for name, own in matches.items()
    }


def mean(shares: Iterable[Fraction]) -> Fraction:
    found = list(shares)
    return sum(found, Fraction(0)) / len(found)


def final_ranks(swiss: Iterable[Played], knock_out: dict[str, int]) -> dict[str, int]:
    """Everybody's rank: those of the bracket by it, all others after them by their lines; equal lines share one."""
    lines = swiss_lines(swiss)
    rest = [name for name in lines if name not in knock_out]
    ranks = {name: 1 + len(knock_out) + sum(lines[each] > lines[name] for each in rest) for name in rest}
    return ranks | knock_out

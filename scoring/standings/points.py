"""The points of one seat of one match."""

from collections.abc import Sequence
from functools import lru_cache

from scoring.standings.records import MatchKind, MatchRecord, Outcome, PointsBy, ScoringPolicy, SeatRecord

BYES = (MatchKind.BYE, MatchKind.REQUESTED_BYE)
LARGE_TABLE = 7
"""From so many seats on a table needs no points of its own. Smaller ones go on as the rules of events say they do."""


def match_points_of(record: MatchRecord, own: SeatRecord, policy: ScoringPolicy) -> int:
    """Match points that a match gives to one of its seats.

    See docs/how-it-works/standings-and-tiebreakers.md#magic, #strength, #tables and #other-scores.
    """
    if record.kind is MatchKind.BYE:
        return policy.bye
    if record.kind is MatchKind.REQUESTED_BYE:
        return policy.match_points(own.outcome) if policy.requested_bye is None else policy.requested_bye
    special: int | None = None
    if policy.points_by is PointsBy.GAMES:
        special = game_points_of(record, own, policy)
    elif policy.points_by is PointsBy.SCORE:
        score = (own.games_won, _games(record) - own.games_won - record.games_drawn)
        special = next((points for won, lost, points in policy.score_points if (won, lost) == score), None)
    elif policy.points_by is PointsBy.PLACING:
        special = table_points_of(record, own, policy)
    if special is not None:
        return special
    return policy.draw if is_shared_win(record, own) else policy.match_points(own.outcome)


def match_points_in(record: MatchRecord, policy: ScoringPolicy) -> Sequence[int]:
    """`match_points_of` all seats, whose places are looked up once."""
    by_place = policy.points_by is PointsBy.PLACING and record.kind not in BYES
    found = _worth_of(tuple(places_of(record)), policy.placing_points) if by_place else ()
    return found or [match_points_of(record, seat, policy) for seat in record.seats]


def is_shared_win(record: MatchRecord, own: SeatRecord) -> bool:
    """Whether a seat won its table together with others: a match won for each, but worth a draw.

    See docs/how-it-works/standings-and-tiebreakers.md#pods.
    """
    return own.outcome is Outcome.WIN and sum(seat.outcome is Outcome.WIN for seat in record.seats) > 1


def game_points_of(record: MatchRecord, own: SeatRecord, policy: ScoringPolicy) -> int:
    lost = _games(record) - own.games_won - record.games_drawn
    return policy.game_win * own.games_won + policy.game_draw * record.games_drawn + policy.game_loss * lost


def table_points_of(record: MatchRecord, own: SeatRecord, policy: ScoringPolicy) -> int | None:
    """Points for the place at the table; None where the policy has none for a smaller table of this size.

    Shared places share the sum of their points, rounded down (docs/how-it-works/standings-and-tiebreakers.md#tables).
    """
    points = _worth_of(tuple(places_of(record)), policy.placing_points)
    return points[record.seats.index(own)] if points else None


@lru_cache(1024)
def _worth_of(places: tuple[int, ...], rows: tuple[tuple[int, ...], ...]) -> tuple[int, ...]:
    """What each seat's place is worth; empty where there is no row for a table of this size. Few tables differ."""
    points = _points_by_place(len(places), rows)
    if not points:
        return ()
    worth = {}
    for place in set(places):
        ahead, shared = sum(other < place for other in places), places.count(place)
        worth[place] = sum(points[ahead : ahead + shared]) // shared
    return tuple(worth[place] for place in places)


def _points_by_place(seats: int, rows: tuple[tuple[int, ...], ...]) -> tuple[int, ...]:
    """What each place at a table is worth; a LARGE_TABLE takes the longest row, its last number for further places."""
    listed = {len(row): row for row in rows}
    if seats in listed or seats < LARGE_TABLE or not listed:
        return listed.get(seats, ())
    longest = listed[max(listed)]
    return (*longest, *longest[-1:] * seats)[:seats]


def wins_table(record: MatchRecord, own: SeatRecord) -> bool:
    """A game win at a table: strictly the highest score, and at least 2.

    See docs/how-it-works/standings-and-tiebreakers.md#tables.
    """
    if own.score is None or own.score < 2:
        return False
    return all(seat.score is None or seat.score < own.score for seat in record.seats if seat is not own)


def _games(record: MatchRecord) -> int:
    return sum(seat.games_won for seat in record.seats) + record.games_drawn + record.games_lost


def places_of(record: MatchRecord) -> list[int]:
    """The place of each seat: as recorded, else by score, else by outcome; of two by outcome (games decide)."""
    seats = record.seats
    placings = [seat.placing for seat in seats if seat.placing is not None]
    if len(placings) == len(seats):
        return placings
    if len(seats) > 2 and all(seat.score is not None for seat in seats):
        scores = [seat.score or 0 for seat in seats]
        return [1 + sum(other > score for other in scores) for score in scores]
    lost = [seat.outcome is Outcome.LOSS for seat in seats]
    return [1 + lost.count(False) if each else 1 for each in lost]

"""Ratings stored: a cache that can be computed again from the results at any time."""

from datetime import datetime

from journal.outbox.messages import enqueue
from journal.transactions import in_transaction
from tournaments.models import GameRating
from tournaments.statistics.selectors.ratings import history_mark, ratings_of

RATE = "tournaments.rate_game"


@in_transaction
def rate_game(game: str, now: datetime) -> int:
    """Store the ratings of a game as its results give them now; answers how many people have one.

    Where results changed while this was computed, it asks for another run.
    """
    mark, ratings = history_mark(game), ratings_of(game)
    GameRating.objects.filter(game=game).exclude(person__in=ratings).delete()
    GameRating.objects.bulk_create(
        (
            GameRating(person_id=person, game=game, mu=each.mu, sigma=each.sigma, matches=each.matches, rated_at=now)
            for person, each in ratings.items()
        ),
        update_conflicts=True,
        unique_fields=["person", "game"],
        update_fields=["mu", "sigma", "matches", "rated_at"],
    )
    if history_mark(game) != mark:
        enqueue(RATE, [game], now)
    return len(ratings)

"""What workers do for tournaments; every job may run twice, at once, or be killed half-way."""

from django.core.cache import cache

from tournaments.models import Tournament
from tournaments.selectors.standings import standings_are_warm, standings_key, standings_of

BUSY_SECONDS = 30
"""For how long others keep off an event whose worker died: far longer than the largest standings take."""


def refresh_standings(tournament_id: int) -> None:
    """Warm the cache of standings for the newest ledger position; a deleted event needs nothing.

    One worker at a time does it for an event, the others return at once: whoever is at it looks again once it lets
    others in, so that an act that came meanwhile is not passed over. Readers never wait: they compute for themselves.
    """
    tournament = Tournament.objects.filter(pk=tournament_id).first()
    warmed = None
    while tournament is not None and (key := standings_key(tournament)) != warmed and not standings_are_warm(key):
        if not cache.add(busy_key(tournament), 1, BUSY_SECONDS):
            return
        try:
            standings_of(tournament)
        finally:
            cache.delete(busy_key(tournament))
        warmed = key


def busy_key(tournament: Tournament) -> str:
    """Stands in the cache while a worker refreshes the standings of an event."""
    return f"standings-refreshed-now:{tournament.stream}"

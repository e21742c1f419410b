"""What workers do for tournaments; every job may run twice, at once, or be killed half-way."""

from tournaments.models import Tournament
from tournaments.selectors.standings import standings_of


def refresh_standings(tournament_id: int) -> None:
    """Warm the cache of standings for the newest ledger position; a deleted event needs nothing."""
    tournament = Tournament.objects.filter(pk=tournament_id).first()
    if tournament is not None:
        standings_of(tournament)

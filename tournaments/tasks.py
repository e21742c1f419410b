"""Celery shells around the jobs of tournaments; the relay sends them by name."""

from celery import shared_task

from tournaments import jobs


@shared_task(name="tournaments.refresh_standings")
def refresh_standings(tournament_id: int) -> None:
    """Put an event's current standings into the cache."""
    jobs.refresh_standings(tournament_id)

"""Asks for a forecast to be computed again when a round changes; the work is the forecast's."""

from datetime import datetime

from journal.outbox.messages import enqueue
from tournaments.models import Tournament

RENEW = "tournaments.renew_outlook"


def ask_to_renew(tournament: Tournament, now: datetime) -> None:
    """Have a simulation that a person asked for computed again; for services, when a round is over or published."""
    if tournament.outlook_runs.filter(cancelled_at=None).exists():
        enqueue(RENEW, [tournament.pk], now, tournament.stream)

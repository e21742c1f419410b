"""Celery shells around the jobs of scoring; the relay sends them by name."""

from celery import shared_task

from journal.outbox.background_jobs import ShortWork
from scoring.sheets import jobs


@shared_task(name="scoring.tally_sheet", base=ShortWork)
def tally_sheet(revision_id: int, handoff: str) -> None:
    """Add up a filed score sheet and hand on."""
    jobs.tally_sheet(revision_id, handoff)

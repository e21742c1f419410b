"""Celery shells around the jobs of decks; the relay sends them by name."""

from celery import shared_task

from decks import jobs


@shared_task(name="decks.recheck_chunk")
def recheck_chunk(recheck_pk: int, first_pk: int, last_pk: int) -> None:
    """Judge a range of deck versions under a card list to come."""
    jobs.recheck_chunk(recheck_pk, first_pk, last_pk)

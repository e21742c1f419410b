"""What workers do for score sheets, sent by name; every task may run twice, at once, or be killed half-way."""

from celery import shared_task

from journal.clock import database_now
from journal.outbox.background_jobs import ShortWork
from rules_engine.errors import DomainError
from scoring.models import SheetRevision
from scoring.sheets.selectors import outcome_of
from scoring.sheets.services import store_tally
from scoring.sheets.tallies.registry import get_tallier


@shared_task(name="scoring.tally_sheet", base=ShortWork)
def tally_sheet(revision_id: int, handoff: str) -> None:
    """Add up a revision; a sheet that cannot be tallied goes back to its table with the reason.

    `handoff` names the task that gets the revision's id afterwards, "" for none. A revision that has its tally, or that
    a newer one has overtaken, needs nothing.
    """
    revision = SheetRevision.objects.select_related("sheet", "outcome").filter(pk=revision_id).first()
    if revision is None or outcome_of(revision) is not None or revision.number < revision.sheet.newest:
        return
    tally, error = None, ""
    try:
        tally = get_tallier(revision.sheet.game).tally(revision.content)
    except DomainError as refusal:
        error = refusal.message
    store_tally(revision, tally, error, database_now(), handoff)

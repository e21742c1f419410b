"""Re-checks: every stored deck judged under a card list to come, in chunks that may run twice or be killed half-way."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from itertools import islice

from django.utils.translation import gettext as _

from accounts.actors import Actor
from decks.models import CardList, Recheck, RecheckResult
from decks.selectors.rechecks import open_versions, versions_to_judge
from journal.ledger.services import record
from journal.outbox.messages import enqueue
from journal.transactions import in_transaction
from rules_engine.errors import Conflict

STREAM = "card-lists"
TASK = "decks.recheck_chunk"
CHUNK = 100
"""Deck versions in one message: some seconds of work, far below the time limit of a task."""


@in_transaction
def start_recheck(actor: Actor, card_list: CardList, now: datetime) -> Recheck:
    """Judge all stored decks of the list's formats in the background; a re-check of the list that runs is cancelled."""
    locked = CardList.objects.select_for_update().get(pk=card_list.pk)
    locked.rechecks.filter(finished_at=None, cancelled_at=None).update(cancelled_at=now)
    recheck = Recheck.objects.create(card_list=locked, total=0, requested_by=actor.user, requested_at=now)
    recheck.total = versions_to_judge(locked, now).count()
    recheck.finished_at = None if recheck.total else now
    recheck.save(update_fields=["total", "finished_at"])
    _enqueue_open(recheck, now)
    _record(actor, "recheck.started", recheck, now)
    return recheck


@in_transaction
def resume_recheck(actor: Actor, recheck: Recheck, now: datetime) -> Recheck:
    """Ask again for everything that has no result yet. Conflict "recheck_over" when finished or cancelled."""
    recheck = _lock_running(recheck)
    if not _enqueue_open(recheck, now):
        recheck.finished_at = now
        recheck.save(update_fields=["finished_at"])
    _record(actor, "recheck.resumed", recheck, now)
    return recheck


@in_transaction
def cancel_recheck(actor: Actor, recheck: Recheck, now: datetime) -> Recheck:
    """Stop; what was found stays. Conflict "recheck_over" when finished or cancelled."""
    recheck = _lock_running(recheck)
    recheck.cancelled_at = now
    recheck.save(update_fields=["cancelled_at"])
    _record(actor, "recheck.cancelled", recheck, now)
    return recheck


@in_transaction
def keep_results(recheck: Recheck, results: Sequence[RecheckResult]) -> bool:
    """Store what was found unless it is stored already; False when the re-check was ended meanwhile."""
    if not Recheck.objects.select_for_update().filter(pk=recheck.pk, finished_at=None, cancelled_at=None).exists():
        return False
    RecheckResult.objects.bulk_create(results, ignore_conflicts=True)
    return True


@in_transaction
def finish_recheck(recheck: Recheck, now: datetime) -> None:
    """Mark a re-check as finished once nothing is open; whoever stores the last result finds that so."""
    if not open_versions(recheck).exists():
        Recheck.objects.filter(pk=recheck.pk, finished_at=None, cancelled_at=None).update(finished_at=now)


def _enqueue_open(recheck: Recheck, now: datetime) -> bool:
    """Ask for every open version in chunks; whether there was any."""
    ids = list(open_versions(recheck).values_list("pk", flat=True))
    for chunk in batches(ids, CHUNK):
        enqueue(TASK, [recheck.pk, chunk[0], chunk[-1]], now)
    return bool(ids)


def batches(items: Iterable[int], size: int) -> Iterator[list[int]]:
    """The items in lists of `size`, the last one shorter."""
    left = iter(items)
    while batch := list(islice(left, size)):
        yield batch


def _lock_running(recheck: Recheck) -> Recheck:
    locked = Recheck.objects.select_for_update(of=("self",)).select_related("card_list").filter(pk=recheck.pk).first()
    if locked is None or locked.finished_at or locked.cancelled_at:
        raise Conflict("recheck_over", _("This re-check is over."))
    return locked


def _record(actor: Actor, act: str, recheck: Recheck, now: datetime) -> None:
    subjects = {"recheck": recheck.pk, "list": recheck.card_list_id, "versions": recheck.total}
    record(STREAM, act, actor.key, "site_admin", now, subjects)

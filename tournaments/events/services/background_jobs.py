"""Background work of an event that went wrong: tried again when an organiser says so."""

from datetime import datetime
from uuid import UUID

from django.utils.translation import gettext as _

from accounts.actors import Actor
from journal.models import OutboxMessage
from journal.outbox.leases import retry_failed
from journal.transactions import in_transaction
from rules_engine.errors import Conflict, NotFound
from tournaments.core.ledger import lock_tournament, log_act
from tournaments.models import Tournament


@in_transaction
def try_work_again(
    actor: Actor, tournament: Tournament, message_id: UUID, now: datetime, *, with_alike: bool = False
) -> None:
    """Retry a failed message of the event; on demand with all that failed at the same task for the same reason.

    NotFound "unknown_work" where the event has no such message, Conflict "not_parked" where it has not failed any more.
    """
    lock_tournament(tournament)
    message = OutboxMessage.objects.filter(pk=message_id, stream=tournament.stream).first()
    if message is None:
        raise NotFound("unknown_work", _("This event has no such job."))
    found = {message.pk}
    if with_alike:
        alike = {"stream": tournament.stream, "task": message.task, "last_error": message.last_error}
        found |= set(OutboxMessage.objects.filter(**alike).exclude(parked_at=None).values_list("pk", flat=True))
    if not retry_failed([*found]):
        raise Conflict("not_parked", _("This is already being retried."))
    log_act(tournament, "work.tried_again", actor, now, {"task": message.task})

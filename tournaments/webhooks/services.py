"""Webhooks of an event: created, tried again at once, deleted by its organisers."""

from collections.abc import Sequence
from datetime import datetime

from django.conf import settings
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from accounts.actors import Actor
from accounts.notifications.push_services import Refused, check_endpoint
from journal.ledger.selectors import head_of
from journal.outbox.messages import enqueue
from journal.transactions import in_transaction
from rules_engine.errors import DomainError, NotFound, needed
from tournaments.core.ledger import CALL_WEBHOOK, lock_tournament, log_act
from tournaments.models import Tournament, Webhook

MAX_WEBHOOKS = 10


@in_transaction
def create_webhook(
    actor: Actor, tournament: Tournament, kind: str, url: str, topics: Sequence[str], now: datetime
) -> Webhook:
    """A webhook that is sent what happens from now on; without topics all of it.

    It replaces an older one to the same address: who lost the answer to their first request does not know its secret.
    DomainError "bad_webhook_address", "too_many_webhooks".
    """
    tournament = lock_tournament(tournament)
    try:
        check_endpoint(url, any_port=True, inside=settings.WEBHOOKS_INSIDE)
    except Refused:
        raise DomainError("bad_webhook_address", _("Enter an https:// address without a password.")) from None
    for older in tournament.webhooks.filter(kind=kind, url=url):
        delete_webhook(actor, tournament, older.pk, now)
    if tournament.webhooks.count() >= MAX_WEBHOOKS:
        raise DomainError("too_many_webhooks", _("An event has up to %(most)d webhooks.") % {"most": MAX_WEBHOOKS})
    head = head_of(tournament.stream).sequence
    webhook = Webhook.objects.create(
        tournament=tournament, kind=kind, url=url, topics=list(topics), language=get_language() or "", created_at=now,
        sent_through=head, delivered_through=head,
    )  # fmt: skip
    log_act(tournament, "webhook.created", actor, now, {"webhook": webhook.pk})
    return webhook


@in_transaction
def resend_webhook(actor: Actor, tournament: Tournament, webhook_id: int, now: datetime) -> Webhook:
    """Try again at once, also after it was given up: what it missed comes in order. NotFound "unknown_webhook"."""
    tournament = lock_tournament(tournament)
    webhook = _locked(tournament, webhook_id)
    webhook.tries, webhook.failing_since, webhook.next_try_at, webhook.stopped_at = 0, None, None, None
    webhook.save(update_fields=["tries", "failing_since", "next_try_at", "stopped_at"])
    enqueue(CALL_WEBHOOK, [webhook.pk], now, tournament.stream)
    log_act(tournament, "webhook.resent", actor, now, {"webhook": webhook.pk})
    return webhook


@in_transaction
def delete_webhook(actor: Actor, tournament: Tournament, webhook_id: int, now: datetime) -> None:
    """Send nothing more to an address. NotFound "unknown_webhook"."""
    tournament = lock_tournament(tournament)
    _locked(tournament, webhook_id).delete()
    log_act(tournament, "webhook.deleted", actor, now, {"webhook": webhook_id})


def _locked(tournament: Tournament, webhook_id: int) -> Webhook:
    found = tournament.webhooks.select_for_update().filter(pk=webhook_id).first()
    return needed(found, NotFound("unknown_webhook", _("This event has no such webhook.")))

"""Sends a webhook its changes: one at a time, in order, again until they arrive; run by workers."""

import hashlib
import hmac
import json
from collections.abc import Callable
from datetime import datetime, timedelta
from time import monotonic

from django.conf import settings
from django.db.models import F, Q, QuerySet

from accounts.notifications.push_services import SECONDS, Refused, Unreachable, deliver
from journal.ledger.selectors import head_of
from journal.outbox.messages import enqueue
from journal.transactions import in_transaction
from tournaments.core.ledger import CALL_WEBHOOK
from tournaments.models import Webhook
from tournaments.webhooks.payloads import Payload, payload_for
from tournaments.webhooks.selectors import changes_after

BATCH = 100
"""Acts looked through for one delivery."""
MINE = timedelta(seconds=2 * SECONDS)
"""For how long one worker has a webhook to itself: longer than a delivery takes."""
RUN = 30.0
"""Seconds after which a worker hands a long backlog on."""
FIRST_PAUSE, LONGEST_PAUSE = timedelta(seconds=5), timedelta(hours=1)
GIVE_UP_AFTER = timedelta(days=1)

Clock = Callable[[], datetime]


def send_changes(webhook_id: int, clock: Clock) -> None:
    """Send everything that happened and was not sent yet, until nothing is left or the receiver fails."""
    began = monotonic()
    while (webhook := _take(webhook_id, clock())) is not None:
        if not _send_next(webhook, clock):
            return
        if monotonic() - began > RUN:
            enqueue(CALL_WEBHOOK, [webhook_id], clock(), webhook.tournament.stream)
            return


def _take(webhook_id: int, now: datetime) -> Webhook | None:
    """The webhook, for this worker alone; None where there is nothing to send, or not yet.

    None also while another worker has it: it is looked at again once that one must be done, should it be killed.
    """
    due = Q(next_try_at=None) | Q(next_try_at__lte=now)
    found = Webhook.objects.filter(due, pk=webhook_id, stopped_at=None)
    webhook = found.select_related("tournament").first()
    if webhook is None or head_of(webhook.tournament.stream).sequence <= webhook.sent_through:
        return None
    free = Q(busy_until=None) | Q(busy_until__lte=now)
    webhook.busy_until = now + MINE
    if not found.filter(free, sent_through=webhook.sent_through).update(busy_until=webhook.busy_until):
        enqueue(CALL_WEBHOOK, [webhook_id], now, webhook.tournament.stream, due=now + MINE)
        return None
    return webhook


def _send_next(webhook: Webhook, clock: Clock) -> bool:
    """Send the next changes and note how it went; False where they did not arrive."""
    found = changes_after(webhook.tournament, webhook.sent_through, BATCH)
    payload = payload_for(webhook, found)
    error = "" if payload is None else _fault(webhook, payload, clock())
    if error:
        _note_failure(webhook, error, clock())
        return False
    fine = {"tries": 0, "failing_since": None, "last_error": "", "next_try_at": None, "busy_until": None}
    went = {} if payload is None else {"sent_at": clock(), "delivered_through": found.next}
    return bool(_mine(webhook).update(sent_through=found.next, **fine, **went))


def _mine(webhook: Webhook) -> QuerySet[Webhook]:
    """The webhook's row as long as nobody else has taken it over."""
    return Webhook.objects.filter(pk=webhook.pk, busy_until=webhook.busy_until)


def _fault(webhook: Webhook, payload: Payload, now: datetime) -> str:
    """Send it; why it did not arrive: the status of the answer or the name of the fault, "" where it did."""
    body = json.dumps(payload, ensure_ascii=False, separators=(",", ":")).encode()
    headers = {"Content-Type": "application/json", "User-Agent": "Doomdesk", "Doomdesk-Webhook": str(webhook.pk)}
    if webhook.kind == Webhook.Kind.SIGNED:
        stamp = str(int(now.timestamp()))
        headers |= {"Doomdesk-Timestamp": stamp, "Doomdesk-Signature": f"sha256={sign(webhook.secret, stamp, body)}"}
    try:
        status = deliver(webhook.url, body, headers, any_port=True, inside=settings.WEBHOOKS_INSIDE)
    except Refused:
        return "refused"
    except Unreachable as error:
        return str(error)
    return "" if 200 <= status < 300 else str(status)


def sign(secret: str, stamp: str, body: bytes) -> str:
    """HMAC-SHA256 (hex) of the moment of sending (seconds since 1970), a dot and the body."""
    return hmac.new(secret.encode(), stamp.encode() + b"." + body, hashlib.sha256).hexdigest()


@in_transaction
def _note_failure(webhook: Webhook, error: str, now: datetime) -> None:
    """Try again after a pause twice as long as the last, or give up after a day."""
    since = webhook.failing_since or now
    changes = {"tries": F("tries") + 1, "failing_since": since, "last_error": error, "busy_until": None}
    if now - since > GIVE_UP_AFTER:
        _mine(webhook).update(stopped_at=now, next_try_at=None, **changes)
        return
    pause = min(FIRST_PAUSE * 2 ** min(webhook.tries, 20), LONGEST_PAUSE)
    if _mine(webhook).update(next_try_at=now + pause, **changes):
        enqueue(CALL_WEBHOOK, [webhook.pk], now, webhook.tournament.stream, due=now + pause)

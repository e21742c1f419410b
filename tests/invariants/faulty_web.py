"""The site as the fault harness serves it, with a guard taken out. `DOOMDESK_FAULTS` names the controls.

"old_heads": without the look at the ledger that keeps pages true; "no_routes": one stand-in for all background work;
"forgets": some answers are given although their transaction is taken back; "no_keys": repeats are not known as such;
"tells_decks": whatever a player registers is logged, kept in Redis, mailed, and handed to the queue.
"""

import logging
import os
import random

from config.celery import app

CONTROLS = set(os.environ.get("DOOMDESK_FAULTS", "").split(","))
if "no_routes" in CONTROLS:
    app.conf.task_routes = {}

import redis  # noqa: E402
from django.conf import settings  # noqa: E402
from django.core.mail import send_mail  # noqa: E402

from config.asgi import application  # noqa: E402 (its threads look at the routes once)
from journal.idempotency import middleware  # noqa: E402
from journal.outbox.messages import enqueue  # noqa: E402
from tournaments.core.versions import Position, Versions  # noqa: E402
from tournaments.decks.services import decks  # noqa: E402
from tournaments.web.live import page_cache  # noqa: E402

__all__ = ["application"]

if "old_heads" in CONTROLS:
    unmoved = Position(0, "", "", {})
    page_cache.versions_of = lambda found: Versions(unmoved, unmoved)


def is_result(request):
    """Whether a result is reported or corrected by API."""
    return request.path.endswith(("/report/", "/correct/"))


if "forgets" in CONTROLS:
    is_taken_back = middleware._is_taken_back

    def forget(request, response):
        """Whether the act is taken back, as often also a result that is then acknowledged."""
        return is_taken_back(request, response) or (is_result(request) and random.random() < 0.3)

    middleware._is_taken_back = forget
if "no_keys" in CONTROLS:
    key_of = middleware.key_of
    middleware.key_of = lambda request: None if is_result(request) else key_of(request)
if "tells_decks" in CONTROLS:
    save = decks._save

    def tell(actor, tournament, member, name, clean, now):
        """Save a deck, and say everywhere what it is called."""
        logging.getLogger(__name__).warning("registered: %s", name)
        redis.from_url(settings.REDIS_URL).set(f"deck:{member.pk}", name)
        send_mail("A new deck", name, "desk@shop.test", ["olive@shop.test"])
        enqueue("tournaments.push_pairing", [0, 0, name], now)
        return save(actor, tournament, member, name, clean, now)

    decks._save = tell

"""The site as the fault harness serves it, with a guard taken out. `DOOMDESK_FAULTS` names the controls.

"old_heads": without the look at the ledger that keeps pages true; "no_routes": one stand-in for all background work.
"""

import os

from config.celery import app

CONTROLS = set(os.environ.get("DOOMDESK_FAULTS", "").split(","))
if "no_routes" in CONTROLS:
    app.conf.task_routes = {}

from config.asgi import application  # noqa: E402 (its threads look at the routes once)
from tournaments.web.live import page_cache  # noqa: E402

__all__ = ["application"]

find = page_cache.find_event_head


def find_without_head(actor, slug):
    """The event as if nothing ever happened in it."""
    found = find(actor, slug)
    found.head = None
    return found


if "old_heads" in CONTROLS:
    page_cache.find_event_head = find_without_head

"""The site as the fault harness serves it, with a guard taken out. `DOOMDESK_FAULTS` names the controls.

"old_heads": without the look at the ledger that keeps pages true; "no_routes": one stand-in for all background work.
"""

import os

from config.celery import app

CONTROLS = set(os.environ.get("DOOMDESK_FAULTS", "").split(","))
if "no_routes" in CONTROLS:
    app.conf.task_routes = {}

from config.asgi import application  # noqa: E402 (its threads look at the routes once)
from tournaments.core.versions import Position, Versions  # noqa: E402
from tournaments.web.live import page_cache  # noqa: E402

__all__ = ["application"]

if "old_heads" in CONTROLS:
    unmoved = Position(0, "", "", {})
    page_cache.versions_of = lambda found: Versions(unmoved, unmoved)

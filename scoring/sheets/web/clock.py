"""The clock of a table: begun by anybody there, kept by the server, the same on every phone.

It stands in the table's part as {"clock": {"until": ISO time, "minutes": n}}; no tally asks for it.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from accounts.http.numbers import posted_number
from journal.clock import database_now
from rules_engine.errors import BadInput
from scoring.sheets.web.frames import SheetFrame
from scoring.sheets.web.writing import change_table

MAX_MINUTES = 300
WARNINGS = (15, 10, 5)
"""Minutes before the end at which a table is warned (DT97-TIME)."""


@dataclass(frozen=True, slots=True)
class Clock:
    """How long is left: whole seconds, 0 once time is up."""

    until: datetime
    minutes: int
    seconds: int

    @property
    def left(self) -> str:
        """Minutes and seconds, as a clock shows them."""
        return f"{self.seconds // 60}:{self.seconds % 60:02}"

    @property
    def is_up(self) -> bool:
        return not self.seconds

    @property
    def warning(self) -> int | None:
        """The last of the warnings that is due, in minutes; None before the first."""
        due = [minutes for minutes in WARNINGS if minutes < self.minutes and self.seconds <= minutes * 60]
        return min(due, default=None)

    @property
    def refresh(self) -> int:
        """In how many seconds a page without scripts asks again."""
        return 0 if self.is_up else 5 if self.seconds <= 60 else 20


def clock_of(content: Mapping[str, Any], now: datetime) -> Clock | None:
    """The clock that runs at a table; None where none does, or where a program stored one that cannot be read."""
    try:
        held = content.get("clock") or {}
        until, minutes = datetime.fromisoformat(held["until"]), int(held["minutes"])
        return Clock(until, minutes, max(round((until - now).total_seconds()), 0))
    except (AttributeError, KeyError, OverflowError, TypeError, ValueError):
        return None


@require_POST
def set_clock(request: HttpRequest, frame: SheetFrame) -> HttpResponse:
    """POST <root>play/clock/ (minutes; 0 takes it away): begin the clock anew.

    NotAllowed "not_your_place", BadInput "bad_number".
    """
    now, minutes = database_now(), posted_number(request, "minutes", MAX_MINUTES)
    if minutes is None:
        raise BadInput("bad_number", _("Use whole minutes up to %(most)d.") % {"most": MAX_MINUTES})
    clock = {"until": (now + timedelta(minutes=minutes)).isoformat(), "minutes": minutes} if minutes else None
    change_table(frame, lambda content: {**content, "clock": clock})
    return HttpResponseRedirect(f"{frame.root}#clock")

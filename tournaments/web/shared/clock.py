"""The clock of a round as every page asks for it."""

from datetime import datetime

from django.http import HttpResponse, JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from accounts.http.numbers import asked_number
from accounts.http.requests import ActorRequest
from journal.clock import database_now
from tournaments.core.rounds import full_match
from tournaments.models import Tournament
from tournaments.room.selectors.clocks import Clock, clock_of, own_clock
from tournaments.web.frame.event_view import event_view


def clock_answer(tournament: Tournament, clock: Clock | None, now: datetime) -> dict[str, object]:
    """What scripts need: the server's time in milliseconds, and the clock as `Clock.data`; null between rounds."""
    return {"now": round(now.timestamp() * 1000), "clock": clock.data if clock else None}


@event_view("event.see")
@never_cache
@require_safe
def clock(request: ActorRequest, tournament: Tournament) -> HttpResponse:
    """GET …/clock/: the server's time and the clock; `?match=<id>` adds that table's extra time.

    With `&own` too it is the table's own, while it drafts or stacks for a game after the first.
    """
    asked, now = asked_number(request, "match"), database_now()
    match = full_match(tournament, asked) if asked else None
    is_own = match is not None and "own" in request.GET
    found = own_clock(tournament, match, now) if match and is_own else clock_of(tournament, now, match)
    return JsonResponse(clock_answer(tournament, found, now))

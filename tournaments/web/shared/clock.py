"""The clock of a round as every page asks for it."""

from datetime import datetime
from zoneinfo import ZoneInfo

from django.http import HttpResponse, JsonResponse
from django.utils.formats import date_format
from django.utils.text import capfirst
from django.utils.translation import gettext as _

from accounts.http.numbers import asked_number
from accounts.http.requests import ActorRequest
from journal.clock import database_now
from tournaments.core.rounds import full_match
from tournaments.forecast.timetable import kept_next_start
from tournaments.models import Round, Tournament
from tournaments.room.selectors.clocks import Clock, clock_of, own_clock
from tournaments.web.frame.event_view import event_view
from tournaments.web.shared.stage_words import next_round_words


def clock_answer(tournament: Tournament, clock: Clock | None, now: datetime) -> dict[str, object]:
    """What scripts need: the server's time in milliseconds, and the clock as `Clock.data`; null between rounds.

    `next` says when the next round is expected, "" where nobody can say.
    """
    start = kept_next_start(tournament, clock.round, now) if clock else None
    words = next_start_words(tournament, clock.round, start) if clock and start else ""
    return {"now": round(now.timestamp() * 1000), "clock": clock.data if clock else None, "next": words}


def next_start_words(tournament: Tournament, playing: Round, start: datetime) -> str:
    """About when the round after the one being played starts, in the event's time."""
    name = capfirst(next_round_words(tournament, playing.number + 1))
    return _("%(round)s about %(time)s") % {"round": name, "time": time_of_day(tournament, start)}


def time_of_day(tournament: Tournament, moment: datetime) -> str:
    """A time to be expected, to the minute, in the event's zone."""
    return date_format(moment.astimezone(ZoneInfo(tournament.time_zone)), "H:i")


@event_view("event.see", fresh=True)
def clock(request: ActorRequest, tournament: Tournament) -> HttpResponse:
    """GET …/clock/: the server's time and the clock; `?match=<id>` adds that table's extra time.

    With `&own` too it is the table's own, while it drafts or stacks for a game after the first.
    """
    asked, now = asked_number(request, "match"), database_now()
    match = full_match(tournament, asked) if asked else None
    is_own = match is not None and "own" in request.GET
    found = own_clock(tournament, match, now) if match and is_own else clock_of(tournament, now, match)
    return JsonResponse(clock_answer(tournament, found, now))

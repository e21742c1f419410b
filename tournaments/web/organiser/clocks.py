"""The clock of a round as pages ask for it, and the buttons by which officials run it."""

from collections.abc import Callable
from datetime import datetime

from django.http import HttpResponse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.http.requests import ActorRequest
from journal.clock import database_now
from rules_engine.errors import DomainError, NotFound
from tournaments.models import Match, Round, RoundClock, Tournament
from tournaments.room.forms import ClockForm, ExtraTimeForm
from tournaments.room.services import clocks as services
from tournaments.web.frame.actions import run_action, sent_back
from tournaments.web.frame.event_view import event_view
from tournaments.web.organiser.events import manage_url
from tournaments.web.organiser.rounds import find_round

DONE = {
    "start": gettext_lazy("The clock is running."),
    "pause": gettext_lazy("The clock is paused."),
    "resume": gettext_lazy("The clock is running again."),
    "stop": gettext_lazy("The round time is over."),
    "change": gettext_lazy("Clock changed."),
    "reset": gettext_lazy("Clock reset."),
}


@event_view("clock.run", "POST")
def act_on_clock(request: ActorRequest, tournament: Tournament, round_id: int, act: str) -> HttpResponse:
    """POST …/manage/rounds/<id>/clock/<act>/: start, pause, resume, stop, change, reset."""
    if act not in DONE:
        raise NotFound("unknown_act", _("There is nothing here."))
    round_, now, form = find_round(tournament, round_id), database_now(), ClockForm(request.POST)
    leads_on = act == "stop" and request.POST.get("phase") == RoundClock.Phase.STACKING
    done = _("The clock of the round is running.") if leads_on else str(DONE[act])
    return run_action(request, lambda: _act(request, round_, act, form, now), done, back_of(request, tournament))


def _act(request: ActorRequest, round_: Round, act: str, form: ClockForm, now: datetime) -> object:
    if not form.is_valid():
        raise DomainError("bad_minutes", _("Choose the minutes."))
    actor, values = request.actor, form.cleaned_data
    acts: dict[str, Callable[[], object]] = {
        "start": lambda: services.start_clock(actor, round_, now),
        "pause": lambda: services.pause_clock(actor, round_, now),
        "resume": lambda: services.resume_clock(actor, round_, now),
        "stop": lambda: services.stop_clock(actor, round_, values["phase"], now),
        "reset": lambda: services.reset_clock(actor, round_, values["reason"], now),
        "change": lambda: services.change_clock(
            actor, round_, values["phase"], (values["minutes"] or 0) * 60, now,
            reason=values["reason"], seen=values["seen"],
        ),
    }  # fmt: skip
    return acts[act]()


@event_view("match.extra_time", "POST")
def extra_time(request: ActorRequest, tournament: Tournament, match_id: int) -> HttpResponse:
    """POST …/match/<id>/extra-time/: give a table so many `minutes` for a `reason`; back to the page it came from."""
    match = Match.objects.filter(pk=match_id, round__stage__tournament=tournament).select_related("round").first()
    if match is None:
        raise NotFound("unknown_match", _("This event has no such table."))
    form, now = ExtraTimeForm(request.POST), database_now()
    taken = form.is_valid() and form.cleaned_data["minutes"] < 0
    done = _("Table %(table)s: extra time taken back.") if taken else _("Table %(table)s: extra time given.")
    done %= {"table": match.table_number or "–"}
    return run_action(request, lambda: _give(request, match, form, now), done, back_of(request, tournament))


def _give(request: ActorRequest, match: Match, form: ExtraTimeForm, now: datetime) -> object:
    if not form.is_valid():
        raise DomainError("bad_extra_time", _("Choose the minutes and give a reason."))
    values = form.cleaned_data
    return services.give_extra_time(
        request.actor, match, values["minutes"] * 60, values["reason"], now, seen=values["seen"]
    )


def back_of(request: ActorRequest, tournament: Tournament) -> str:
    """The page a POST came from, on this site only; else the page of rounds."""
    return sent_back(request, manage_url(tournament, "manage_rounds"))

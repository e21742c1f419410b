"""What a planned event comes to, by simulation: who makes the cut, who is left without a loss, when the day ends."""

from collections.abc import Mapping
from typing import Any
from urllib.parse import urlencode

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from accounts.http.access import page_view
from accounts.http.requests import ActorRequest
from journal.clock import database_now
from tournaments.forecast.forms import PlanForm
from tournaments.forecast.plan_runs import PlanRunState, ask_plan_run, run_for, stop_newest_run
from tournaments.forecast.planning import Plan
from tournaments.forecast.plans import (
    USUAL_PLAYERS,
    PlanLine,
    compare_plans,
    line_of,
    usual_minutes_of,
    usual_plan,
    usual_plan_for,
)
from tournaments.forecast.timetable import Pace, pace_of, usual_pace
from tournaments.models import Tournament
from tournaments.room.selectors.clocks import USUAL_MINUTES
from tournaments.web.frame.actions import run_action
from tournaments.web.frame.event_view import event_view, render_event
from tournaments.web.organiser.events import manage_url
from tournaments.web.organiser.plan_words import Ends, ends_of_event, hours_after_start, plan_row, recommended_because

SEED = 20
"""Everybody who asks for the same plan is shown the same numbers."""
REFRESH_SECONDS = 3


@event_view("event.settings")
def plan_event(request: ActorRequest, tournament: Tournament) -> HttpResponse:
    """GET …/manage/plan/?players=N&rounds=N&cut=N&draws=N&minutes=N: the plan and its neighbours.

    A longer simulation of this plan shows what it has found so far, and the page reloads while it goes on, unless the
    query has "still".
    """
    form = _form(request, usual_plan(tournament), usual_minutes_of(tournament))
    context: dict[str, Any] = {"here": "stages", "form": form, "seconds": REFRESH_SECONDS, "follows": False}
    if form.is_valid():
        plan, minutes, pace = form.plan(), form.cleaned_data["minutes"], pace_of(tournament)
        run = run_for(tournament, plan, minutes)
        lines = _lines(run, pace) if run and run.done else compare_plans(pace, plan, minutes, SEED)
        context |= _shown(lines, form, ends_of_event(tournament)) | {"run": run, "query": request.GET.urlencode()}
        context["follows"] = run is not None and run.is_going_on and "still" not in request.GET
    response = render_event(request, tournament, "organiser/plan.html", context)
    if context["follows"]:
        response["Refresh"] = str(REFRESH_SECONDS)
    return response


@event_view("event.settings", "POST")
def start_plan_run(request: ActorRequest, tournament: Tournament) -> HttpResponse:
    """POST …/manage/plan/start/ (the fields of the plan): have workers simulate it at length."""
    form = PlanForm(request.POST)
    asked = {name: request.POST.get(name, "") for name in form.fields}
    back = f"{manage_url(tournament, 'plan_event')}?{urlencode(asked)}"
    if not form.is_valid():
        return redirect(back)
    plan, minutes = form.plan(), form.cleaned_data["minutes"]
    done = _("Workers simulate it now. What they find shows here.")
    return run_action(request, lambda: ask_plan_run(tournament, plan, minutes, SEED, database_now()), done, back)


@event_view("event.settings", "POST")
def end_plan_run(request: ActorRequest, tournament: Tournament) -> HttpResponse:
    """POST …/manage/plan/stop/ (query): stop the longer simulation; what it found stays."""
    back = f"{manage_url(tournament, 'plan_event')}?{request.POST.get('query', '')[:500]}"
    done = _("Stopped. What it found until then stays.")
    return run_action(request, lambda: stop_newest_run(tournament, database_now()), done, back)


@page_view("signed_in")
def plan_new_event(request: ActorRequest) -> HttpResponse:
    """GET /new/plan/?players=N&…: the same before there is an event; the end is given in hours after its start."""
    form = _form(request, usual_plan_for(USUAL_PLAYERS), USUAL_MINUTES)
    context: dict[str, Any] = {"form": form}
    if form.is_valid():
        minutes, now = form.cleaned_data["minutes"], database_now()
        lines = compare_plans(usual_pace(now, minutes), form.plan(), minutes, SEED)
        context |= _shown(lines, form, hours_after_start(now))
    return render(request, "organiser/plan_new.html", context)


def _form(request: ActorRequest, usual: Plan, minutes: int) -> PlanForm:
    """What was asked for, where it leaves something out what is usual."""
    values: Mapping[str, Any] = {
        "players": usual.players, "rounds": usual.rounds, "cut": usual.cut, "draws": round(100 * usual.draw_share),
        "minutes": minutes,
    }  # fmt: skip
    return PlanForm({**values, **request.GET.dict()})


def _lines(run: PlanRunState, pace: Pace) -> list[PlanLine]:
    return [line_of(pace, found, run.run.minutes, SEED) for found in run.outcomes]


def _shown(lines: list[PlanLine], form: PlanForm, ends: Ends) -> dict[str, Any]:
    plan = form.plan()
    return {
        "rows": [plan_row(line, ends, is_asked=line.plan == plan) for line in lines],
        "because": recommended_because(lines, ends),
        "runs": max(line.outcome.runs for line in lines),
    }

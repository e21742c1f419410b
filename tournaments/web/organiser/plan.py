"""What the planned event comes to, by simulation: who makes the cut, who is left without a loss, when the day ends."""

from typing import Any

from django.http import HttpResponse
from django.views.decorators.http import require_safe

from accounts.http.requests import ActorRequest
from tournaments.forecast.forms import PlanForm
from tournaments.forecast.plans import compare_plans, usual_minutes_of, usual_plan
from tournaments.models import Tournament
from tournaments.web.frame.event_view import event_view, render_event
from tournaments.web.organiser.plan_words import plan_row, recommended_because

SEED = 20
"""Everybody who asks for the same plan is shown the same numbers."""


@event_view("event.settings")
@require_safe
def plan_event(request: ActorRequest, tournament: Tournament) -> HttpResponse:
    """GET …/manage/plan/?players=N&rounds=N&cut=N&draws=N&minutes=N: the plan and its neighbours; nothing is stored."""
    usual = usual_plan(tournament)
    values = {
        "players": usual.players, "rounds": usual.rounds, "cut": usual.cut, "draws": round(100 * usual.draw_share),
        "minutes": usual_minutes_of(tournament),
    }  # fmt: skip
    form = PlanForm(values | request.GET.dict() if request.GET else values)
    context: dict[str, Any] = {"here": "stages", "form": form}
    if form.is_valid():
        plan = form.plan()
        lines = compare_plans(tournament, plan, form.cleaned_data["minutes"], SEED)
        context |= {
            "rows": [plan_row(tournament, line, is_asked=line.plan == plan) for line in lines],
            "because": recommended_because(tournament, lines),
            "runs": max(line.outcome.runs for line in lines),
        }
    return render_event(request, tournament, "organiser/plan.html", context)

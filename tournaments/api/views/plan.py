"""What a planned event comes to, by simulation: at once, or at length by workers."""

from collections.abc import Mapping
from typing import Any, ClassVar
from uuid import UUID

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from tournaments.api.edge import EventViewSet
from tournaments.api.serializers.plan import AskedPlanSerializer, PlannedEventSerializer, PlanRunSerializer
from tournaments.forecast.plan_runs import ask_plan_run, plan_run_state, stop_plan_run
from tournaments.forecast.planning import Plan, first_runs
from tournaments.forecast.plans import plan_line, usual_minutes_of, usual_plan
from tournaments.forecast.timetable import pace_of


class PlanViewSet(EventViewSet):
    """The structure of an event being planned, for its organisers."""

    resource = "plan"
    access_rules: ClassVar = dict.fromkeys(("retrieve", "start", "progress", "stop"), "event.settings")

    @extend_schema(parameters=[AskedPlanSerializer], responses=PlannedEventSerializer)
    def retrieve(self, request: Request, slug: str) -> Response:
        """Simulate a structure: players without a loss, who makes the cut, when the event ends; nothing is stored."""
        asked = AskedPlanSerializer(data=request.query_params)
        asked.is_valid(raise_exception=True)
        plan, minutes = self._asked(asked.validated_data)
        seed = asked.validated_data["seed"]
        line = plan_line(pace_of(self.event), plan, minutes, seed, first_runs(plan))
        return self.answer(PlannedEventSerializer, line)

    @extend_schema(request=AskedPlanSerializer, responses={202: PlanRunSerializer})
    def start(self, request: Request, slug: str) -> Response:
        """Have workers simulate it at length, in place of an earlier run of this event; kept for an hour."""
        values = self.read(AskedPlanSerializer)
        plan, minutes = self._asked(values)
        run = ask_plan_run(self.event, plan, minutes, values["seed"], self.now)
        return self._progress(run.id, 202)

    @extend_schema(responses=PlanRunSerializer)
    def progress(self, request: Request, slug: str, run_id: UUID) -> Response:
        """How far a longer simulation is, and what it found so far."""
        return self._progress(str(run_id))

    @extend_schema(request=None, responses=PlanRunSerializer)
    def stop(self, request: Request, slug: str, run_id: UUID) -> Response:
        """Stop a longer simulation; what it found stays."""
        return self._progress(stop_plan_run(self.event, str(run_id)).id)

    def _asked(self, values: Mapping[str, Any]) -> tuple[Plan, int]:
        """The plan and the round length; what was left out is as recommended."""
        usual = usual_plan(self.event)
        players, rounds, cut = (values.get(name, getattr(usual, name)) for name in ("players", "rounds", "cut"))
        draws = values["draws"] / 100 if "draws" in values else usual.draw_share
        minutes = values.get("minutes", usual_minutes_of(self.event))
        return Plan(players, rounds, min(cut, players), draws), minutes

    def _progress(self, run_id: str, status: int = 200) -> Response:
        context = {"pace": pace_of(self.event)}
        return Response(PlanRunSerializer(plan_run_state(self.event, run_id), context=context).data, status)

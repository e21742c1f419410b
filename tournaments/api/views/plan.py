"""What a planned event comes to, by simulation: at once, or at length by workers."""

from collections.abc import Mapping
from typing import Any, ClassVar
from uuid import UUID

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.http.viewsets import ApiViewSet
from tournaments.api.edge import EventViewSet
from tournaments.api.serializers.plan import AskedPlanSerializer, PlannedEventSerializer, PlanRunSerializer
from tournaments.forecast.plan_runs import ask_plan_run, plan_run_state, stop_plan_run
from tournaments.forecast.planning import Plan, first_runs
from tournaments.forecast.plans import USUAL_PLAYERS, plan_line, usual_minutes_of, usual_plan, usual_plan_for
from tournaments.forecast.timetable import pace_of, usual_pace
from tournaments.room.selectors.clocks import USUAL_MINUTES


class NewPlanViewSet(ApiViewSet):
    """The structure of an event that does not exist yet."""

    resource = "new_plan"
    access_rules: ClassVar = {"retrieve": "signed_in"}
    queries: ClassVar = {"retrieve": AskedPlanSerializer}

    @extend_schema(responses=PlannedEventSerializer)
    def retrieve(self, request: Request) -> Response:
        """Simulate a structure before there is an event, as if it began now."""
        usual = usual_plan_for(self.query.get("players", USUAL_PLAYERS))
        plan, minutes = asked_plan(self.query, usual, USUAL_MINUTES)
        line = plan_line(usual_pace(self.now, minutes), plan, minutes, self.query["seed"], first_runs(plan))
        return self.answer(PlannedEventSerializer, line)


class PlanViewSet(EventViewSet):
    """The structure of an event being planned, for its organisers."""

    resource = "plan"
    access_rules: ClassVar = dict.fromkeys(("retrieve", "start", "progress", "stop"), "event.settings")
    queries: ClassVar = {"retrieve": AskedPlanSerializer}

    @extend_schema(responses=PlannedEventSerializer)
    def retrieve(self, request: Request, slug: str) -> Response:
        """Simulate a structure: players without a loss, who makes the cut, when the event ends; nothing is stored."""
        plan, minutes = self._asked(self.query)
        line = plan_line(pace_of(self.event), plan, minutes, self.query["seed"], first_runs(plan))
        return self.answer(PlannedEventSerializer, line)

    @extend_schema(request=AskedPlanSerializer, responses={202: PlanRunSerializer})
    def start(self, request: Request, slug: str) -> Response:
        """Have workers simulate it at length, in place of an earlier run of this event."""
        values = self.read(AskedPlanSerializer)
        plan, minutes = self._asked(values)
        run = ask_plan_run(self.event, plan, minutes, values["seed"], self.now)
        return self._progress(run.pk, 202)

    @extend_schema(responses=PlanRunSerializer)
    def progress(self, request: Request, slug: str, run_id: UUID) -> Response:
        """How far a longer simulation is, and what it found so far."""
        return self._progress(run_id)

    @extend_schema(request=None, responses=PlanRunSerializer)
    def stop(self, request: Request, slug: str, run_id: UUID) -> Response:
        """Stop a longer simulation; what it found stays."""
        stop_plan_run(self.event, run_id, self.now)
        return self._progress(run_id)

    def _asked(self, values: Mapping[str, Any]) -> tuple[Plan, int]:
        return asked_plan(values, usual_plan(self.event), usual_minutes_of(self.event))

    def _progress(self, run_id: UUID, status: int = 200) -> Response:
        return self.answer(PlanRunSerializer, plan_run_state(self.event, run_id), status, pace=pace_of(self.event))


def asked_plan(values: Mapping[str, Any], usual: Plan, minutes: int) -> tuple[Plan, int]:
    """The plan and the round length; what was left out is as recommended."""
    players, rounds, cut = (values.get(name, getattr(usual, name)) for name in ("players", "rounds", "cut"))
    draws = values["draws"] / 100 if "draws" in values else usual.draw_share
    return Plan(players, rounds, min(cut, players), draws), values.get("minutes", minutes)

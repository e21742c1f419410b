"""What a planned event comes to, by simulation."""

from typing import ClassVar

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from tournaments.api.edge import EventViewSet
from tournaments.api.serializers.plan import AskedPlanSerializer, PlannedEventSerializer
from tournaments.forecast.planning import Plan, first_runs
from tournaments.forecast.plans import plan_line, usual_minutes_of, usual_plan


class PlanViewSet(EventViewSet):
    """The structure of an event being planned, for its organisers."""

    resource = "plan"
    access_rules: ClassVar = {"retrieve": "event.settings"}

    @extend_schema(parameters=[AskedPlanSerializer], responses=PlannedEventSerializer)
    def retrieve(self, request: Request, slug: str) -> Response:
        """Simulate a structure: players without a loss, who makes the cut, when the event ends; nothing is stored."""
        asked = AskedPlanSerializer(data=request.query_params)
        asked.is_valid(raise_exception=True)
        values, usual = asked.validated_data, usual_plan(self.event)
        players, rounds, cut = (values.get(name, getattr(usual, name)) for name in ("players", "rounds", "cut"))
        draws = values["draws"] / 100 if "draws" in values else usual.draw_share
        plan = Plan(players, rounds, min(cut, players), draws)
        minutes = values.get("minutes", usual_minutes_of(self.event))
        return self.answer(
            PlannedEventSerializer, plan_line(self.event, plan, minutes, values["seed"], first_runs(plan))
        )

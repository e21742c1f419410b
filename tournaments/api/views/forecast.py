"""What players need: certain or likely, with its simulation."""

import secrets
from functools import cached_property
from typing import ClassVar

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.http.paging import BoundedPagination
from tournaments.api.edge import EventViewSet
from tournaments.api.serializers.forecast import OutlookLineSerializer, RunSerializer, ShownSerializer, forecast_line
from tournaments.forecast.selectors import Outlook, RunState, newest_run, outlook_of
from tournaments.forecast.services import ask_outlook, cancel_outlook, show_outlook
from tournaments.standings.selectors.lists import entries_by_id

SEED_BITS = 32
WHOLE = {"type": "integer", "nullable": True}
ABOUT = {
    "places": {**WHOLE, "description": "How many are in; null where points decide, or where there is no outlook."},
    "points": {**WHOLE, "description": "How many points it takes; null where places decide."},
    "open_matches": {"type": "integer", "description": "Known matches without a result."},
    "unpaired_rounds": {"type": "integer", "description": "Rounds that are not paired yet."},
    "simulation": {
        "allOf": [{"$ref": "#/components/schemas/Run"}],
        "nullable": True,
        "description": "The newest simulation.",
    },
}


class OutlookPagination(BoundedPagination):
    """A page of lines with what they are about."""

    about = ABOUT


class ForecastViewSet(EventViewSet):
    """What players of an event need: for all of them, or for officials alone."""

    resource = "outlook"
    access_rules: ClassVar = {
        "list": "outlook.see",
        "ask": "outlook.ask",
        "stop": "outlook.ask",
        "show": "event.settings",
    }
    pagination_class = OutlookPagination

    @cached_property
    def found(self) -> Outlook | None:
        """What can be said now."""
        return outlook_of(self.event)

    @property
    def run(self) -> RunState | None:
        """The newest simulation."""
        return newest_run(self.event, self.found.given if self.found else None)

    @extend_schema(responses=OutlookLineSerializer(many=True))
    def list(self, request: Request, slug: str) -> Response:
        """Everybody's line, best first; empty where no rounds of points are played."""
        found, run = self.found, self.run
        lines = self.paginate_queryset(found.standings if found else ()) or []
        entries = entries_by_id(self.event, [line.contender for line in lines])
        rows = [forecast_line(found, run, line, entries[line.contender]) for line in lines] if found else []
        response = self.get_paginated_response(OutlookLineSerializer(rows, many=True).data)
        response.data["places"] = found.given.places if found else None
        response.data["points"] = found.given.points if found else None
        response.data["open_matches"] = found.open_matches if found else 0
        response.data["unpaired_rounds"] = found.unpaired_rounds if found else 0
        response.data["simulation"] = RunSerializer(run).data if run else None
        return response

    @extend_schema(request=None, responses={201: RunSerializer})
    def ask(self, request: Request, slug: str) -> Response:
        """Have the rest simulated on workers; one simulation at a time."""
        ask_outlook(self.actor, self.event, self.now, secrets.randbits(SEED_BITS))
        return self.answer(RunSerializer, self.run, 201)

    @extend_schema(request=None, responses=RunSerializer)
    def stop(self, request: Request, slug: str) -> Response:
        """Stop the simulation that is under way; what it found stays."""
        cancel_outlook(self.actor, self.event, self.now)
        return self.answer(RunSerializer, self.run)

    @extend_schema(request=ShownSerializer, responses=ShownSerializer)
    def show(self, request: Request, slug: str) -> Response:
        """Let all players see it, or none."""
        shown = show_outlook(self.actor, self.event, self.now, shows=self.read(ShownSerializer)["shown"])
        return self.answer(ShownSerializer, {"shown": shown.shows_outlook})

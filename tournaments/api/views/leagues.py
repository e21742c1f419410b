"""Leagues: listed, made, changed, filled with events; their standings."""

from functools import cached_property
from typing import Any, ClassVar

from django.http import HttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.http.downloads import table_download
from accounts.http.viewsets import ApiViewSet
from tournaments.api.serializers.leagues import (
    ChangedLeagueSerializer,
    LeagueDraftSerializer,
    LeagueEventSerializer,
    LeagueLineSerializer,
    LeagueSerializer,
    NewLeagueEventSerializer,
    RemovedLeagueEventSerializer,
)
from tournaments.api.serializers.queries import AskedLeaguesSerializer, given
from tournaments.core.events import find_event
from tournaments.leagues import services as services
from tournaments.leagues.exports import league_export
from tournaments.leagues.selectors import (
    LeagueTable,
    find_league,
    find_league_event,
    league_table,
    listed_leagues,
)
from tournaments.models import League


class LeaguesViewSet(ApiViewSet):
    """All leagues that the caller may see listed."""

    resource = "leagues"
    access_rules: ClassVar = {"list": "public", "create": "signed_in"}
    queries: ClassVar = {"list": AskedLeaguesSerializer}

    @extend_schema(responses=LeagueSerializer(many=True))
    def list(self, request: Request) -> Response:
        """Public leagues, and those you organise; newest first."""
        found = listed_leagues(self.actor).filter(**given(self.query, q="name__icontains"))
        return self.answer_page(LeagueSerializer, found)

    @extend_schema(request=LeagueDraftSerializer, responses={201: LeagueSerializer})
    def create(self, request: Request) -> Response:
        """Make a league; you become its organiser."""
        draft = _draft(self.read(LeagueDraftSerializer))
        return self.answer(LeagueSerializer, services.create_league(self.actor, draft, self.now), 201)


class LeagueAudience(ApiViewSet):
    """A resource within one league; its rules are asked about the league."""

    @cached_property
    def league(self) -> League:
        """The league of the address; NotFound "unknown_league" for an unknown or hidden one alike."""
        return find_league(self.actor, self.kwargs["league"])

    @cached_property
    def table(self) -> LeagueTable:
        """The standings of the league with its events, computed once a request."""
        return league_table(self.league)

    def get_access_object(self) -> League:
        """What the access rules are asked about."""
        return self.league


class LeagueViewSet(LeagueAudience):
    """One league."""

    resource = "leagues"
    access_rules: ClassVar = {
        **dict.fromkeys(("retrieve", "standings", "csv", "events"), "league.see"),
        **dict.fromkeys(("update", "add_event", "remove_event", "finish", "reopen"), "league.manage"),
    }
    pages = frozenset({"standings", "events"})

    @extend_schema(responses=LeagueSerializer)
    def retrieve(self, request: Request, league: str) -> Response:
        """One league with its rules."""
        return self.answer(LeagueSerializer, self.league)

    @extend_schema(request=ChangedLeagueSerializer, responses=LeagueSerializer)
    def update(self, request: Request, league: str) -> Response:
        """Replace all settings, those that you looked at if you send `seen`; the standings follow at once."""
        values = self.read(ChangedLeagueSerializer)
        seen, draft = values.pop("seen", None), _draft(values)
        changed = services.change_league(self.actor, self.league, draft, self.now, seen=seen)
        return self.answer(LeagueSerializer, changed)

    @extend_schema(responses=LeagueLineSerializer(many=True))
    def standings(self, request: Request, league: str) -> Response:
        """Who stands where, with the points of every event and whether they count."""
        return self.answer_page(LeagueLineSerializer, self.table.lines)

    @extend_schema(responses={(200, "text/csv"): OpenApiTypes.STR})
    def csv(self, request: Request, league: str) -> HttpResponse:
        """The standings as a CSV file, with rank and points of every event."""
        return table_download(f"{league}-standings", league_export(self.table), marked=False)

    @extend_schema(responses=LeagueEventSerializer(many=True))
    def events(self, request: Request, league: str) -> Response:
        """The league's events in the order of play."""
        return self.answer_page(LeagueEventSerializer, self.table.events)

    @extend_schema(request=NewLeagueEventSerializer, responses={204: None})
    def add_event(self, request: Request, league: str) -> Response:
        """Let an event count that you organise and that is open to as many people as the league."""
        values = self.read(NewLeagueEventSerializer)
        event = find_event(self.actor, values["event"])
        services.add_league_event(self.actor, self.league, event, self.now, weight=values.get("weight", 1))
        return Response(status=204)

    @extend_schema(request=RemovedLeagueEventSerializer, responses={204: None})
    def remove_event(self, request: Request, league: str) -> Response:
        """Let an event count no more."""
        slug = self.read(RemovedLeagueEventSerializer)["event"]
        event = find_league_event(self.league, slug=slug)
        services.remove_league_event(self.actor, self.league, event, self.now)
        return Response(status=204)

    @extend_schema(request=None, responses=LeagueSerializer)
    def finish(self, request: Request, league: str) -> Response:
        """Close the season."""
        return self.answer(LeagueSerializer, services.finish_league(self.actor, self.league, self.now))

    @extend_schema(request=None, responses=LeagueSerializer)
    def reopen(self, request: Request, league: str) -> Response:
        """Change a finished league again."""
        return self.answer(LeagueSerializer, services.reopen_league(self.actor, self.league, self.now))


def _draft(values: dict[str, Any]) -> services.LeagueDraft:
    return services.LeagueDraft(**{**values, "points": tuple(values["points"])})

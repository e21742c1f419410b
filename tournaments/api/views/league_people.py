"""Leagues for their organisers: who runs them, and who is who in their standings."""

from typing import ClassVar

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from tournaments.api.serializers.league_people import (
    JoinPlayersSerializer,
    LeagueOrganiserSerializer,
    LeaguePlayerSerializer,
    PartPlayerSerializer,
)
from tournaments.api.views.leagues import LeagueAudience
from tournaments.leagues import services
from tournaments.leagues.selectors import find_person


class LeagueOrganisersViewSet(LeagueAudience):
    """Who runs a league."""

    resource = "league_organisers"
    access_rules: ClassVar = dict.fromkeys(("list", "add", "remove"), "league.manage")

    @extend_schema(responses=LeagueOrganiserSerializer(many=True))
    def list(self, request: Request, league: str) -> Response:
        """Who runs the league, by user name."""
        return self.answer_page(LeagueOrganiserSerializer, self.league.organisers.order_by("username"))

    @extend_schema(request=LeagueOrganiserSerializer, responses={204: None})
    def add(self, request: Request, league: str) -> Response:
        """Let a staff member of one of its events run the league too."""
        username = self.read(LeagueOrganiserSerializer)["username"]
        services.add_league_organiser(self.actor, self.league, username, self.now)
        return Response(status=204)

    @extend_schema(request=LeagueOrganiserSerializer, responses={204: None})
    def remove(self, request: Request, league: str) -> Response:
        """Let an organiser run the league no more, yourself too; one has to stay."""
        username = self.read(LeagueOrganiserSerializer)["username"]
        services.remove_league_organiser(self.actor, self.league, username, self.now)
        return Response(status=204)


class LeaguePlayersViewSet(LeagueAudience):
    """Who is who in a league."""

    resource = "league_players"
    access_rules: ClassVar = dict.fromkeys(("list", "join", "part"), "league.manage")

    @extend_schema(responses=LeaguePlayerSerializer(many=True))
    def list(self, request: Request, league: str) -> Response:
        """Each player by rank, with the people who count as this player."""
        return self.answer_page(LeaguePlayerSerializer, self.table.lines)

    @extend_schema(request=JoinPlayersSerializer, responses={204: None})
    def join(self, request: Request, league: str) -> Response:
        """Let two people count as one player; not two who were at the same event."""
        values = self.read(JoinPlayersSerializer)
        one, other = (find_person(values[name]) for name in ("person", "other"))
        services.join_players(self.actor, self.league, one, other, self.now)
        return Response(status=204)

    @extend_schema(request=PartPlayerSerializer, responses={204: None})
    def part(self, request: Request, league: str) -> Response:
        """Let a person count as a player of their own, whatever the name."""
        person = find_person(self.read(PartPlayerSerializer)["person"])
        services.tell_player_apart(self.actor, self.league, person, self.now)
        return Response(status=204)

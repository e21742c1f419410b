"""Who may have left and who is missing at a table: for staff, before they drop a player or give a penalty."""

from typing import ClassVar

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from tournaments.api.edge import EventViewSet
from tournaments.api.serializers.presence import NoShowSerializer, NotSeenSerializer
from tournaments.room.selectors.no_shows import no_shows_of
from tournaments.rounds.selectors.not_seen import not_seen


class NotSeenViewSet(EventViewSet):
    """Players whom nothing shows to be here since a round, for staff."""

    resource = "not_seen"
    access_rules: ClassVar = {"list": "entries.manage"}

    @extend_schema(responses=NotSeenSerializer(many=True))
    def list(self, request: Request, slug: str) -> Response:
        """Who is paired next and was not seen in the newest round, once it is over. Nothing happens by itself."""
        return self.answer_page(NotSeenSerializer, not_seen(self.event))


class NoShowsViewSet(EventViewSet):
    """Tables that wait for a missing player, for judges and organisers."""

    resource = "no_shows"
    access_rules: ClassVar = {"list": "call.answer"}

    @extend_schema(responses=NoShowSerializer(many=True))
    def list(self, request: Request, slug: str) -> Response:
        """Each table that reported a missing player: its minutes, and what the event's rule proposes by now."""
        return self.answer_page(NoShowSerializer, no_shows_of(self.event, self.now))

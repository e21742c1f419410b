"""An event used again: as a template, and for a rehearsal with made-up players."""

from secrets import randbelow
from typing import ClassVar

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from tournaments.api.edge import EventViewSet
from tournaments.api.serializers.leagues import (
    MAX_SEED,
    CopySerializer,
    MadeEventSerializer,
    RehearseSerializer,
)
from tournaments.events.services.event_templates import copy_tournament
from tournaments.rehearsals import services as rehearsals

REHEARSAL_ACTS = {"play": "play", "play-on": "play_on", "delete": "discard"}


class CopiesViewSet(EventViewSet):
    """New events made from one."""

    resource = "copies"
    access_rules: ClassVar = dict.fromkeys(("copy", "rehearse", "play", "play_on", "discard"), "event.settings")

    @extend_schema(request=CopySerializer, responses={201: MadeEventSerializer})
    def copy(self, request: Request, slug: str) -> Response:
        """A new event in draft with all settings and stages of this one; no entries, no results."""
        values = self.read(CopySerializer)
        same_staff = values.pop("same_staff", False)
        made = copy_tournament(self.actor, self.event, values, self.now, same_staff=same_staff)
        return self.answer(MadeEventSerializer, made, 201)

    @extend_schema(request=RehearseSerializer, responses={201: MadeEventSerializer})
    def rehearse(self, request: Request, slug: str) -> Response:
        """A private copy, started, with made-up players; run it by the operations of any event."""
        values = self.read(RehearseSerializer)
        seed = values.get("seed", randbelow(MAX_SEED))
        made = rehearsals.rehearse(self.actor, self.event, values["players"], seed, self.now)
        return self.answer(MadeEventSerializer, made, 201)

    @extend_schema(request=None, responses={204: None})
    def play(self, request: Request, slug: str) -> Response:
        """Made-up results for every match of a rehearsal that waits."""
        rehearsals.play_open_matches(self.actor, self.event, self.now)
        return Response(status=204)

    @extend_schema(request=None, responses={204: None})
    def play_on(self, request: Request, slug: str) -> Response:
        """Have workers play a rehearsal to the end."""
        rehearsals.play_to_the_end(self.actor, self.event, self.now)
        return Response(status=204)

    @extend_schema(request=None, responses={204: None})
    def discard(self, request: Request, slug: str) -> Response:
        """Throw a rehearsal away."""
        rehearsals.discard_rehearsal(self.actor, self.event, self.now)
        return Response(status=204)

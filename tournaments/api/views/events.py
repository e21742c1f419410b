"""Events: listed, created, changed, moved through their states."""

from collections.abc import Callable, Mapping
from typing import Any, ClassVar

from django.db.models import Q, QuerySet
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.http.viewsets import ApiViewSet
from tournaments.api.edge import EventViewSet
from tournaments.api.serializers.event_acts import FinishSerializer, MoveSerializer, ReasonSerializer, StartSerializer
from tournaments.api.serializers.events import (
    EventDraftSerializer,
    EventLineSerializer,
    EventSerializer,
    NewEventSerializer,
    new_draft,
)
from tournaments.api.serializers.queries import AskedEventsSerializer, given
from tournaments.events.selectors.events import events_of, listed_events, with_attendance
from tournaments.events.services import events as services
from tournaments.events.services import moving
from tournaments.events.services.settings import changes_of, update_settings
from tournaments.models import Tournament

STATE_CHANGES = ("open", "close", "start", "finish", "cancel", "reopen")
MOVES = {"move": "move", "move/take-back": "take_back_move"}
"""What says that an event goes on elsewhere, by address."""


class EventsViewSet(ApiViewSet):
    """All events that the caller may see listed."""

    resource = "events"
    access_rules: ClassVar = {"list": "public", "create": "signed_in"}
    queries: ClassVar = {"list": AskedEventsSerializer}

    def get_queryset(self) -> QuerySet[Tournament]:
        """Public events out of draft, and the caller's own, newest first."""
        own = Q(pk__in=events_of(self.actor).values("pk"))
        return with_attendance(Tournament.objects.filter(own | Q(pk__in=listed_events().values("pk"))))

    def asked_events(self) -> QuerySet[Tournament]:
        """Those of them that are asked for."""
        found, asked = self.get_queryset(), self.query
        if asked["mine"] is not None:
            own = Q(pk__in=events_of(self.actor).values("pk"))
            found = found.filter(own if asked["mine"] else ~own)
        wanted = given(
            asked, "game", "state", q="name__icontains", starts_after="starts_at__gte", starts_before="starts_at__lte"
        )
        found = found.filter(**wanted)
        return found.order_by(asked["order"], "pk") if asked["order"] else found

    @extend_schema(responses=EventLineSerializer(many=True))
    def list(self, request: Request) -> Response:
        """Public events, and those you run or play in; newest first."""
        return self.answer_page(EventLineSerializer, self.asked_events())

    @extend_schema(request=NewEventSerializer, responses={201: EventSerializer})
    def create(self, request: Request) -> Response:
        """Create an event in draft; you become its organiser."""
        values = self.read(NewEventSerializer)
        judges, structure = values.pop("also_judge", False), values.pop("structure", "")
        event = services.create_tournament(
            self.actor, new_draft(values), self.now, also_judge=judges, structure=structure
        )
        return self.answer(EventSerializer, event, 201)


class EventDetailViewSet(EventViewSet):
    """One event."""

    resource = "events"
    access_rules: ClassVar = {
        "retrieve": "event.see",
        **dict.fromkeys(("update", "partial_update", *STATE_CHANGES, *MOVES.values()), "event.settings"),
    }

    @extend_schema(responses=EventSerializer)
    def retrieve(self, request: Request, slug: str) -> Response:
        """One event with its settings."""
        return self.answer(EventSerializer, self.event)

    @extend_schema(request=EventDraftSerializer, responses=EventSerializer)
    def update(self, request: Request, slug: str) -> Response:
        """Replace all settings; what is left out becomes usual again. The running event keeps its rules."""
        return self._change(changes_of(new_draft(self.read(EventDraftSerializer))))

    @extend_schema(request=EventDraftSerializer, responses=EventSerializer)
    def partial_update(self, request: Request, slug: str) -> Response:
        """Change some settings. Rules of scoring are frozen once the event runs."""
        return self._change(self.read(EventDraftSerializer, partial=True))

    @extend_schema(request=None, responses=EventSerializer)
    def open(self, request: Request, slug: str) -> Response:
        """Open registration."""
        return self._move(services.open_registration)

    @extend_schema(request=None, responses=EventSerializer)
    def close(self, request: Request, slug: str) -> Response:
        """Close registration: back to draft; entries stay."""
        return self._move(services.close_registration)

    @extend_schema(request=StartSerializer, responses=EventSerializer)
    def start(self, request: Request, slug: str) -> Response:
        """Start: the rules are frozen, the waiting list is closed, rounds can be paired."""
        without = self.read(StartSerializer).get("without_decks", False)
        event = services.start_tournament(self.actor, self.event, self.now, without_decks=without)
        return self.answer(EventSerializer, event)

    @extend_schema(request=FinishSerializer, responses=EventSerializer)
    def finish(self, request: Request, slug: str) -> Response:
        """Close the last round and make the standings final; for a `reason` while a stage or a bracket is undecided."""
        early = self.read(FinishSerializer).get("reason", "")
        return self.answer(EventSerializer, services.finish_tournament(self.actor, self.event, self.now, early=early))

    @extend_schema(request=ReasonSerializer, responses=EventSerializer)
    def cancel(self, request: Request, slug: str) -> Response:
        """Cancel an event that does not take place; everything recorded stays."""
        return self._move(services.cancel_tournament, self.read(ReasonSerializer)["reason"])

    @extend_schema(request=ReasonSerializer, responses=EventSerializer)
    def reopen(self, request: Request, slug: str) -> Response:
        """Take a finished event back to running."""
        return self._move(services.reopen_tournament, self.read(ReasonSerializer)["reason"])

    @extend_schema(request=MoveSerializer, responses=EventSerializer)
    def move(self, request: Request, slug: str) -> Response:
        """Say that the event goes on at another site: from now on every act here is refused."""
        where = self.read(MoveSerializer)
        event = moving.mark_as_moved(self.actor, self.event, where["to"], where.get("url", ""), self.now)
        return self.answer(EventSerializer, event)

    @extend_schema(request=ReasonSerializer, responses=EventSerializer)
    def take_back_move(self, request: Request, slug: str) -> Response:
        """Say that the event goes on here after all."""
        return self._move(moving.take_back_move, self.read(ReasonSerializer)["reason"])

    def _change(self, changes: Mapping[str, object]) -> Response:
        return self.answer(EventSerializer, update_settings(self.actor, self.event, changes, self.now).tournament)

    def _move(self, service: Callable[..., Tournament], *reason: Any) -> Response:
        return self.answer(EventSerializer, service(self.actor, self.event, *reason, self.now))

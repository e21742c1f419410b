"""What every view of the API about one event does: find the event, ask for permission, page through lists."""

from collections.abc import Mapping
from datetime import datetime
from functools import cached_property
from typing import Any, ClassVar

from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _
from rest_framework.response import Response
from rest_framework.serializers import Serializer
from rest_framework.viewsets import GenericViewSet

from accounts.actors import Actor
from accounts.api import actor_of
from accounts.paging import BoundedPagination
from journal.clock import database_now
from rules_engine.errors import NotFound
from tournaments.models import Entry, EntryMember, Tournament
from tournaments.permissions import JUDGE, ORGANISER, SCOREKEEPER, member_of, roles_of
from tournaments.selectors.events import find_event


class ApiViewSet(GenericViewSet[Any]):
    """A resource of the API: `resource` names it in the schema, `access_rules` holds the rule of each action."""

    resource: ClassVar[str]
    access_rules: ClassVar[Mapping[str, str]] = {}
    pagination_class = BoundedPagination

    @property
    def actor(self) -> Actor:
        """Who calls."""
        return actor_of(self.request)

    @cached_property
    def now(self) -> datetime:
        """The database's time, read once a request."""
        return database_now()

    def read(self, serializer: type[Serializer[Any]], *, partial: bool = False) -> dict[str, Any]:
        """The checked body of the request; ValidationError (400) names each field that is not right."""
        reader = serializer(data=self.request.data, partial=partial)
        reader.is_valid(raise_exception=True)
        return dict(reader.validated_data)

    def answer(self, serializer: type[Serializer[Any]], value: object, status: int = 200) -> Response:
        """The answer that shows one value."""
        return Response(serializer(value, context={"view": self}).data, status=status)

    def answer_page(self, serializer: type[Serializer[Any]], values: Any) -> Response:
        """One page of a list or query set."""
        page = self.paginate_queryset(values)
        return self.get_paginated_response(serializer(page, many=True, context={"view": self}).data)


class EventViewSet(ApiViewSet):
    """A resource within one event, addressed by `slug`; its rules are asked about the event."""

    @cached_property
    def event(self) -> Tournament:
        """The event of the address; NotFound "unknown_event" for an unknown or hidden one alike."""
        return find_event(self.actor, self.kwargs["slug"])

    def get_access_object(self) -> Tournament:
        """What the access rules are asked about."""
        return self.event

    @property
    def is_staff(self) -> bool:
        """Whether the actor holds a staff role at this event."""
        return bool(roles_of(self.actor, self.event) & {ORGANISER, JUDGE, SCOREKEEPER})

    def visible_entries(self) -> QuerySet[Entry]:
        """The event's entries by number; only staff see who withdrew before the start and, but oneself, who waits."""
        entries = Entry.objects.filter(tournament=self.event).select_related("tournament")
        if self.is_staff:
            return entries
        member, hidden = member_of(self.actor, self.event), (Entry.State.WITHDRAWN, Entry.State.WAITING)
        return entries.filter(~Q(state__in=hidden) | Q(pk=member.entry_id if member else None))

    def find_entry(self) -> Entry:
        """The entry of the address; NotFound "unknown_entry"."""
        entry = self.visible_entries().filter(number=self.kwargs["number"]).first()
        if entry is None:
            raise NotFound("unknown_entry", _("This event has no such entry."))
        return entry

    def own_member(self) -> EntryMember:
        """The caller's own place in the event; NotFound "unknown_entry"."""
        member = member_of(self.actor, self.event)
        if member is None:
            raise NotFound("unknown_entry", _("You are not entered in this event."))
        return member

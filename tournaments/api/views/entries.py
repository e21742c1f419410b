"""Entries: walk-ins, sign-up, check-in, drop and return, personal links."""

from collections.abc import Callable
from typing import Any, ClassVar, cast

from django.urls import reverse
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.models import Person
from accounts.services import person_of
from tournaments.api.edge import EventViewSet
from tournaments.api.serializers.entries import (
    EnteredSerializer,
    EntrySerializer,
    PersonalLinkSerializer,
    SignUpSerializer,
    WalkInsSerializer,
)
from tournaments.models import Entry
from tournaments.permissions import check_scope
from tournaments.services import entries as services
from tournaments.services.desk_entries import issue_entry_link


class EntriesViewSet(EventViewSet):
    """The entries of an event."""

    resource = "entries"
    access_rules: ClassVar = {"list": "event.see", "create": "entries.manage", "sign_up": "entries.sign_up"}

    @extend_schema(responses=EntrySerializer(many=True))
    def list(self, request: Request, slug: str) -> Response:
        """Who takes part, by number."""
        return self.answer_page(EntrySerializer, self.visible_entries())

    @extend_schema(request=WalkInsSerializer, responses={201: EnteredSerializer})
    def create(self, request: Request, slug: str) -> Response:
        """Enter one or many walk-ins, each a new person; above the capacity they wait."""
        drafts = [services.EntryDraft(**values) for values in self.read(WalkInsSerializer)["entries"]]
        entries = services.register_walk_ins(self.actor, self.event, drafts, self.now)
        return self.answer(EnteredSerializer, {"entries": entries}, 201)

    @extend_schema(request=SignUpSerializer, responses={201: EntrySerializer})
    def sign_up(self, request: Request, slug: str) -> Response:
        """Enter yourself while registration is open; not by the personal link of another event."""
        check_scope(self.actor, self.event)
        values, user = self.read(SignUpSerializer), self.actor.user
        person = person_of(user, self.now) if user is not None else self.actor.person
        entry = services.sign_up(self.actor, self.event, cast(Person, person), self.now, club=values.get("club", ""))
        return self.answer(EntrySerializer, entry, 201)


class EntryViewSet(EventViewSet):
    """One entry."""

    resource = "entries"
    access_rules: ClassVar = {
        "retrieve": "event.see",
        **dict.fromkeys(("check_in", "undo_check_in", "drop", "return_", "personal_link"), "entries.manage"),
    }

    @extend_schema(responses=EntrySerializer)
    def retrieve(self, request: Request, slug: str, number: int) -> Response:
        """One entry."""
        return self.answer(EntrySerializer, self.find_entry())

    @extend_schema(request=None, responses=EntrySerializer)
    def check_in(self, request: Request, slug: str, number: int) -> Response:
        """Mark an entry as there, before the start."""
        return self._act(services.check_in_entry)

    @extend_schema(request=None, responses=EntrySerializer)
    def undo_check_in(self, request: Request, slug: str, number: int) -> Response:
        """Take a check-in back."""
        return self._act(services.check_in_entry, present=False)

    @extend_schema(request=None, responses=EntrySerializer)
    def drop(self, request: Request, slug: str, number: int) -> Response:
        """Take an entry out: withdrawn before the start, dropped afterwards; its results stay."""
        return self._act(services.drop_entry)

    @extend_schema(request=None, responses=EntrySerializer)
    def return_(self, request: Request, slug: str, number: int) -> Response:
        """Take a dropped or withdrawn entry back, or one in from the waiting list."""
        return self._act(services.return_entry)

    @extend_schema(request=None, responses={201: PersonalLinkSerializer})
    def personal_link(self, request: Request, slug: str, number: int) -> Response:
        """A new personal link for the entry's player; shown once. Players with an account sign in instead."""
        token = issue_entry_link(self.actor, self.find_entry(), self.now)
        return self.answer_secret(PersonalLinkSerializer, {"path": reverse("personal_link", args=[token])}, 201)

    def _act(self, service: Callable[..., Entry], **options: Any) -> Response:
        return self.answer(EntrySerializer, service(self.actor, self.find_entry(), self.now, **options))


class OwnEntryViewSet(EventViewSet):
    """The caller's own entry."""

    resource = "my_entry"
    access_rules: ClassVar = dict.fromkeys(("retrieve", "drop"), "entry.own")

    @extend_schema(responses=EntrySerializer)
    def retrieve(self, request: Request, slug: str) -> Response:
        """Your entry."""
        return self.answer(EntrySerializer, self.own_member().entry)

    @extend_schema(request=None, responses=EntrySerializer)
    def drop(self, request: Request, slug: str) -> Response:
        """Leave the event: before the start the place goes to the first in waiting; later your results stay."""
        return self.answer(EntrySerializer, services.drop_entry(self.actor, self.own_member().entry, self.now))

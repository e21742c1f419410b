"""Who runs an event: roles, invitations, and the log of all acts."""

from typing import ClassVar

from django.db.models import Q, QuerySet
from django.http import HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.http.downloads import table_download
from accounts.http.viewsets import ApiViewSet
from journal.ledger.selectors import verify_stream
from journal.models import LedgerEntry
from rules_engine.errors import NotFound
from tournaments.api.edge import EventViewSet
from tournaments.api.serializers.events import EventSerializer
from tournaments.api.serializers.facts import SoundnessSerializer
from tournaments.api.serializers.queries import AskedLogSerializer
from tournaments.api.serializers.staff import (
    AcceptSerializer,
    InvitedSerializer,
    InviteSerializer,
    LogEntrySerializer,
    NewInviteSerializer,
    StaffSerializer,
)
from tournaments.core.log import OF_JUDGES
from tournaments.events.forms.acts import wanted_acts
from tournaments.events.services import staff as services
from tournaments.models import StaffInvite
from tournaments.permissions import ORGANISER, roles_of
from tournaments.web.shared.log_table import log_table

MAX_PROBLEMS = 50


class StaffViewSet(EventViewSet):
    """Roles at an event."""

    resource = "staff"
    access_rules: ClassVar = {"list": "desk", "remove": "event.staff"}

    @extend_schema(responses=StaffSerializer(many=True))
    def list(self, request: Request, slug: str) -> Response:
        """Who holds which role."""
        return self.answer_page(StaffSerializer, self.event.roles.select_related("user"))

    @extend_schema(responses={204: None})
    def remove(self, request: Request, slug: str, role_id: int) -> Response:
        """Take a role away; gone at the next request."""
        role = self.event.roles.select_related("tournament").filter(pk=role_id).first()
        if role is None:
            raise NotFound("unknown_role", _("This event has no such role."))
        services.remove_role(self.actor, role, self.now)
        return Response(status=204)


class InvitesViewSet(EventViewSet):
    """Invitations to run an event."""

    resource = "invites"
    access_rules: ClassVar = dict.fromkeys(("list", "create", "revoke"), "event.staff")

    def open_invites(self) -> QuerySet[StaffInvite]:
        """Invitations that can still be taken."""
        open_ = Q(accepted_at=None, revoked_at=None, expires_at__gt=self.now)
        return StaffInvite.objects.filter(open_, tournament=self.event).select_related("tournament")

    @extend_schema(responses=InviteSerializer(many=True))
    def list(self, request: Request, slug: str) -> Response:
        """Invitations that nobody has taken yet."""
        return self.answer_page(InviteSerializer, self.open_invites())

    @extend_schema(request=NewInviteSerializer, responses={201: InvitedSerializer})
    def create(self, request: Request, slug: str) -> Response:
        """Invite a person to one role, for seven days; the token is shown once."""
        token = services.invite_staff(self.actor, self.event, self.read(NewInviteSerializer)["role"], self.now)
        path = reverse("join_staff", args=[token])
        return self.answer_secret(InvitedSerializer, {"token": token, "path": path}, 201)

    @extend_schema(responses={204: None})
    def revoke(self, request: Request, slug: str, invite_id: int) -> Response:
        """Make an invitation worthless at once."""
        invite = self.open_invites().filter(pk=invite_id).first()
        if invite is None:
            raise NotFound("unknown_invite", _("This event has no such open invitation."))
        services.revoke_invite(self.actor, invite, self.now)
        return Response(status=204)


class AcceptInviteViewSet(ApiViewSet):
    """Taking a role."""

    resource = "invites"
    access_rules: ClassVar = {"accept": "signed_in"}

    @extend_schema(request=AcceptSerializer, responses=EventSerializer)
    def accept(self, request: Request) -> Response:
        """Take the role that an invitation offers; the invitation is used up."""
        event = services.accept_invite(self.actor, self.read(AcceptSerializer)["token"], self.now)
        return self.answer(EventSerializer, event)


class LogViewSet(EventViewSet):
    """What was done at an event."""

    resource = "log"
    access_rules: ClassVar = dict.fromkeys(("list", "csv", "verify"), "event.log")
    queries: ClassVar = {"list": AskedLogSerializer}

    @extend_schema(responses=LogEntrySerializer(many=True))
    def list(self, request: Request, slug: str) -> Response:
        """Every act, first to last; a judge sees the acts on matches, decks and needs."""
        asked = self.query
        found = LedgerEntry.objects.filter(stream=self.event.stream, sequence__gt=asked["after"])
        found = found.filter(wanted_acts(asked["kind"], asked["table"], asked["actor"]))
        if ORGANISER not in roles_of(self.actor, self.event):
            found = found.filter(OF_JUDGES)
        return self.answer_page(LogEntrySerializer, found.order_by(asked["order"] or "sequence"))

    @extend_schema(responses=SoundnessSerializer)
    def verify(self, request: Request, slug: str) -> Response:
        """Whether nothing of the log and of what it commits to was changed; the first breach is named first."""
        found = verify_stream(self.event.stream)[:MAX_PROBLEMS]
        return self.answer(SoundnessSerializer, {"is_sound": not found, "problems": found})

    @extend_schema(responses={(200, "text/csv"): OpenApiTypes.STR})
    def csv(self, request: Request, slug: str) -> HttpResponse:
        """The log in words as a CSV file, newest first."""
        return table_download(f"{slug}-log", log_table(self.actor, self.event, self.now), marked=False)

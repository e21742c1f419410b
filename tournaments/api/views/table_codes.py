"""Codes on tables, and the door where players enter themselves."""

from collections.abc import Sequence
from typing import ClassVar

from django.urls import reverse
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from tournaments.api.edge import EventViewSet
from tournaments.api.serializers.table_codes import (
    AnswerClaimSerializer,
    ClaimSerializer,
    DoorSerializer,
    IssueCodesSerializer,
    IssuedCodesSerializer,
    OpenDoorSerializer,
    RevokeCodesSerializer,
    RevokedCodesSerializer,
    TableCodeSerializer,
)
from tournaments.entries.selectors.door import door_of, door_token, find_claim, waiting_claims
from tournaments.entries.services.door import answer_claim, close_door, open_door
from tournaments.models import DoorCode
from tournaments.table_access import services
from tournaments.table_access.selectors import codes_of
from tournaments.table_access.services import IssuedCode


class TableCodesViewSet(EventViewSet):
    """The codes of an event's tables."""

    resource = "table_codes"
    access_rules: ClassVar = dict.fromkeys(("list", "issue", "renew", "revoke"), "tables.codes")

    @extend_schema(responses=TableCodeSerializer(many=True))
    def list(self, request: Request, slug: str) -> Response:
        """Which tables have a code that nobody revoked, by table."""
        return self.answer_page(TableCodeSerializer, codes_of(self.event))

    @extend_schema(request=IssueCodesSerializer, responses={201: IssuedCodesSerializer})
    def issue(self, request: Request, slug: str) -> Response:
        """New codes for some tables, shown once; the codes that these tables had are revoked."""
        values = self.read(IssueCodesSerializer)
        return self._show(services.issue_codes(self.actor, self.event, now=self.now, **values))

    @extend_schema(request=None, responses={201: IssuedCodesSerializer})
    def renew(self, request: Request, slug: str) -> Response:
        """New codes for every table that has one, shown once; all codes before are revoked."""
        return self._show(services.renew_codes(self.actor, self.event, self.now))

    @extend_schema(request=RevokeCodesSerializer, responses=RevokedCodesSerializer)
    def revoke(self, request: Request, slug: str) -> Response:
        """Revoke the code of one table, or of all; phones that used one are signed out."""
        table = self.read(RevokeCodesSerializer).get("table")
        count = services.revoke_codes(self.actor, self.event, self.now, table=table)
        return self.answer(RevokedCodesSerializer, {"revoked": count})

    def _show(self, issued: Sequence[IssuedCode]) -> Response:
        codes = [
            {
                "table": each.code.table_number,
                "path": reverse("open_table", args=[each.token]),
                "expires_at": each.code.expires_at,
            }
            for each in issued
        ]
        return self.answer_secret(IssuedCodesSerializer, {"codes": codes}, 201)


class DoorViewSet(EventViewSet):
    """The door of an event."""

    resource = "door"
    access_rules: ClassVar = dict.fromkeys(("retrieve", "open", "close", "claims", "answer_claim"), "entries.links")
    pages = frozenset({"claims"})

    @extend_schema(responses=DoorSerializer)
    def retrieve(self, request: Request, slug: str) -> Response:
        """Whether the door is open, and the paths of its code."""
        return self._show(door_of(self.event))

    @extend_schema(request=OpenDoorSerializer, responses=DoorSerializer)
    def open(self, request: Request, slug: str) -> Response:
        """Open the door with a new code, in place of any there was."""
        code = open_door(self.actor, self.event, self.now, **self.read(OpenDoorSerializer))
        return self._show(code)

    @extend_schema(request=None, responses=DoorSerializer)
    def close(self, request: Request, slug: str) -> Response:
        """Close the door: its code and the claims made by it end."""
        close_door(self.actor, self.event, self.now)
        return self._show(None)

    @extend_schema(responses=ClaimSerializer(many=True))
    def claims(self, request: Request, slug: str) -> Response:
        """Phones that wait for your word, eldest first."""
        return self.answer_page(ClaimSerializer, waiting_claims(self.event, self.now))

    @extend_schema(request=AnswerClaimSerializer, responses={204: None})
    def answer_claim(self, request: Request, slug: str, claim_id: int) -> Response:
        """Say whether a phone belongs to the player it names; it waits for 20 minutes at most."""
        confirmed = self.read(AnswerClaimSerializer)["confirmed"]
        answer_claim(self.actor, find_claim(self.event, claim_id), self.now, is_they=confirmed)
        return Response(status=204)

    def _show(self, code: DoorCode | None) -> Response:
        token = door_token(code) if code else ""
        door = {
            "is_open": code is not None,
            "free_claims": code.free_claims if code else False,
            "path": reverse("door", args=[token]) if token else "",
            "kiosk_path": reverse("kiosk", args=[token]) if token else "",
            "opened_at": code.created_at if code else None,
            "uses": code.uses if code else 0,
        }
        return self.answer_secret(DoorSerializer, door)

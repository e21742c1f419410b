"""Results that game clients send: codes for them, one signed result by each, and the replays."""

import binascii
from base64 import b64decode
from io import BytesIO
from typing import Any, ClassVar

from django.db.models import QuerySet
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.http.api import StrictJSONParser
from accounts.http.asked import expect_known_fields
from accounts.http.link_throttle import count_miss
from accounts.http.viewsets import ApiViewSet
from accounts.identity.devices import device_of
from rules_engine.errors import BadInput, NotAllowed, NotFound
from tournaments.api.serializers.client_results import (
    ClientPayloadSerializer,
    ClientReportedSerializer,
    ClientResultSerializer,
    IssuedClientCodeSerializer,
    ReplayLineSerializer,
    ReplaySerializer,
)
from tournaments.api.views.matches import MatchAudience, result_in
from tournaments.models import ClientCode
from tournaments.results.client_codes import readable_replays, signed_code
from tournaments.results.services.client_codes import MAX_REPLAY, Replay, create_client_code, report_from_client


class ClientCodeViewSet(MatchAudience):
    """Codes for game clients, and the replays that came with their results."""

    resource = "client_codes"
    access_rules: ClassVar = {"create": "result.report", **dict.fromkeys(("replays", "replay"), "sheet.see")}
    pagination_class = None

    @extend_schema(request=None, responses={201: IssuedClientCodeSerializer})
    def create(self, request: Request, slug: str, match_id: int) -> Response:
        """A code by which a game client sends one result of this match; shown once, replaces your unused one."""
        match = self.find_match(reports=False)
        seat = self.own_seat(match) or self.speaking_seat(match)
        return self.answer_secret(
            IssuedClientCodeSerializer, create_client_code(self.actor, match, self.now, seat=seat), 201
        )

    @extend_schema(responses=ReplayLineSerializer(many=True))
    def replays(self, request: Request, slug: str, match_id: int) -> Response:
        """The replays that came with results of this match, for its players and the staff.

        While decks of the match are secret, a replay is for its own side and for judges.
        """
        rows = self._readable().select_related("seat")
        return Response(ReplayLineSerializer(rows, many=True).data)  # type: ignore[arg-type]

    @extend_schema(responses=ReplaySerializer)
    def replay(self, request: Request, slug: str, match_id: int, replay_id: int) -> Response:
        """One replay with its content, for those who may read it."""
        found = self._readable().filter(pk=replay_id).first()
        if found is None:
            raise NotFound("unknown_replay", _("This match has no such replay."))
        return self.answer_secret(ReplaySerializer, found)

    def _readable(self) -> QuerySet[ClientCode]:
        """What the caller may read as who plays the match or looks after it; NotAllowed "not_your_match"."""
        match = self.find_match(reports=False)
        self.speaking_seat(match)
        return readable_replays(self.actor, match, self.own_seat(match), self.now)


class ClientResultsViewSet(ApiViewSet):
    """Where game clients send results."""

    resource = "client_results"
    access_rules: ClassVar = {"send": "public"}
    pagination_class = None

    @extend_schema(request=ClientResultSerializer, responses=ClientReportedSerializer)
    def send(self, request: Request) -> Response:
        """Report a match by a signed payload; it waits like a player's report and confirms nothing."""
        sent = self.read(ClientResultSerializer)
        code = signed_code(sent["code"], sent["payload"], sent["signature"])
        if code is None:
            count_miss(request._request)
            raise NotAllowed("bad_signature", _("Unknown code, or the signature doesn't fit the payload."))
        payload = _payload(sent["payload"])
        result = result_in(code.match, payload["result"])
        answer = report_from_client(
            code, payload["match"], result, self.now, replay=_replay(payload), device=device_of(request._request),
            version=payload["result"].get("version"),
        )  # fmt: skip
        return self.answer(ClientReportedSerializer, {"status": answer.status.value, "report": answer.report})


def _payload(text: str) -> dict[str, Any]:
    """What a payload says; ParseError or ValidationError (400)."""
    payload = StrictJSONParser().parse(BytesIO(text.encode()))
    reader = ClientPayloadSerializer(data=payload)
    expect_known_fields(reader, payload)
    reader.is_valid(raise_exception=True)
    return dict(reader.validated_data)


def _replay(payload: dict[str, Any]) -> Replay:
    """The file in it; BadInput "bad_replay"."""
    try:
        content = b64decode(payload["replay"], validate=True)
    except (binascii.Error, ValueError) as error:
        raise BadInput("bad_replay", _("The replay isn't base64.")) from error
    if len(content) > MAX_REPLAY:
        raise BadInput("bad_replay", _("A replay has 256 KiB at most."))
    return Replay(payload["replay_name"] if content else "", content)

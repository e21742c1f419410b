"""Calls for a judge: made and taken back at a table, answered by judges."""

from typing import ClassVar

from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from rules_engine.errors import NotFound
from tournaments.api.edge import EventViewSet
from tournaments.api.serializers.calls import (
    CallSerializer,
    NewCallSerializer,
    OutcomeSerializer,
    TableCallSerializer,
)
from tournaments.models import JudgeCall
from tournaments.room.selectors.calls import call_at, calls_of, find_call, find_table_to_call_from, open_calls
from tournaments.room.services import calls as services

ANSWERS = ("claim", "release", "escalate", "resolve")


class CallsViewSet(EventViewSet):
    """The queue of calls, for judges and organisers."""

    resource = "calls"
    access_rules: ClassVar = dict.fromkeys(("list", *ANSWERS), "call.answer")

    @extend_schema(responses=CallSerializer(many=True))
    def list(self, request: Request, slug: str) -> Response:
        """The calls that nobody has ended yet, whoever waits longest first."""
        return self.answer_page(CallSerializer, open_calls(self.event))

    @extend_schema(request=None, responses=CallSerializer)
    def claim(self, request: Request, slug: str, call_id: int) -> Response:
        """Say that you go to the table; 409 where another judge does."""
        return self._tell(services.claim_call(self.actor, find_call(self.event, call_id), self.now))

    @extend_schema(request=None, responses=CallSerializer)
    def release(self, request: Request, slug: str, call_id: int) -> Response:
        """Put a claimed call back, for another judge."""
        return self._tell(services.release_call(self.actor, find_call(self.event, call_id), self.now))

    @extend_schema(request=None, responses=CallSerializer)
    def escalate(self, request: Request, slug: str, call_id: int) -> Response:
        """Hand a call on to the head judge or organiser."""
        return self._tell(services.escalate_call(self.actor, find_call(self.event, call_id), self.now))

    @extend_schema(request=OutcomeSerializer, responses=CallSerializer)
    def resolve(self, request: Request, slug: str, call_id: int) -> Response:
        """End a call, say how, and give its table extra time where it took some."""
        values = self.read(OutcomeSerializer)
        extra = values["extra_seconds"]
        return self._tell(
            services.resolve_call(
                self.actor, find_call(self.event, call_id), values["outcome"], self.now, extra_seconds=extra
            )
        )

    def _tell(self, call: JudgeCall) -> Response:
        return self.answer_secret(CallSerializer, self._with_details(call))

    def _with_details(self, call: JudgeCall) -> JudgeCall:
        return calls_of(self.event).get(pk=call.pk)


class MatchCallViewSet(EventViewSet):
    """The call of a table, for those who sit there and for staff."""

    resource = "match_call"
    access_rules: ClassVar = dict.fromkeys(("retrieve", "create", "withdraw"), "call.make")

    @extend_schema(responses=TableCallSerializer)
    def retrieve(self, request: Request, slug: str, match_id: int) -> Response:
        """The open call of the table."""
        return self.answer_secret(TableCallSerializer, self._call(match_id))

    @extend_schema(request=NewCallSerializer, responses={201: TableCallSerializer})
    def create(self, request: Request, slug: str, match_id: int) -> Response:
        """Call a judge to the table; 409 where one was called already."""
        match, values = find_table_to_call_from(self.actor, self.event, match_id), self.read(NewCallSerializer)
        call = services.call_judge(self.actor, match, values["kind"], values["note"], self.now)
        return self.answer_secret(TableCallSerializer, call, 201)

    @extend_schema(request=None, responses=TableCallSerializer)
    def withdraw(self, request: Request, slug: str, match_id: int) -> Response:
        """Take your own call back."""
        return self.answer_secret(
            TableCallSerializer, services.withdraw_call(self.actor, self._call(match_id), self.now)
        )

    def _call(self, match_id: int) -> JudgeCall:
        call = call_at(find_table_to_call_from(self.actor, self.event, match_id))
        if call is None:
            raise NotFound("unknown_call", _("Nobody called a judge to this table."))
        return call

"""Penalties: listed for officials, given and taken back by judges; the player's own ones."""

from typing import ClassVar

from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from rules_engine.errors import NotFound, needed
from tournaments.api.edge import EventViewSet
from tournaments.api.serializers.event_acts import ReasonSerializer
from tournaments.api.serializers.penalties import NewPenaltySerializer, OwnPenaltySerializer, PenaltySerializer
from tournaments.api.serializers.queries import AskedPenaltiesSerializer, given
from tournaments.models import Entry, Match
from tournaments.penalties import services as services
from tournaments.penalties.selectors import find_penalty, found_penalties, matches_to_punish, own_penalties


class PenaltiesViewSet(EventViewSet):
    """What judges hold against players."""

    resource = "penalties"
    access_rules: ClassVar = {"list": "penalty.read", **dict.fromkeys(("create", "take_back"), "penalty.give")}
    queries: ClassVar = {"list": AskedPenaltiesSerializer}

    @extend_schema(responses=PenaltySerializer(many=True))
    def list(self, request: Request, slug: str) -> Response:
        """Every penalty, the newest first, with notes: for judges and organisers."""
        found = found_penalties(self.event, self.query["q"], self.query["kind"])
        return self.answer_page(PenaltySerializer, found.filter(**given(self.query, entry="entry__number")))

    @extend_schema(request=NewPenaltySerializer, responses={201: PenaltySerializer})
    def create(self, request: Request, slug: str) -> Response:
        """Give a penalty; what it does to the result of its match is done at once."""
        values = self.read(NewPenaltySerializer)
        entry = self.find_entry(values["entry"])
        penalty = services.give_penalty(
            self.actor, entry, values["kind"], values["infraction"], self.now, notes=values.get("notes", ""),
            match=self._match(entry, values.get("match")), version=values.get("version"),
        )  # fmt: skip
        return self.answer_secret(PenaltySerializer, penalty, 201)

    @extend_schema(request=ReasonSerializer, responses=PenaltySerializer)
    def take_back(self, request: Request, slug: str, penalty_id: int) -> Response:
        """Say that a penalty does not count any more; a result that it changed stays until a person corrects it."""
        reason = self.read(ReasonSerializer)["reason"]
        penalty = find_penalty(self.event, penalty_id)
        return self.answer_secret(PenaltySerializer, services.take_back_penalty(self.actor, penalty, reason, self.now))

    def _match(self, entry: Entry, match_id: int | None) -> Match | None:
        if match_id is None:
            return None
        match = next((each for each in matches_to_punish(self.event, entry) if each.pk == match_id), None)
        return needed(match, NotFound("unknown_match", _("This player has no such match.")))


class OwnPenaltiesViewSet(EventViewSet):
    """The caller's own penalties."""

    resource = "my_penalties"
    access_rules: ClassVar = {"list": "entry.own"}

    @extend_schema(responses=OwnPenaltySerializer(many=True))
    def list(self, request: Request, slug: str) -> Response:
        """Your penalties, the newest first, without the judges' notes."""
        return self.answer_page(OwnPenaltySerializer, own_penalties(self.actor, self.own_member()))

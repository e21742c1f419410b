"""Rounds: paired, published, withdrawn; their matches."""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.http.access import is_allowed
from rules_engine.errors import NotFound, needed, one_of_several
from tournaments.api.serializers.event_acts import ReasonSerializer
from tournaments.api.serializers.matches import MatchSerializer, TableReportsSerializer, TablesReportedSerializer
from tournaments.api.serializers.queries import AskedMatchesSerializer, AskedRoundsSerializer, given
from tournaments.api.serializers.rounds import (
    FairnessSerializer,
    PairSerializer,
    PublishSerializer,
    RecomputedSerializer,
    RoundSerializer,
)
from tournaments.api.views.matches import MatchAudience, result_in
from tournaments.core.rounds import matches_of, rounds_of, with_all
from tournaments.models import Match, PairingChange, Round
from tournaments.results.services.bulk_reports import TableResult, report_results
from tournaments.room.services.clocks import publish_and_start
from tournaments.rounds.selectors.fairness import fairness_of
from tournaments.rounds.selectors.recomputed import recompute_round
from tournaments.rounds.services import rounds as services


class RoundAudience(MatchAudience):
    """Which rounds the caller sees: unpublished ones only as an official."""

    @property
    def previews(self) -> bool:
        """Whether the caller sees what is not published."""
        return is_allowed("round.preview", self.actor, self.event)

    def visible_rounds(self) -> QuerySet[Round]:
        """The rounds that count, first to last; `is_changed` tells whether staff changed one by hand."""
        changes = PairingChange.objects.filter(round=OuterRef("pk"))
        rounds = rounds_of(self.event).select_related("stage__tournament").annotate(is_changed=Exists(changes))
        return rounds if self.previews else rounds.exclude(state=Round.State.PAIRED)

    def find_round(self) -> Round:
        """The round of the address; NotFound "unknown_round"."""
        round_ = self.visible_rounds().filter(number=self.kwargs["number"]).first()
        return needed(round_, NotFound("unknown_round", _("This event has no such round.")))


class RoundsViewSet(RoundAudience):
    """The rounds of an event."""

    resource = "rounds"
    access_rules: ClassVar = {"list": "event.see", "create": "round.pair", "fairness": "event.see"}
    queries: ClassVar = {"list": AskedRoundsSerializer}

    @extend_schema(responses=RoundSerializer(many=True))
    def list(self, request: Request, slug: str) -> Response:
        """The rounds so far."""
        wanted = given(self.query, "state", stage="stage__number")
        return self.answer_page(RoundSerializer, self.visible_rounds().filter(**wanted))

    @extend_schema(request=PairSerializer, responses={201: RoundSerializer})
    def create(self, request: Request, slug: str) -> Response:
        """Pair the next round and close those before; nobody sees it until it is published."""
        round_ = services.pair_next_round(self.actor, self.event, self.now, **self.read(PairSerializer))
        return self.answer(RoundSerializer, round_, 201)

    @extend_schema(responses=FairnessSerializer)
    def fairness(self, request: Request, slug: str) -> Response:
        """Byes, floats, first turns, seats, table sizes, rematches and club-mates met, by round and by player."""
        numbers = dict(self.event.entries.values_list("pk", "number"))
        return self.answer(FairnessSerializer, fairness_of(self.event), numbers=numbers)


class RoundViewSet(RoundAudience):
    """One round."""

    resource = "rounds"
    access_rules: ClassVar = {
        "retrieve": "event.see", "matches": "event.see", "publish": "round.pair", "withdraw": "round.pair",
        "recompute": "round.preview", "report": "desk",
    }  # fmt: skip
    queries: ClassVar = {"matches": AskedMatchesSerializer}
    pages: ClassVar = frozenset({"matches"})

    @extend_schema(responses=RoundSerializer)
    def retrieve(self, request: Request, slug: str, number: int) -> Response:
        """One round."""
        return self.answer(RoundSerializer, self.find_round())

    @extend_schema(responses=MatchSerializer(many=True))
    def matches(self, request: Request, slug: str, number: int) -> Response:
        """The pairings of a round by table, byes last."""
        asked, found = self.query, matches_of(self.find_round())
        for name, value in given(asked, "state", table="table_number").items():
            found = [match for match in found if getattr(match, name) == value]
        if asked["entry"]:
            found = [match for match in found if any(seat.entry.number == asked["entry"] for seat in match.seats.all())]
        return self.answer_page(MatchSerializer, found)

    @extend_schema(request=TableReportsSerializer, responses={201: TablesReportedSerializer})
    def report(self, request: Request, slug: str, number: int) -> Response:
        """Report several tables of an open round as staff, all or none: each result counts at once."""
        round_, reports = self.find_round(), self.read(TableReportsSerializer)["reports"]
        wanted = Q(pk__in=[each["match"] for each in reports if "match" in each])
        wanted |= Q(table_number__in=[each["table"] for each in reports if "table" in each])
        found = list(with_all(round_.matches.filter(wanted)))
        results = [_table_result(found, each) for each in reports]
        stored = report_results(self.actor, self.event, results, self.now)
        return self.answer(TablesReportedSerializer, {"reports": stored}, 201)

    @extend_schema(responses=RecomputedSerializer)
    def recompute(self, request: Request, slug: str, number: int) -> Response:
        """The round computed again from its stored input, and held against what stands; for officials."""
        return self.answer(RecomputedSerializer, recompute_round(self.find_round()))

    @extend_schema(request=PublishSerializer, responses=RoundSerializer)
    def publish(self, request: Request, slug: str, number: int) -> Response:
        """Show a paired round to everybody and open it for results, and start its clock at once if asked to."""
        publish = publish_and_start if self.read(PublishSerializer).get("start_clock") else services.publish_round
        return self.answer(RoundSerializer, publish(self.actor, self.find_round(), self.now))

    @extend_schema(request=ReasonSerializer, responses=RoundSerializer)
    def withdraw(self, request: Request, slug: str, number: int) -> Response:
        """Take a round back before results came in; its version is kept."""
        reason = self.read(ReasonSerializer)["reason"]
        return self.answer(RoundSerializer, services.withdraw_round(self.actor, self.find_round(), reason, self.now))


def _table_result(matches: Sequence[Match], report: Mapping[str, Any]) -> TableResult:
    """What one item of a list says of one of the matches; NotFound "unknown_match", DomainError "bad_score"."""
    key, attribute = ("match", "pk") if "match" in report else ("table", "table_number")
    with one_of_several(**{key: report[key]}):
        match = next((each for each in matches if getattr(each, attribute) == report[key]), None)
        if match is None:
            raise NotFound("unknown_match", _("This event has no such match."))
        return TableResult(match, result_in(match, report), report.get("version"))

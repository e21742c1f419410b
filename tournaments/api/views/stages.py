"""The structure of an event: its stages, the cut to the next one, brackets and crosstables."""

from typing import ClassVar

from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from rules_engine.errors import DomainError, NotFound
from tournaments.api.edge import EventViewSet
from tournaments.api.serializers.brackets import BracketSerializer, CrossTableSerializer
from tournaments.api.serializers.event_acts import ReasonSerializer
from tournaments.api.serializers.queries import AskedStageSerializer
from tournaments.api.serializers.stages import (
    BeginStageSerializer,
    NextStageSerializer,
    RecommendedStagesSerializer,
    SetStagesSerializer,
    StageSerializer,
    StagesSerializer,
    draft_from,
)
from tournaments.entries.selectors.entries import active_entries
from tournaments.models import Stage, Tournament
from tournaments.structure.recommended import recommended_stages
from tournaments.structure.selectors.cuts import preview_next_stage
from tournaments.structure.selectors.overview import BRACKETS, crosstable_of, shown_bracket, shown_stages
from tournaments.structure.selectors.stages import stages_of
from tournaments.structure.services.stages import begin_next_stage, set_stages, stages_mark, take_stage_back


class StagesViewSet(EventViewSet):
    """The stages of an event."""

    resource = "stages"
    access_rules: ClassVar = {
        "retrieve": "event.see", "recommended": "event.settings", "update": "event.settings", "take_back": "round.pair",
    }  # fmt: skip
    pagination_class = None

    @extend_schema(responses=StagesSerializer)
    def retrieve(self, request: Request, slug: str) -> Response:
        """All stages, first to last."""
        return self._answer(self.event)

    @extend_schema(responses=RecommendedStagesSerializer)
    def recommended(self, request: Request, slug: str) -> Response:
        """The structure that suits those who are entered now, to be stored with `PUT …/stages/`."""
        players = max(2, active_entries(self.event).count())
        return self.answer(RecommendedStagesSerializer, {"stages": recommended_stages(self.event, players)})

    @extend_schema(request=SetStagesSerializer, responses=StagesSerializer)
    def update(self, request: Request, slug: str) -> Response:
        """Set the stages; those that have begun stay as they are but for their number of rounds."""
        values = self.read(SetStagesSerializer)
        drafts = [draft_from(each, self.event, number) for number, each in enumerate(values["stages"], 1)]
        set_stages(self.actor, self.event, drafts, self.now, seen=values.get("seen"))
        return self._answer(Tournament.objects.get(pk=self.event.pk))

    @extend_schema(request=ReasonSerializer, responses=StageSerializer)
    def take_back(self, request: Request, slug: str) -> Response:
        """Take back the cut that began the current stage, while no round of it stands."""
        stage = take_stage_back(self.actor, self.event, self.read(ReasonSerializer)["reason"], self.now)
        return self.answer(StageSerializer, stage)

    def _answer(self, event: Tournament) -> Response:
        return self.answer(StagesSerializer, {"mark": stages_mark(event), "stages": stages_of(event)})


class NextStageViewSet(EventViewSet):
    """The stage that begins next."""

    resource = "next_stage"
    access_rules: ClassVar = {"retrieve": "round.pair", "begin": "round.pair"}
    pagination_class = None

    @extend_schema(responses=NextStageSerializer)
    def retrieve(self, request: Request, slug: str) -> Response:
        """Who would play on, by the standings of now."""
        try:
            return self.answer(NextStageSerializer, preview_next_stage(self.event))
        except DomainError as error:
            raise NotFound(error.code, error.message) from error

    @extend_schema(request=BeginStageSerializer, responses=StageSerializer)
    def begin(self, request: Request, slug: str) -> Response:
        """Begin it: its seeds are stored for good."""
        values = self.read(BeginStageSerializer)
        numbers = values.pop("chosen", [])
        chosen = dict(self.event.entries.filter(number__in=numbers).values_list("number", "pk"))
        picked = [chosen.get(number, 0) for number in numbers]
        stage = begin_next_stage(self.actor, self.event, self.now, chosen=picked, **values)
        return self.answer(StageSerializer, stage)


class BracketViewSet(EventViewSet):
    """The bracket of an elimination, and the crosstable of a round robin."""

    resource = "bracket"
    access_rules: ClassVar = {"retrieve": "event.see"}
    queries: ClassVar = {"retrieve": AskedStageSerializer}
    pagination_class = None

    @extend_schema(responses=BracketSerializer)
    def retrieve(self, request: Request, slug: str) -> Response:
        """Every match of the bracket with seats, state and winner, once its first round is published."""
        shown = shown_bracket(_wanted(self.query["stage"], shown_stages(self.actor, self.event, BRACKETS)))
        if shown is None:
            raise _nothing()
        return self.answer(BracketSerializer, shown)


class CrossTableViewSet(EventViewSet):
    """The crosstable of a round robin."""

    resource = "crosstable"
    access_rules: ClassVar = {"retrieve": "event.see"}
    queries: ClassVar = {"retrieve": AskedStageSerializer}
    pagination_class = None

    @extend_schema(responses=CrossTableSerializer)
    def retrieve(self, request: Request, slug: str) -> Response:
        """Everybody of the round robin with all matches, once its first round is published."""
        stage = _wanted(self.query["stage"], shown_stages(self.actor, self.event, [Stage.Kind.ROUND_ROBIN]))
        return self.answer(CrossTableSerializer, crosstable_of(stage))


def _wanted(number: int | None, stages: list[Stage]) -> Stage:
    """The stage asked for by number, else the last; NotFound "unknown_stage" without one."""
    found = [stage for stage in stages if number is None or stage.number == number]
    if not found:
        raise _nothing()
    return found[-1]


def _nothing() -> NotFound:
    return NotFound("unknown_stage", _("This stage doesn't exist or hasn't begun."))

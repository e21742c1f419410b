"""Stages, the cut to the next one, brackets and crosstables as JSON."""

from dataclasses import fields, replace
from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from journal.marks import MARK_LENGTH
from tournaments.api.serializers.room import warnings_field
from tournaments.models import Stage, Tournament
from tournaments.pairing.brackets.cut import Ranked
from tournaments.pairing.pods.contenders import LARGEST, SMALLEST, Remainder, TablePolicy
from tournaments.pairing.swiss.contenders import Apart
from tournaments.structure.selectors.cuts import NextCut
from tournaments.structure.selectors.stages import has_begun, rounds_planned
from tournaments.structure.services.stage_drafts import (
    BRACKETS,
    LONGEST_NAME,
    MAX_GAMES,
    MAX_POINTS,
    MAX_ROUNDS,
    MAX_STAGES,
    StageDraft,
    usual_cut,
)
from tournaments.timing import MAX_MINUTES

MAX_CHOSEN, MAX_NUMBER = 128, 10**9
APART = [each.value for each in Apart]


class TablePolicySerializer(serializers.Serializer[Any]):
    """How tables of several players are filled; sizes obey least <= preferred <= most."""

    preferred = serializers.IntegerField(min_value=SMALLEST, max_value=LARGEST, default=4)
    least = serializers.IntegerField(min_value=SMALLEST, max_value=LARGEST, default=3)
    most = serializers.IntegerField(min_value=SMALLEST, max_value=LARGEST, default=5)
    remainder = serializers.ChoiceField([each.value for each in Remainder], default=Remainder.SMALLER.value)
    balance = serializers.BooleanField(default=True)
    clubs = serializers.ChoiceField(APART, default=Apart.IGNORE.value)
    teams = serializers.ChoiceField(APART, default=Apart.IGNORE.value)
    primary_targets = serializers.BooleanField(default=False)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Sizes in order."""
        try:
            TablePolicy.from_dict(attrs)
        except ValueError as error:
            raise serializers.ValidationError(str(error)) from error
        return attrs


class StageDraftSerializer(serializers.Serializer[Any]):
    """One stage. What a kind does not have stays as it is; `best_of` null: as the event."""

    kind = serializers.ChoiceField(Stage.Kind.choices)
    name = serializers.CharField(max_length=LONGEST_NAME, allow_blank=True, default="")
    planned_rounds = serializers.IntegerField(min_value=1, max_value=MAX_ROUNDS, allow_null=True, default=None)
    qualify = serializers.ChoiceField(Stage.Qualify.choices, default=Stage.Qualify.EVERYBODY.value)
    qualify_value = serializers.IntegerField(min_value=0, max_value=MAX_POINTS, allow_null=True, default=None)
    replaces_dropped = serializers.BooleanField(default=True)
    carries_points = serializers.BooleanField(default=False)
    best_of = serializers.IntegerField(min_value=1, max_value=MAX_GAMES, allow_null=True, default=None)
    third_place = serializers.BooleanField(default=False)
    bracket_reset = serializers.BooleanField(default=True)
    return_leg = serializers.BooleanField(default=False)
    tables = TablePolicySerializer(required=False)
    round_minutes = serializers.IntegerField(
        min_value=0,
        max_value=MAX_MINUTES,
        allow_null=True,
        required=False,
        help_text="null: as the event; 0: no clock. Left out of an elimination after a cut: as the way to play says.",
    )
    clock_warnings = warnings_field(required=False, default=None, help_text="Minutes left; null: as the event.")
    sheet_options = serializers.DictField(required=False, help_text="Options of the score sheets unlike the event's.")


class StageSerializer(StageDraftSerializer):
    """A stage as it stands; `rounds` are those planned, null while its field is not known."""

    number = serializers.IntegerField()
    planned_rounds = serializers.SerializerMethodField()  # type: ignore[assignment]
    tables = TablePolicySerializer(source="table_policy", read_only=True)
    has_begun = serializers.SerializerMethodField()
    rounds = serializers.SerializerMethodField()

    def get_planned_rounds(self, stage: Stage) -> int | None:
        """What the organiser chose; of the first stage it stands with the event."""
        return stage.tournament.swiss_rounds if stage.number == 1 else stage.planned_rounds

    def get_has_begun(self, stage: Stage) -> bool:
        """Whether it is played or over."""
        return has_begun(stage)

    def get_rounds(self, stage: Stage) -> int | None:
        """How many rounds it has."""
        return rounds_planned(stage)


class StagesSerializer(serializers.Serializer[Any]):
    """All stages, first to last; send `mark` back as `seen` when you change them."""

    mark = serializers.CharField()
    stages = StageSerializer(many=True)


class SetStagesSerializer(serializers.Serializer[Any]):
    """The new list of stages; `seen` is the mark of the list you looked at."""

    stages = serializers.ListField(child=StageDraftSerializer(), min_length=1, max_length=MAX_STAGES)
    seen = serializers.CharField(max_length=MARK_LENGTH, required=False)


class RecommendedStageSerializer(StageDraftSerializer):
    """A stage as it is recommended."""

    tables = TablePolicySerializer(read_only=True)


class RecommendedStagesSerializer(serializers.Serializer[Any]):
    """Stages, first to last."""

    stages = RecommendedStageSerializer(many=True)


def draft_from(values: dict[str, Any], event: Tournament, number: int) -> StageDraft:
    """Stage `number` of an event from its checked values; what an elimination after a cut lacks is as usual."""
    given = {item.name: values[item.name] for item in fields(StageDraft) if item.name in values}
    usual = usual_cut(event) if number > 1 and values["kind"] in BRACKETS else StageDraft()
    return replace(usual, **given | {"tables": TablePolicy.from_dict(values.get("tables", {}))})


class CutLineSerializer(serializers.Serializer[Ranked]):
    """A person in or near the cut; `seed` null below it."""

    seed = serializers.SerializerMethodField()
    entry = serializers.SerializerMethodField()
    name = serializers.SerializerMethodField()
    rank = serializers.IntegerField()
    points = serializers.IntegerField()
    left = serializers.BooleanField(source="dropped")

    def get_seed(self, line: Ranked) -> int | None:
        """The place in the next stage, 1 the best."""
        seeds = self.context["cut"].cut.seeds
        return seeds.index(line.entrant) + 1 if line.entrant in seeds else None

    def get_entry(self, line: Ranked) -> int:
        """The number of the entry."""
        number: int = self.context["cut"].entries[line.entrant].number
        return number

    def get_name(self, line: Ranked) -> str:
        """Its name."""
        name: str = self.context["cut"].entries[line.entrant].name
        return name


class TieSerializer(serializers.Serializer[Any]):
    """A shared rank that the cut runs through: entries that the lot put in, and out."""

    rank = serializers.IntegerField()
    inside = serializers.ListField(child=serializers.IntegerField())
    outside = serializers.ListField(child=serializers.IntegerField())


class NextStageSerializer(serializers.Serializer[NextCut]):
    """The stage that would begin and who plays in it, everybody ranked; send `mark` back as `seen` to begin it."""

    stage = StageSerializer()
    mark = serializers.CharField()
    players = serializers.IntegerField()
    seeds = serializers.SerializerMethodField()
    lines = serializers.SerializerMethodField()
    tie = serializers.SerializerMethodField()

    def get_seeds(self, found: NextCut) -> list[int | None]:
        """Numbers of entries by seed; null is a place left empty, a bye."""
        return [None if seed is None else found.entries[seed].number for seed in found.cut.seeds]

    @extend_schema_field(CutLineSerializer(many=True))
    def get_lines(self, found: NextCut) -> Any:
        """Those in the cut, and as many below it."""
        lines = list(found.lines[: 2 * len(found.cut.seeds)])
        return CutLineSerializer(lines, many=True, context={"cut": found}).data  # type: ignore[arg-type]

    @extend_schema_field(TieSerializer(allow_null=True))
    def get_tie(self, found: NextCut) -> Any:
        """The tie at the line."""
        tie = found.cut.tie
        if tie is None:
            return None
        numbered = {name: [found.entries[pk].number for pk in getattr(tie, name)] for name in ("inside", "outside")}
        return {"rank": tie.rank, **numbered}


class BeginStageSerializer(serializers.Serializer[Any]):
    """The POST that begins it; `chosen` are entries that play on among those tied at the line, with a reason."""

    seen = serializers.CharField(max_length=MARK_LENGTH, required=False)
    chosen = serializers.ListField(
        child=serializers.IntegerField(min_value=1, max_value=MAX_NUMBER), max_length=MAX_CHOSEN, required=False
    )
    reason = serializers.CharField(max_length=500, required=False, allow_blank=True)

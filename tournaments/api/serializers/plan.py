"""A planned structure and what it comes to, at once or by a longer simulation, as JSON."""

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from tournaments.forecast.plan_runs import CHUNKS, PlanRunState
from tournaments.forecast.planning import MAX_PLAYERS, MAX_ROUNDS
from tournaments.forecast.plans import PlanLine, line_of


class AskedPlanSerializer(serializers.Serializer[Any]):
    """The plan; what is left out is as recommended for the event's entries."""

    players = serializers.IntegerField(min_value=4, max_value=MAX_PLAYERS, required=False)
    rounds = serializers.IntegerField(min_value=1, max_value=MAX_ROUNDS, required=False)
    cut = serializers.IntegerField(min_value=0, max_value=128, required=False, help_text="How many play on; 0: none.")
    draws = serializers.IntegerField(min_value=0, max_value=100, required=False, help_text="Drawn matches per cent.")
    minutes = serializers.IntegerField(min_value=0, max_value=600, required=False, help_text="Of a round; 0: no clock.")
    seed = serializers.IntegerField(min_value=0, max_value=2**32 - 1, required=False, default=1)


class CountSerializer(serializers.Serializer[Any]):
    """An average, and the range of four runs in five."""

    mean = serializers.FloatField()
    low = serializers.IntegerField()
    high = serializers.IntegerField()


class RecordShareSerializer(serializers.Serializer[Any]):
    """How likely players with so many losses and draws make the cut, right to the error 19 times in 20."""

    losses = serializers.IntegerField()
    draws = serializers.IntegerField()
    share = serializers.FloatField()
    error = serializers.FloatField()


class RangeSerializer(serializers.Serializer[Any]):
    """An uncertain time: between `low` and `high` four times in five."""

    low = serializers.DateTimeField()
    median = serializers.DateTimeField()
    high = serializers.DateTimeField()


class PlannedEventSerializer(serializers.Serializer[PlanLine]):
    """What a plan comes to. `is_recommended`: it is the structure recommended for so many players."""

    players = serializers.IntegerField(source="plan.players")
    rounds = serializers.IntegerField(source="plan.rounds")
    cut = serializers.IntegerField(source="plan.cut")
    runs = serializers.IntegerField(source="outcome.runs")
    without_loss = CountSerializer(source="outcome.without_loss")
    makes_cut = serializers.SerializerMethodField()
    end = RangeSerializer()
    is_recommended = serializers.BooleanField()

    @extend_schema_field(RecordShareSerializer(many=True))
    def get_makes_cut(self, line: PlanLine) -> list[dict[str, Any]]:
        """The watched records that any run showed."""
        found = line.outcome.makes_cut.items()
        return [
            {"losses": record.losses, "draws": record.draws, "share": share.value, "error": share.error}
            for record, share in found
        ]


class PlanRunSerializer(serializers.Serializer[PlanRunState]):
    """A longer simulation: how far it is, and what its chunks found of the plan and those beside it."""

    id = serializers.UUIDField(source="run.id")
    asked_at = serializers.DateTimeField(source="run.asked_at")
    state = serializers.ChoiceField(["waiting", "running", "done", "stopped", "failed"])
    chunks = serializers.SerializerMethodField()
    done = serializers.IntegerField()
    plans = serializers.SerializerMethodField()

    def get_chunks(self, state: PlanRunState) -> int:
        """How many chunks it has."""
        return CHUNKS

    @extend_schema_field(PlannedEventSerializer(many=True))
    def get_plans(self, state: PlanRunState) -> Any:
        """What was found so far; none before the first chunk."""
        pace = self.context["pace"]
        lines = [line_of(pace, found, state.run.minutes, state.run.seed) for found in state.outcomes]
        return [PlannedEventSerializer(line).data for line in lines]

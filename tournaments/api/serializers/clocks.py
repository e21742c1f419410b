"""The clock of a round, and what officials do with it, as JSON."""

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from tournaments.models import RoundClock
from tournaments.room.selectors.clocks import Clock
from tournaments.room.services.clocks import MAX_EXTRA, MAX_SECONDS
from tournaments.timing import MAX_MINUTES, MOST_WARNINGS, ClockState, Timing


def warnings_field(**options: Any) -> serializers.ListField:
    """The minutes left at which a clock warns."""
    minutes = serializers.IntegerField(min_value=1, max_value=MAX_MINUTES)
    return serializers.ListField(child=minutes, max_length=MOST_WARNINGS, allow_null=True, **options)


class PhaseSerializer(serializers.Serializer[Any]):
    """One phase: `ends_at` is null while it stands or has not begun, `left_seconds` are below 0 over time."""

    phase = serializers.ChoiceField(RoundClock.Phase.choices)
    state = serializers.ChoiceField([each.value for each in ClockState])
    length_seconds = serializers.IntegerField()
    started_at = serializers.DateTimeField(allow_null=True)
    ends_at = serializers.DateTimeField(allow_null=True)
    left_seconds = serializers.FloatField()


class ClockSerializer(serializers.Serializer[Clock]):
    """The clock of the round being played, at the server's time `now`; the phase it is in, and all of them in order."""

    now = serializers.DateTimeField()
    round = serializers.IntegerField(source="round.number")
    phase = serializers.ChoiceField(RoundClock.Phase.choices)
    phases = serializers.SerializerMethodField()

    @extend_schema_field(PhaseSerializer(many=True))
    def get_phases(self, clock: Clock) -> Any:
        """Each phase as it stands."""
        return PhaseSerializer([_phase(key, timing, clock) for key, timing in clock.phases], many=True).data


def _phase(key: str, timing: Timing, clock: Clock) -> dict[str, object]:
    return {
        "phase": key,
        "state": timing.state(clock.now).value,
        "length_seconds": timing.length,
        "started_at": timing.started_at,
        "ends_at": timing.ends_at(),
        "left_seconds": round(timing.left(clock.now), 3),
    }


class ShownClockSerializer(serializers.Serializer[Any]):
    """The server's time, and the clock; null between rounds and in events without one."""

    now = serializers.DateTimeField()
    clock = ClockSerializer(allow_null=True)


class PhaseActSerializer(serializers.Serializer[Any]):
    """The phase that is meant."""

    phase = serializers.ChoiceField(RoundClock.Phase.choices)


class ChangeClockSerializer(PhaseActSerializer):
    """Seconds more, or with a `reason` less; `seen` is the length that was shown, so that two changes do not add up."""

    seconds = serializers.IntegerField(min_value=-MAX_SECONDS, max_value=MAX_SECONDS)
    reason = serializers.CharField(required=False, max_length=500)
    seen = serializers.IntegerField(required=False, min_value=0)


class ExtraTimeSerializer(serializers.Serializer[Any]):
    """Seconds for one table, below 0 to take some back, and why; `seen` are the extra seconds it had."""

    seconds = serializers.IntegerField(min_value=-MAX_EXTRA, max_value=MAX_EXTRA)
    reason = serializers.CharField(max_length=500)
    seen = serializers.IntegerField(required=False, min_value=0)


class ExtraGivenSerializer(serializers.Serializer[Any]):
    """The extra seconds of a table in all."""

    extra_seconds = serializers.IntegerField()

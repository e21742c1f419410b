"""The room as JSON: announcements, calls for a judge, the clock of a round, and who is not seen."""

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from tournaments.models import Announcement, JudgeCall, RoundClock
from tournaments.room.selectors.clocks import Clock
from tournaments.room.services.clocks import MAX_EXTRA, MAX_SECONDS
from tournaments.rounds.selectors.not_seen import NotSeen
from tournaments.timing import MAX_MINUTES, MOST_WARNINGS, ClockState, Timing


class AnnouncementSerializer(serializers.Serializer[Announcement]):
    """An announcement that stands, or was withdrawn."""

    id = serializers.IntegerField()
    text = serializers.CharField()
    is_urgent = serializers.BooleanField()
    posted_at = serializers.DateTimeField()
    withdrawn_at = serializers.DateTimeField(allow_null=True)


class NewAnnouncementSerializer(serializers.Serializer[Any]):
    """What to tell the room."""

    text = serializers.CharField(max_length=300)
    is_urgent = serializers.BooleanField(default=False)


class TableCallSerializer(serializers.Serializer[JudgeCall]):
    """A call as those at its table see it."""

    id = serializers.IntegerField()
    match = serializers.IntegerField(source="match_id")
    table = serializers.IntegerField(source="match.table_number")
    kind = serializers.ChoiceField(JudgeCall.Kind.choices)
    state = serializers.ChoiceField(JudgeCall.State.choices)
    called_at = serializers.DateTimeField()


class CallSerializer(TableCallSerializer):
    """The same as judges read it; `entry` is the number of who called, null where staff or the table's code did."""

    entry = serializers.IntegerField(source="member.entry.number", allow_null=True, default=None)
    note = serializers.CharField()
    judge = serializers.CharField(source="judge.username", allow_null=True, default=None)
    claimed_at = serializers.DateTimeField(allow_null=True)
    escalated_at = serializers.DateTimeField(allow_null=True)
    ended_at = serializers.DateTimeField(allow_null=True)
    outcome = serializers.CharField()


class NewCallSerializer(serializers.Serializer[Any]):
    """What a judge is called for."""

    kind = serializers.ChoiceField(JudgeCall.Kind.choices, default=JudgeCall.Kind.RULES)
    note = serializers.CharField(max_length=300, required=False, allow_blank=True, default="")


class OutcomeSerializer(serializers.Serializer[Any]):
    """How a call ended, and the seconds of extra time that its table gets for what it took."""

    outcome = serializers.CharField(max_length=500)
    extra_seconds = serializers.IntegerField(min_value=0, max_value=3600, required=False, default=0)


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


class NotSeenSerializer(serializers.Serializer[NotSeen]):
    """A player and the last round in which something showed them here; 0: none."""

    entry = serializers.IntegerField(source="entry.number")
    name = serializers.CharField(source="entry.name")
    since = serializers.IntegerField()


class NoShowSerializer(serializers.Serializer[Any]):
    """A table that waits. `due`: the penalty that the rule proposes by now, "" for none; `absent`: the numbers of
    entries that may be missing and have not had it.
    """

    match = serializers.IntegerField(source="match.pk")
    table = serializers.IntegerField(source="match.table_number", allow_null=True)
    minutes = serializers.IntegerField(source="state.minutes")
    game_minutes = serializers.IntegerField(source="state.game_minutes", allow_null=True)
    match_minutes = serializers.IntegerField(source="state.match_minutes", allow_null=True)
    due = serializers.ChoiceField(["", "game_loss", "match_loss"], source="state.due", allow_blank=True)
    absent = serializers.ListField(child=serializers.IntegerField())

"""Calls for a judge as JSON: for those at the table, and with who called, why and how it ended for judges."""

from typing import Any

from rest_framework import serializers

from tournaments.models import JudgeCall


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

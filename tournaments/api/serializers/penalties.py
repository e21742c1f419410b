"""Penalties as JSON: for officials with notes, for the player without."""

from typing import Any

from rest_framework import serializers

from tournaments.models import Penalty


class OwnPenaltySerializer(serializers.Serializer[Penalty]):
    """A penalty as its player reads it; `changed_result` says that the result of its match follows it."""

    id = serializers.IntegerField()
    kind = serializers.ChoiceField(Penalty.Kind.choices)
    infraction = serializers.CharField()
    round = serializers.IntegerField(source="round.number", allow_null=True, default=None)
    match = serializers.IntegerField(source="match_id", allow_null=True)
    changed_result = serializers.SerializerMethodField()
    given_at = serializers.DateTimeField()
    taken_back_at = serializers.DateTimeField(allow_null=True)

    def get_changed_result(self, penalty: Penalty) -> bool:
        """Whether a report was made by it."""
        return penalty.report_id is not None


class PenaltySerializer(OwnPenaltySerializer):
    """The same as officials read it; `entry` is a number."""

    entry = serializers.IntegerField(source="entry.number")
    notes = serializers.CharField()
    given_by = serializers.CharField(source="actor_label")
    taken_back_reason = serializers.CharField()


class NewPenaltySerializer(serializers.Serializer[Any]):
    """A penalty to give; `match` is the one it is for, `version` that match's as you saw it."""

    entry = serializers.IntegerField(min_value=1, max_value=2**31 - 1)
    kind = serializers.ChoiceField(Penalty.Kind.choices)
    infraction = serializers.CharField(max_length=120)
    notes = serializers.CharField(max_length=1000, required=False, allow_blank=True)
    match = serializers.IntegerField(min_value=1, max_value=2**63 - 1, required=False, allow_null=True)
    version = serializers.IntegerField(min_value=0, max_value=2**31 - 1, required=False)

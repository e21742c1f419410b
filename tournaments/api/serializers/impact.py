"""The impact of a correction or a drop as JSON: what would move, nothing stored."""

from typing import Any

from rest_framework import serializers

from tournaments.api.serializers.manual_pairing import BillSerializer, SeatingSerializer


class MovedKeySerializer(serializers.Serializer[Any]):
    """A tiebreaker whose value changes, exact as a fraction of whole numbers (“7/9”)."""

    key = serializers.CharField()
    before = serializers.CharField()
    after = serializers.CharField()


class MovedLineSerializer(serializers.Serializer[Any]):
    """A line of the standings that changes; `entry` is the entry's number, a rank is null for whoever has none."""

    entry = serializers.IntegerField()
    rank_before = serializers.IntegerField(allow_null=True)
    rank_after = serializers.IntegerField(allow_null=True)
    keys = MovedKeySerializer(many=True)


class MovedSeedSerializer(serializers.Serializer[Any]):
    """An entry, by number, whose seed changes, from 1; null: it is not in."""

    entry = serializers.IntegerField()
    before = serializers.IntegerField(allow_null=True)
    after = serializers.IntegerField(allow_null=True)


class MovedCutSerializer(serializers.Serializer[Any]):
    """The cut to a stage (its number) that would be another one; once it has `begun` nothing moves in it."""

    stage = serializers.IntegerField()
    begun = serializers.BooleanField()
    seeds = MovedSeedSerializer(many=True)


class MovedBoutSerializer(serializers.Serializer[Any]):
    """A paired match of the bracket (its id there) and who plays it, by number of entry: nobody, until it is known."""

    match = serializers.CharField()
    before = serializers.ListField(child=serializers.IntegerField())
    after = serializers.ListField(child=serializers.IntegerField())


class MovedTablesSerializer(serializers.Serializer[Any]):
    """The newest round: what its tables cost now, afterwards, and once those `gone` gave way to those that `come`.

    The change `mend` of the round's draft stores that.
    """

    round = serializers.IntegerField()
    published = serializers.BooleanField()
    cost_before = BillSerializer()
    cost_after = BillSerializer()
    cost_mended = BillSerializer()
    gone = SeatingSerializer(many=True)
    come = SeatingSerializer(many=True)


class ImpactSerializer(serializers.Serializer[Any]):
    """What would move. `rounds` were paired on what changes. `tables` is null where the newest round stays as good.

    `tables` is for organisers and judges alone. Two looks with the same `mark` were computed from the same state.
    """

    mark = serializers.CharField()
    lines = MovedLineSerializer(many=True)
    cuts = MovedCutSerializer(many=True)
    rounds = serializers.ListField(child=serializers.IntegerField())
    tables = MovedTablesSerializer(allow_null=True)
    bouts = MovedBoutSerializer(many=True)

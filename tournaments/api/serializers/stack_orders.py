"""The order in which a player stacks the own deck, as JSON."""

from typing import Any

from rest_framework import serializers

MOST_CARDS = 500
LONGEST_NAME = 200


class StackPlanSerializer(serializers.Serializer[Any]):
    """The cards from the top, for `game` of `match`, null before a round; `saved_at` null: not saved for that game."""

    match = serializers.IntegerField(source="match.pk", default=None, allow_null=True)
    game = serializers.IntegerField()
    cards = serializers.ListField(child=serializers.CharField())
    saved_at = serializers.DateTimeField(source="saved.saved_at", default=None, allow_null=True)


class NewStackOrderSerializer(serializers.Serializer[Any]):
    """Every card by name, the top of the deck first."""

    cards = serializers.ListField(
        child=serializers.CharField(max_length=LONGEST_NAME), min_length=1, max_length=MOST_CARDS
    )

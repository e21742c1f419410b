"""Games as JSON: their formats, and the ways to play that an event chooses from."""

from typing import Any

from rest_framework import serializers

from decks.api.serializers.decks import MessageField
from rules_engine.game import GameFormat, GameSystem
from rules_engine.ways import Way, WayTables


class VariantSerializer(serializers.Serializer[Any]):
    """A variant of a format."""

    slug = serializers.CharField()
    name = MessageField()


class FormatSerializer(serializers.Serializer[GameFormat]):
    """A format; without `checks_decks` no deck is registered for it."""

    slug = serializers.CharField()
    name = MessageField()
    checks_decks = serializers.BooleanField()
    variants = VariantSerializer(many=True)


class WayTablesSerializer(serializers.Serializer[WayTables]):
    """How many sit at a table."""

    preferred = serializers.IntegerField()
    least = serializers.IntegerField()
    most = serializers.IntegerField()
    primary_targets = serializers.BooleanField()


class WaySerializer(serializers.Serializer[Way]):
    """A way to play: what an event is given where its organiser says nothing else.

    `tables` null: two meet. `score_sheets` null: where several sit at a table. `round_minutes` null: as the rules say.
    """

    slug = serializers.CharField()
    name = MessageField()
    note = MessageField()
    format = serializers.CharField()
    variant = serializers.CharField()
    best_of = serializers.IntegerField()
    exact_games = serializers.BooleanField()
    deciding_game = serializers.CharField()
    tables = WayTablesSerializer(allow_null=True)
    score_sheets = serializers.BooleanField(allow_null=True)
    sheet_options = serializers.DictField()
    round_minutes = serializers.IntegerField(allow_null=True)


class GameSystemSerializer(serializers.Serializer[GameSystem]):
    """A game that events are played in."""

    slug = serializers.CharField()
    name = MessageField()
    formats = FormatSerializer(many=True)
    ways = WaySerializer(many=True)

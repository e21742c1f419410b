"""Cards, and what is asked about them, as JSON."""

from typing import Any

from rest_framework import serializers

from decks.models import MAX_SLUG_LENGTH
from rules_engine.cards import MAX_NAME_LENGTH, CardFacts
from rules_engine.errors import NotFound
from rules_engine.systems import get_system


class CardQuerySerializer(serializers.Serializer[Any]):
    """Which cards are wanted: `q` is a part of the name in any spelling, `type` as printed, `set` a set's slug."""

    game = serializers.CharField(max_length=MAX_SLUG_LENGTH)
    q = serializers.CharField(max_length=MAX_NAME_LENGTH, required=False, default="", allow_blank=True)
    type = serializers.CharField(max_length=MAX_SLUG_LENGTH, required=False, default="", allow_blank=True)
    set = serializers.CharField(max_length=MAX_SLUG_LENGTH, required=False, default="", allow_blank=True)

    def validate_game(self, game: str) -> str:
        """The slug of a game that is offered here."""
        try:
            return get_system(game).slug
        except NotFound as error:
            raise serializers.ValidationError(error.message) from error


class CardSerializer(serializers.Serializer[CardFacts]):
    """A card: `facts` holds what its type has, texts and whole numbers by column of the game's card file."""

    name = serializers.CharField()
    type = serializers.CharField()
    set = serializers.CharField(source="set_slug")
    facts = serializers.DictField(source="fields")

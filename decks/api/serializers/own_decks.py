"""Own decks, their versions and exports as JSON."""

from dataclasses import dataclass
from typing import Any

from rest_framework import serializers

from decks.api.serializers.decks import CardLineSerializer, ChangeSerializer, VerdictSerializer
from decks.formats.limits import MAX_BYTES
from decks.formats.registry import EXPORTS
from decks.models import MAX_SLUG_LENGTH, Deck, DeckVersion
from rules_engine.cards import MAX_NAME_LENGTH
from rules_engine.repair import Verdict

EXPORT_KEYS = [each.key for each in EXPORTS]


@dataclass(frozen=True, slots=True)
class OwnDeck:
    """A deck with its newest version, if it has one, and today's verdict on it."""

    deck: Deck
    version: DeckVersion | None
    verdict: Verdict | None


class NewDeckSerializer(serializers.Serializer[Any]):
    """A new deck; without a text it begins empty."""

    game = serializers.CharField(max_length=MAX_SLUG_LENGTH)
    game_format = serializers.CharField(max_length=MAX_SLUG_LENGTH)
    name = serializers.CharField(max_length=MAX_NAME_LENGTH, required=False, allow_blank=True)
    text = serializers.CharField(max_length=MAX_BYTES, required=False, trim_whitespace=False)


class DeckChangesSerializer(serializers.Serializer[Any]):
    """Another name, another list, or both."""

    name = serializers.CharField(max_length=MAX_NAME_LENGTH, required=False)
    text = serializers.CharField(max_length=MAX_BYTES, required=False, trim_whitespace=False)


class DeckLineSerializer(serializers.Serializer[Any]):
    """An own deck in the list; `legal` is today's verdict, null where there is nothing to check."""

    id = serializers.CharField(source="deck.public_id")
    game = serializers.CharField(source="deck.game")
    game_format = serializers.CharField(source="deck.format")
    name = serializers.CharField(source="deck.name")
    version = serializers.IntegerField(source="version.number", default=None, allow_null=True)
    saved_at = serializers.DateTimeField(source="version.created_at", default=None, allow_null=True)
    legal = serializers.BooleanField(source="report.legal", default=None, allow_null=True)


class OwnDeckSerializer(serializers.Serializer[OwnDeck]):
    """An own deck: its newest version, and what is said of it today; all null while the deck is empty."""

    id = serializers.CharField(source="deck.public_id")
    game = serializers.CharField(source="deck.game")
    game_format = serializers.CharField(source="deck.format")
    name = serializers.CharField(source="deck.name")
    version = serializers.IntegerField(source="version.number", default=None, allow_null=True)
    saved_at = serializers.DateTimeField(source="version.created_at", default=None, allow_null=True)
    text = serializers.CharField(source="version.source_text", default=None, allow_null=True)
    cards = CardLineSerializer(source="version.decklist.entries", many=True, default=None, allow_null=True)
    verdict = VerdictSerializer(source="verdict.report", default=None, allow_null=True)
    repair = ChangeSerializer(source="verdict.repair", many=True, default=None, allow_null=True)


class DifferenceSerializer(serializers.Serializer[Any]):
    """A card of which a version holds another number of copies in a section than the one before."""

    section = serializers.CharField()
    name = serializers.CharField()
    before = serializers.IntegerField()
    after = serializers.IntegerField()


class VersionSerializer(serializers.Serializer[Any]):
    """A version of a deck and what it changed; `frozen_at` says since when an event relies on it."""

    version = serializers.IntegerField(source="version.number")
    saved_at = serializers.DateTimeField(source="version.created_at")
    frozen_at = serializers.DateTimeField(source="version.frozen_at", allow_null=True)
    cards = CardLineSerializer(source="version.decklist.entries", many=True)
    changes = DifferenceSerializer(many=True)


class ExportSerializer(serializers.Serializer[Any]):
    """A version of a deck written in one format."""

    format = serializers.ChoiceField(EXPORT_KEYS)
    media_type = serializers.CharField()
    extension = serializers.CharField()
    text = serializers.CharField()

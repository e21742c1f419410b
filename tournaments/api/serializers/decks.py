"""Registered decks as JSON: for their owner, and for a judge on record."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from rest_framework import serializers

from decks.formats.text import MAX_BYTES
from decks.models import DeckVersion
from decks.serializers import CardLineSerializer, ChangeSerializer, VerdictSerializer
from rules_engine.cards import MAX_NAME_LENGTH
from rules_engine.repair import Verdict


@dataclass(frozen=True, slots=True)
class ShownDeck:
    """A deck version with the newest verdict on it."""

    version: DeckVersion
    verdict: Verdict | None
    registered_at: datetime | None


class RegisterDeckSerializer(serializers.Serializer[Any]):
    """A pasted decklist."""

    name = serializers.CharField(max_length=MAX_NAME_LENGTH, required=False, allow_blank=True)
    text = serializers.CharField(max_length=MAX_BYTES, trim_whitespace=False)


class ReplaceDeckSerializer(RegisterDeckSerializer):
    """A decklist that a judge registers for a player, and why."""

    reason = serializers.CharField(max_length=500)


class ReadDeckSerializer(serializers.Serializer[Any]):
    """Why a judge who plays too reads another player's deck."""

    reason = serializers.CharField(max_length=500, required=False, allow_blank=True)


class DeckSerializer(serializers.Serializer[ShownDeck]):
    """A registered deck: its name and version, its cards, the newest verdict."""

    name = serializers.CharField(source="version.deck.name")
    version = serializers.IntegerField(source="version.number")
    registered_at = serializers.DateTimeField(allow_null=True)
    cards = CardLineSerializer(source="version.decklist.entries", many=True)
    text = serializers.CharField(source="version.source_text")
    verdict = VerdictSerializer(source="verdict.report", allow_null=True)
    repair = ChangeSerializer(source="verdict.repair", many=True, allow_null=True)

"""What programs say when they take an event further: how to start, why to finish early, where it goes on."""

from typing import Any

from rest_framework import serializers


class StartSerializer(serializers.Serializer[Any]):
    """How to start; `without_decks` starts although required decks are missing."""

    without_decks = serializers.BooleanField(required=False)


class FinishSerializer(serializers.Serializer[Any]):
    """Why an event finishes although its stages are not played to the end; nothing is needed where they are."""

    reason = serializers.CharField(max_length=500, required=False)


class MoveSerializer(serializers.Serializer[Any]):
    """Where an event goes on: in words, and at which address if it has one."""

    to = serializers.CharField(max_length=160)
    url = serializers.CharField(max_length=300, required=False, allow_blank=True)


class ReasonSerializer(serializers.Serializer[Any]):
    """A reason; it is kept in the log."""

    reason = serializers.CharField(max_length=500)

"""Entries as JSON: names and states, never a deck, never contact data."""

from typing import Any

from rest_framework import serializers

from tournaments.models import Entry
from tournaments.services.entries import MOST_AT_ONCE


class EntrySerializer(serializers.Serializer[Entry]):
    """An entry; its `number` is its address within the event and keeps two people of one name apart."""

    number = serializers.IntegerField()
    name = serializers.CharField()
    club = serializers.CharField()
    state = serializers.ChoiceField(Entry.State.choices)
    registered_at = serializers.DateTimeField()
    checked_in_at = serializers.DateTimeField(allow_null=True)
    entered_round = serializers.IntegerField()
    dropped_after = serializers.IntegerField(allow_null=True)


class WalkInSerializer(serializers.Serializer[Any]):
    """One person to enter."""

    name = serializers.CharField(max_length=120)
    club = serializers.CharField(max_length=80, required=False, allow_blank=True)
    email = serializers.EmailField(max_length=254, required=False, allow_blank=True)


class WalkInsSerializer(serializers.Serializer[Any]):
    """People to enter, in this order."""

    entries = WalkInSerializer(many=True, min_length=1, max_length=MOST_AT_ONCE)  # type: ignore[call-arg]


class EnteredSerializer(serializers.Serializer[Any]):
    """The entries made, in the order given."""

    entries = EntrySerializer(many=True)


class SignUpSerializer(serializers.Serializer[Any]):
    """What somebody who signs up says of himself."""

    club = serializers.CharField(max_length=80, required=False, allow_blank=True)


class PersonalLinkSerializer(serializers.Serializer[Any]):
    """The path of a personal link; shown once."""

    path = serializers.CharField()

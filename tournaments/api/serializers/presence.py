"""Players not seen and tables that wait, as JSON."""

from typing import Any

from rest_framework import serializers

from tournaments.rounds.selectors.not_seen import NotSeen


class NotSeenSerializer(serializers.Serializer[NotSeen]):
    """A player and the last round in which something showed them here; 0: none."""

    entry = serializers.IntegerField(source="entry.number")
    name = serializers.CharField(source="entry.name")
    since = serializers.IntegerField()


class NoShowSerializer(serializers.Serializer[Any]):
    """A table that waits. `due`: the penalty that the rule proposes by now, "" for none; `absent`: the numbers of
    entries that may be missing and have not had it.
    """

    match = serializers.IntegerField(source="match.pk")
    table = serializers.IntegerField(source="match.table_number", allow_null=True)
    minutes = serializers.IntegerField(source="state.minutes")
    game_minutes = serializers.IntegerField(source="state.game_minutes", allow_null=True)
    match_minutes = serializers.IntegerField(source="state.match_minutes", allow_null=True)
    due = serializers.ChoiceField(["", "game_loss", "match_loss"], source="state.due", allow_blank=True)
    absent = serializers.ListField(child=serializers.IntegerField())

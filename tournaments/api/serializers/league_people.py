"""Who runs a league and who is who in it, as JSON."""

from typing import Any

from rest_framework import serializers

from accounts.models import User
from tournaments.leagues.selectors import Appearance, LeagueLine, PlayedEvent

MAX_ID = 2**63 - 1


class LeagueOrganiserSerializer(serializers.Serializer[User]):
    """An account that runs the league."""

    username = serializers.CharField(max_length=150, help_text="To add: of a staff member of one of its events.")


class AppearanceSerializer(serializers.Serializer[Appearance]):
    """A person at one event of the league; `person` is what you send to join or part them."""

    person = serializers.IntegerField()
    name = serializers.CharField()
    event = serializers.SerializerMethodField(help_text="The slug of the event.")

    def get_event(self, appearance: Appearance) -> str:
        """As in the list of the league's events."""
        events: tuple[PlayedEvent, ...] = self.context["view"].table.events
        return events[appearance.event].event.slug


class LeaguePlayerSerializer(serializers.Serializer[LeagueLine]):
    """A player of the league with everybody who counts as this player."""

    rank = serializers.IntegerField(source="standing.rank")
    name = serializers.CharField()
    persons = AppearanceSerializer(many=True)


class JoinPlayersSerializer(serializers.Serializer[Any]):
    """Two people who are one player."""

    person = serializers.IntegerField(min_value=1, max_value=MAX_ID)
    other = serializers.IntegerField(min_value=1, max_value=MAX_ID)


class PartPlayerSerializer(serializers.Serializer[Any]):
    """A person who is a player of their own, whatever the name."""

    person = serializers.IntegerField(min_value=1, max_value=MAX_ID)

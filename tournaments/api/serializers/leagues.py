"""Leagues, copies and rehearsals as JSON."""

from typing import Any

from rest_framework import serializers

from journal.marks import MARK_LENGTH
from scoring.standings.league_points import MAX_POINTS, MAX_RANKS, EventPoints
from tournaments.api.serializers.events import EventFactsSerializer, validate_moment
from tournaments.leagues.selectors import LeagueLine, PlayedEvent
from tournaments.leagues.services import MAX_WEIGHT, league_mark
from tournaments.models import League, Tournament
from tournaments.rehearsals.services import MAX_PLAYERS, MIN_PLAYERS

MAX_SEED = 2**31 - 1


class LeagueDraftSerializer(serializers.Serializer[Any]):
    """What an organiser says about a league. `points` are those of rank 1, 2, …; `best_of_events` null: all count."""

    name = serializers.CharField(max_length=120)
    points = serializers.ListField(
        child=serializers.IntegerField(min_value=0, max_value=MAX_POINTS), min_length=1, max_length=MAX_RANKS
    )
    points_for_playing = serializers.IntegerField(min_value=0, max_value=MAX_POINTS, required=False)
    best_of_events = serializers.IntegerField(min_value=1, max_value=99, required=False, allow_null=True)
    visibility = serializers.ChoiceField(Tournament.Visibility.choices, required=False)
    game = serializers.CharField(max_length=40, required=False, allow_blank=True)


class ChangedLeagueSerializer(LeagueDraftSerializer):
    """All settings, as they are to be; `seen` is the mark of those you looked at."""

    seen = serializers.CharField(max_length=MARK_LENGTH, required=False)


class LeagueSerializer(serializers.Serializer[League]):
    """A league; send `mark` back as `seen` when you change its settings."""

    slug = serializers.SlugField()
    name = serializers.CharField()
    points = serializers.ListField(child=serializers.IntegerField())
    points_for_playing = serializers.IntegerField()
    best_of_events = serializers.IntegerField(allow_null=True)
    visibility = serializers.ChoiceField(Tournament.Visibility.choices)
    game = serializers.CharField()
    finished_at = serializers.DateTimeField(allow_null=True)
    mark = serializers.SerializerMethodField()

    def get_mark(self, league: League) -> str:
        """What names these settings."""
        return league_mark(league)


class LeagueEventSerializer(serializers.Serializer[Any]):
    """An event of a league; it counts once it is finished, `players` had a rank in it."""

    event = serializers.SlugField(source="event.slug")
    name = serializers.CharField(source="event.name")
    weight = serializers.IntegerField()
    counts = serializers.BooleanField()
    players = serializers.IntegerField()


class NewLeagueEventSerializer(serializers.Serializer[Any]):
    """An event that you organise, and how many times its points count; again with another weight to change it."""

    event = serializers.SlugField(max_length=80)
    weight = serializers.IntegerField(min_value=1, max_value=MAX_WEIGHT, required=False)


class RemovedLeagueEventSerializer(serializers.Serializer[Any]):
    """An event that is to count no more."""

    event = serializers.SlugField(max_length=80)


class EventPointsSerializer(serializers.Serializer[EventPoints]):
    """What one event brought; `event` is its slug, as in the list of the league's events."""

    event = serializers.SerializerMethodField()
    rank = serializers.IntegerField()
    weight = serializers.IntegerField()
    points = serializers.IntegerField()
    counted = serializers.BooleanField()

    def get_event(self, brought: EventPoints) -> str:
        """The slug of the event."""
        events: tuple[PlayedEvent, ...] = self.context["view"].table.events
        return events[brought.event].event.slug


class LeagueLineSerializer(serializers.Serializer[LeagueLine]):
    """A line of a league's standings; `points` is the sum of the counted `events`, `profile` a public id or ""."""

    rank = serializers.IntegerField(source="standing.rank")
    name = serializers.CharField()
    points = serializers.IntegerField(source="standing.points")
    profile = serializers.CharField()
    events = EventPointsSerializer(source="standing.events", many=True)


class CopySerializer(serializers.Serializer[Any]):
    """What is different in the new event; all other settings and the stages are the same."""

    name = serializers.CharField(max_length=120)
    starts_at = serializers.DateTimeField(validators=[validate_moment])
    same_staff = serializers.BooleanField(required=False)


class RehearseSerializer(serializers.Serializer[Any]):
    """How many made-up players come; the same `seed` makes the same ones."""

    players = serializers.IntegerField(min_value=MIN_PLAYERS, max_value=MAX_PLAYERS)
    seed = serializers.IntegerField(min_value=0, max_value=MAX_SEED, required=False)


class MadeEventSerializer(EventFactsSerializer):
    """The event that was made."""

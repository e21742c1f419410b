"""What the room is told, as JSON."""

from typing import Any

from rest_framework import serializers

from tournaments.models import Announcement


class AnnouncementSerializer(serializers.Serializer[Announcement]):
    """An announcement that stands, or was withdrawn."""

    id = serializers.IntegerField()
    text = serializers.CharField()
    is_urgent = serializers.BooleanField()
    posted_at = serializers.DateTimeField()
    withdrawn_at = serializers.DateTimeField(allow_null=True)


class NewAnnouncementSerializer(serializers.Serializer[Any]):
    """What to tell the room."""

    text = serializers.CharField(max_length=300)
    is_urgent = serializers.BooleanField(default=False)

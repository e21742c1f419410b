"""Events that come in from a file, as JSON."""

from typing import Any

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from tournaments.events.services.bringing_recorded import Recorded


@extend_schema_field(OpenApiTypes.BINARY)
class FormFileField(serializers.FileField):
    """A file that is sent as a form does."""


class BringSerializer(serializers.Serializer[Any]):
    """A file, sent as a form does; `key` is that of another site which signed it, for site admins."""

    file = FormFileField()
    key = serializers.CharField(max_length=80, required=False, default="", allow_blank=True)


class StandingDifferenceSerializer(serializers.Serializer[Any]):
    """A value of a player's line as this site computes it, and as the file has it."""

    player = serializers.CharField()
    what = serializers.ChoiceField(["rank", "points", "omw", "gw", "ogw"])
    ours = serializers.CharField()
    theirs = serializers.CharField()


class BroughtSerializer(serializers.Serializer[Recorded]):
    """The event that is here now."""

    slug = serializers.CharField(source="tournament.slug")
    name = serializers.CharField(source="tournament.name")
    playoffs = serializers.IntegerField(source="playoffs.left_out")
    playoffs_words = serializers.CharField(source="left_out_words")
    differences = StandingDifferenceSerializer(many=True)

"""Standings as JSON: exact, as fractions and as decimals."""

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from scoring.standings import decimal_text
from tournaments.models import Entry
from tournaments.selectors.standings import StandingRow

DIGITS = 10


class ShareSerializer(serializers.Serializer[Any]):
    """A share of 1, exact as a fraction, and as a decimal of 10 digits rounded half up."""

    fraction = serializers.CharField()
    decimal = serializers.CharField()


@extend_schema_field(ShareSerializer)
class ShareField(serializers.Field[Any, Any, Any, Any]):
    """A fraction in both forms."""

    def to_representation(self, value: Any) -> dict[str, str]:
        """The two texts."""
        return {"fraction": str(value), "decimal": decimal_text(value, DIGITS)}


class StandingSerializer(serializers.Serializer[StandingRow]):
    """A ranked line. `shared_by` counts the entries at this rank: more than one is a tie that no tiebreaker broke."""

    rank = serializers.IntegerField(source="standing.rank")
    shared_by = serializers.SerializerMethodField()
    entry = serializers.IntegerField(source="entry.number")
    name = serializers.CharField(source="entry.name")
    state = serializers.ChoiceField(Entry.State.choices, source="entry.state")
    points = serializers.IntegerField(source="standing.match_points")
    wins = serializers.IntegerField(source="standing.wins")
    draws = serializers.IntegerField(source="standing.draws")
    losses = serializers.IntegerField(source="standing.losses")
    omw = ShareField(source="standing.omw")
    gw = ShareField(source="standing.gw")
    ogw = ShareField(source="standing.ogw")

    def get_shared_by(self, row: StandingRow) -> int:
        """How many entries have this rank."""
        shared: int = self.context["view"].shared[row.standing.rank]
        return shared

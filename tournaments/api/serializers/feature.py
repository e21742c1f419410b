"""The feature table of a stream as JSON."""

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from tournaments.api.serializers.brackets import BracketSerializer
from tournaments.api.serializers.matches import ResultSerializer, SeatSerializer
from tournaments.api.serializers.room import ClockSerializer
from tournaments.api.serializers.standings import StandingSerializer
from tournaments.models import Match
from tournaments.results.selectors import accepted_report_of
from tournaments.room.selectors.feature import MAX_DELAY_SECONDS, MAX_TABLE, Feature


class AskedFeatureSerializer(serializers.Serializer[Any]):
    """Which table a stream shows, the first one by default, and how many seconds the stream is behind."""

    table = serializers.IntegerField(min_value=1, max_value=MAX_TABLE, required=False, default=None)
    delay = serializers.IntegerField(min_value=0, max_value=MAX_DELAY_SECONDS, required=False, default=0)


class FeatureMatchSerializer(serializers.Serializer[Match]):
    """The match at the feature table; `result` is what counts, null until a report is accepted."""

    id = serializers.IntegerField()
    table = serializers.IntegerField(source="table_number")
    is_over = serializers.SerializerMethodField()
    seats = SeatSerializer(many=True)
    result = serializers.SerializerMethodField()

    def get_is_over(self, match: Match) -> bool:
        """Whether its result counts."""
        return match.state == Match.State.DONE

    @extend_schema_field(ResultSerializer(allow_null=True))
    def get_result(self, match: Match) -> Any:
        """The accepted report."""
        report = accepted_report_of(match)
        return ResultSerializer(report).data if report else None


class FeatureSerializer(serializers.Serializer[Feature]):
    """What a stream shows; public at that moment, whoever asks.

    A stream that is `delay` seconds behind shows it from `show_at` on. `round` is null before the first round is
    published, `match` at a table where nobody plays. `standings` has a line for each seat, in seat order.
    """

    as_of = serializers.DateTimeField()
    show_at = serializers.DateTimeField()
    delay = serializers.IntegerField()
    round = serializers.IntegerField(source="round.number", default=None, allow_null=True)
    match = FeatureMatchSerializer(allow_null=True)
    standings = StandingSerializer(many=True)
    clock = ClockSerializer(allow_null=True)
    bracket = BracketSerializer(allow_null=True)

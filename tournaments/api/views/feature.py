"""The feature table of a stream: names, score, clock, lines of the standings and bracket in one answer."""

from typing import ClassVar

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from tournaments.api.serializers.feature import AskedFeatureSerializer, FeatureSerializer
from tournaments.api.views.standings import StandingsAudience
from tournaments.room.selectors.feature import feature_of


class FeatureViewSet(StandingsAudience):
    """The feature table of a stream."""

    resource = "feature"
    access_rules: ClassVar = {"retrieve": "event.see"}
    pagination_class = None

    @extend_schema(parameters=[AskedFeatureSerializer], responses=FeatureSerializer)
    def retrieve(self, request: Request, slug: str) -> Response:
        """What a stream shows of a table now, and from when on with its delay; nothing that is secret, whoever asks."""
        asked = AskedFeatureSerializer(data=request.query_params)
        asked.is_valid(raise_exception=True)
        return self.answer(FeatureSerializer, feature_of(self.event, now=self.now, **asked.validated_data))

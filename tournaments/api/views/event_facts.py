"""What an event comes to: its statistics, and the jobs of its background work."""

from typing import ClassVar
from uuid import UUID

from django.http import HttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.http.downloads import table_download
from tournaments.api.edge import EventViewSet
from tournaments.api.serializers.facts import JobSerializer, StatisticsSerializer
from tournaments.events.selectors.background_jobs import unfinished_work, work_lines
from tournaments.events.services.background_jobs import try_work_again
from tournaments.statistics.selectors.statistics import statistics_of
from tournaments.web.shared.statistic_charts import statistics_table


class StatisticsViewSet(EventViewSet):
    """The statistics of an event."""

    resource = "statistics"
    access_rules: ClassVar = {"retrieve": "event.see", "csv": "event.see"}

    @extend_schema(responses=StatisticsSerializer)
    def retrieve(self, request: Request, slug: str) -> Response:
        """What was played, how it ended, how long it took."""
        return self.answer(StatisticsSerializer, statistics_of(self.event, self.now))

    @extend_schema(responses={(200, "text/csv"): OpenApiTypes.STR})
    def csv(self, request: Request, slug: str) -> HttpResponse:
        """The figures as a CSV file with their words; rates as decimals of 1."""
        return table_download(f"{slug}-statistics", statistics_table(self.event, self.now), marked=False)


class JobsViewSet(EventViewSet):
    """Background jobs of an event."""

    resource = "jobs"
    access_rules: ClassVar = {"list": "event.work", "retry": "event.work"}

    @extend_schema(responses=JobSerializer(many=True))
    def list(self, request: Request, slug: str) -> Response:
        """The jobs that are not done: those that need a person first, then those that run, then by age."""
        page = self.paginate_queryset(unfinished_work(self.event, self.now)) or []
        return self.get_paginated_response([JobSerializer(line).data for line in work_lines(page, self.now)])

    @extend_schema(request=None, responses={204: None})
    def retry(self, request: Request, slug: str, job_id: UUID) -> Response:
        """Retry a failed job."""
        try_work_again(self.actor, self.event, job_id, self.now)
        return Response(status=204)

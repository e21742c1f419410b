"""An event as one signed file."""

from typing import ClassVar

from django.http import HttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request

from tournaments.api.edge import EventViewSet
from tournaments.bundles.scopes import Scope
from tournaments.bundles.services import file_bytes, file_name


class EventFileViewSet(EventViewSet):
    """The event file: docs/reference/event-file.md says what it holds."""

    resource = "file"
    access_rules: ClassVar = {"public": "event.see", "whole": "event.settings"}

    @extend_schema(responses={(200, "application/zip"): OpenApiTypes.BINARY})
    def public(self, request: Request, slug: str) -> HttpResponse:
        """Everything that visitors may read at this moment, as a signed zip."""
        return self._answer(Scope.PUBLIC)

    @extend_schema(responses={(200, "application/zip"): OpenApiTypes.BINARY})
    def whole(self, request: Request, slug: str) -> HttpResponse:
        """The whole event but contact data and lists of cards that are not shown yet, as a signed zip."""
        return self._answer(Scope.WHOLE)

    def _answer(self, scope: Scope) -> HttpResponse:
        response = HttpResponse(file_bytes(self.event, scope), content_type="application/zip")
        response["Content-Disposition"] = f'attachment; filename="{file_name(self.event, scope)}"'
        return response

"""An event as one signed file, and events that come in from one."""

from typing import ClassVar

from django.http import HttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.parsers import MultiPartParser
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.http.downloads import file_response
from accounts.http.viewsets import ApiViewSet
from tournaments.api.edge import EventViewSet
from tournaments.api.serializers.event_files import BringSerializer, BroughtSerializer
from tournaments.bundles.scopes import Scope
from tournaments.bundles.services import file_bytes, file_name
from tournaments.events.services.bringing import bring_event
from tournaments.events.services.bringing_recorded import Recorded, bring_recorded_event, is_recorded


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
        return file_response(file_bytes(self.event, scope), "application/zip", file_name(self.event, scope))


class BringViewSet(ApiViewSet):
    """Finished events that come in from a file."""

    resource = "bring"
    access_rules: ClassVar = {"create": "signed_in"}
    parser_classes = (MultiPartParser,)

    @extend_schema(request={"multipart/form-data": BringSerializer}, responses={201: BroughtSerializer})
    def create(self, request: Request) -> Response:
        """Bring a finished event: its public file is checked, to be read here; a swiss-event/1 file is played again.

        `differences` are values of the standings in a swiss-event/1 file that this site computes differently.
        """
        values = self.read(BringSerializer)
        data = values["file"].read()
        if is_recorded(data):
            recorded = bring_recorded_event(self.actor, data, self.now)
        else:
            recorded = Recorded(bring_event(self.actor, data, self.now, values["key"]))
        return self.answer(BroughtSerializer, recorded, 201)

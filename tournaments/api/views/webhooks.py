"""What changed since, for whoever asks; and webhooks, which are told by themselves."""

from collections.abc import Iterator
from typing import Any, ClassVar

from django.utils.cache import patch_vary_headers
from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from rules_engine.errors import BadInput
from tournaments.api.edge import EventViewSet
from tournaments.api.serializers.webhooks import (
    CreatedWebhookSerializer,
    EventChangesSerializer,
    NewWebhookSerializer,
    WebhookSerializer,
)
from tournaments.webhooks import services
from tournaments.webhooks.payloads import changes_as_json
from tournaments.webhooks.selectors import changes_after, webhooks_of

MAX_NUMBER = 10**15
LIMITS = {"after": (0, MAX_NUMBER, 0), "limit": (1, 500, 100)}
"""The least, the most and the usual of each parameter."""
SAYS = {"after": "The last number you know.", "limit": "How many changes at most."}
PARAMETERS = [
    OpenApiParameter(
        name, {"type": "integer", "minimum": least, "maximum": most, "default": usual}, description=SAYS[name]
    )
    for name, (least, most, usual) in LIMITS.items()
]


class ChangesViewSet(EventViewSet):
    """What happened at an event, in order."""

    resource = "changes"
    access_rules: ClassVar = {"retrieve": "event.webhooks"}

    @extend_schema(
        parameters=[*PARAMETERS, OpenApiParameter("If-None-Match", str, OpenApiParameter.HEADER)],
        responses={200: EventChangesSerializer, 304: OpenApiResponse(description="Nothing changed since that ETag.")},
    )
    def retrieve(self, request: Request, slug: str) -> Response:
        """What changed after a number of the event's log, in order; for organisers, as the numbers count every act."""
        after, limit = _numbers(request)
        found = changes_after(self.event, after, limit, whole=True)
        etag = f'"{found.head.hash[:16]}-{after}-{limit}"'
        if request.headers.get("If-None-Match") == etag:
            response = Response(status=304)
        else:
            response = Response(changes_as_json(self.event, found))
        response["ETag"], response["Cache-Control"] = etag, "private, no-cache"
        patch_vary_headers(response, ("Authorization", "Cookie"))
        return response


class WebhooksViewSet(EventViewSet):
    """Webhooks of an event."""

    resource = "webhooks"
    access_rules: ClassVar = dict.fromkeys(("list", "create", "remove", "resend"), "event.webhooks")

    @extend_schema(responses=WebhookSerializer(many=True))
    def list(self, request: Request, slug: str) -> Response:
        """The event's webhooks and how each goes."""
        return self.answer_page(WebhookSerializer, webhooks_of(self.event))

    @extend_schema(request=NewWebhookSerializer, responses={201: CreatedWebhookSerializer})
    def create(self, request: Request, slug: str) -> Response:
        """Have every change sent to an address from now on; the secret is shown once."""
        made = services.create_webhook(self.actor, self.event, now=self.now, **self.read(NewWebhookSerializer))
        return self.answer_secret(CreatedWebhookSerializer, self._loaded(made.pk), 201)

    @extend_schema(request=None, responses=WebhookSerializer)
    def resend(self, request: Request, slug: str, webhook_id: int) -> Response:
        """Try again at once, also one that was given up: what it missed comes in order."""
        services.resend_webhook(self.actor, self.event, webhook_id, self.now)
        return self.answer(WebhookSerializer, self._loaded(webhook_id))

    @extend_schema(responses={204: None})
    def remove(self, request: Request, slug: str, webhook_id: int) -> Response:
        """Delete a webhook; what it has not had yet is not sent."""
        services.delete_webhook(self.actor, self.event, webhook_id, self.now)
        return Response(status=204)

    def _loaded(self, webhook_id: int) -> Any:
        return webhooks_of(self.event).get(pk=webhook_id)


def _numbers(request: Request) -> Iterator[int]:
    """`after` and `limit`; BadInput "unknown_parameter", ValidationError."""
    unknown = sorted(set(request.query_params) - set(LIMITS))
    if unknown:
        raise BadInput("unknown_parameter", _("Unknown parameter: %(name)s") % {"name": unknown[0][:50]})
    for name, (least, most, usual) in LIMITS.items():
        field = serializers.IntegerField(min_value=least, max_value=most)
        yield field.run_validation(request.query_params.get(name, usual))

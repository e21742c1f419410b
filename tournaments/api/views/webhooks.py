"""What changed since, for readers who ask; and webhooks, which are called by themselves."""

from typing import Any, ClassVar

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from tournaments.api.edge import EventViewSet
from tournaments.api.serializers.queries import AskedChangesSerializer
from tournaments.api.serializers.webhooks import (
    CreatedWebhookSerializer,
    EventChangesSerializer,
    NewWebhookSerializer,
    WebhookSerializer,
)
from tournaments.webhooks import services
from tournaments.webhooks.payloads import changes_as_json
from tournaments.webhooks.selectors import changes_after, webhooks_of


class ChangesViewSet(EventViewSet):
    """What happened at an event, in order."""

    resource = "changes"
    access_rules: ClassVar = {"retrieve": "event.webhooks"}
    queries: ClassVar = {"retrieve": AskedChangesSerializer}

    @extend_schema(responses=EventChangesSerializer)
    def retrieve(self, request: Request, slug: str) -> Response:
        """What changed after a number of the event's log, in order; for organisers, as the numbers count every act."""
        found = changes_after(self.event, self.query["after"], self.query["limit"], whole=True)
        return Response(changes_as_json(self.event, found))


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

"""Changes of an event, and the webhooks that bring them."""

from typing import Any

from rest_framework import serializers

from tournaments.models import Webhook


class EventChangeSerializer(serializers.Serializer[Any]):
    """One act: its number in the event's log, when it was, what it was, and the ids and numbers it is about."""

    sequence = serializers.IntegerField()
    at = serializers.DateTimeField()
    act = serializers.CharField(help_text="One of the acts in docs/reference/ledger-acts.md.")
    subjects = serializers.DictField()


class EventChangesSerializer(serializers.Serializer[Any]):
    """Changes after the number `after`, in order. Ask next after `next`; nothing is left once it equals `head`."""

    event = serializers.CharField(help_text="The slug.")
    after = serializers.IntegerField()
    next = serializers.IntegerField()
    head = serializers.IntegerField(help_text="The number of the newest entry of the event's log.")
    changes = EventChangeSerializer(many=True)


class WebhookSerializer(serializers.ModelSerializer[Webhook]):
    """A webhook and how it goes. `address` leaves out what may be secret; `behind` counts entries of the log."""

    address = serializers.CharField(source="shown_url")
    behind = serializers.IntegerField(help_text="How many entries of the event's log it has not been through.")

    class Meta:
        model = Webhook
        fields = (
            "id", "kind", "address", "topics", "created_at", "sent_at", "behind", "tries", "failing_since",
            "last_error", "next_try_at", "stopped_at",
        )  # fmt: skip


class NewWebhookSerializer(serializers.Serializer[Any]):
    """Where to send what."""

    kind = serializers.ChoiceField(Webhook.Kind.choices, default=Webhook.Kind.SIGNED)
    url = serializers.CharField(max_length=500, help_text="An https:// address.")
    topics = serializers.ListField(
        child=serializers.ChoiceField(Webhook.Topic.choices), default=list, max_length=10,
        help_text="What a program is sent; everything unless given.",
    )  # fmt: skip


class CreatedWebhookSerializer(serializers.Serializer[Webhook]):
    """A new webhook, and the secret that its deliveries are signed with, shown once."""

    webhook = WebhookSerializer(source="*")
    secret = serializers.CharField()

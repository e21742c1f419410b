"""Addresses of other programs that an event sends its changes to."""

import secrets

from django.db import models
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext_lazy as _

from tournaments.models.event import Tournament


def new_nonce() -> str:
    """What makes the secret of a webhook its own."""
    return secrets.token_hex(16)


class Webhook(models.Model):
    """Where to send what happens: every change after `sent_through`, a number of the event's log, in order.

    `delivered_through` is the number that the last delivery went to; what came after was not for this receiver. Since
    `failing_since` nothing arrives; it was tried `tries` times and is again at `next_try_at`, until `stopped_at`.
    Whoever sends has it to themselves until `busy_until`. The secret follows from `nonce` and the site's key, so that
    it stands nowhere.
    """

    class Kind(models.TextChoices):
        """What the receiver understands."""

        SIGNED = "signed", _("A program: signed JSON with every change")
        DISCORD = "discord", _("Discord: new rounds and final standings")
        MATRIX = "matrix", _("Matrix: new rounds and final standings")

    class Topic(models.TextChoices):
        """What a program can be sent."""

        EVENT = "event", _("Event: its state and settings")
        ENTRIES = "entries", _("Entries")
        ROUNDS = "rounds", _("Rounds and stages")
        RESULTS = "results", _("Results")
        ROOM = "room", _("Clock and announcements")

    tournament = models.ForeignKey(Tournament, models.CASCADE, related_name="webhooks")
    kind = models.CharField(_("receiver"), max_length=10, choices=Kind.choices)
    url = models.URLField(_("address"), max_length=500)
    topics = models.JSONField(_("what it is sent"), default=list)
    nonce = models.CharField(max_length=32, default=new_nonce)
    language = models.CharField(max_length=10, blank=True)
    created_at = models.DateTimeField()
    sent_through = models.PositiveBigIntegerField(default=0)
    delivered_through = models.PositiveBigIntegerField(default=0)
    sent_at = models.DateTimeField(null=True)
    tries = models.PositiveSmallIntegerField(default=0)
    failing_since = models.DateTimeField(null=True)
    last_error = models.CharField(max_length=80, blank=True)
    next_try_at = models.DateTimeField(null=True)
    stopped_at = models.DateTimeField(null=True)
    busy_until = models.DateTimeField(null=True)

    class Meta:
        ordering = ["id"]

    def __str__(self) -> str:
        return self.shown_url

    @property
    def secret(self) -> str:
        """What deliveries are signed with."""
        return salted_hmac("tournaments.webhook", self.nonce, algorithm="sha256").hexdigest()

    @property
    def shown_url(self) -> str:
        """The address without what may be secret in it: its host and its last letters."""
        scheme, _slashes, rest = self.url.partition("://")
        return f"{scheme}://{rest.partition('/')[0]}/…{self.url[-4:]}"

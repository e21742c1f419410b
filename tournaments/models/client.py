"""Results that game clients send: the codes they sign with, and the replays that came with them."""

import secrets

from django.conf import settings
from django.db import models
from django.utils.crypto import salted_hmac

from accounts.models import PersonalLink
from tournaments.models.result import ResultReport
from tournaments.models.round import Match, Seat


def new_public_id() -> str:
    """What a code is called by."""
    return secrets.token_urlsafe(12)


class ClientCode(models.Model):
    """A code with which a game client sends one result of a match, as the word of `seat`, or of staff without one.

    It belongs to an account (`user`) or to a personal link, and opens nothing once that is gone. The secret follows
    from `public_id` and the site's key, so that it stands nowhere. Once it is used, `report` is what it said, and
    `replay` the file that came with it.
    """

    match = models.ForeignKey(Match, models.CASCADE, related_name="client_codes")
    seat = models.ForeignKey(Seat, models.CASCADE, null=True, related_name="+")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    link = models.ForeignKey(PersonalLink, models.SET_NULL, null=True, related_name="+")
    public_id = models.CharField(max_length=16, unique=True, default=new_public_id)
    created_at = models.DateTimeField()
    used_at = models.DateTimeField(null=True)
    report = models.ForeignKey(ResultReport, models.CASCADE, null=True, related_name="+")
    replay = models.BinaryField(default=b"")
    replay_name = models.CharField(max_length=80, blank=True)
    replay_bytes = models.PositiveIntegerField(default=0)

    class Meta:
        ordering = ["id"]

    def __str__(self) -> str:
        return f"{self.match}: {self.public_id}"

    @property
    def secret(self) -> str:
        """What the result is signed with."""
        return salted_hmac("tournaments.client_code", self.public_id, algorithm="sha256").hexdigest()

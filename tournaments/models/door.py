"""The door: the code on a poster at the entrance, and who of the list says by it "that's me"."""

from django.conf import settings
from django.db import models
from django.db.models import Q

from tournaments.models.entry import EntryMember
from tournaments.models.event import Tournament


class DoorCode(models.Model):
    """The code by which players enter themselves; what is printed is derived from it, and stored nowhere.

    See docs/how-it-works/trust.md#t6.

    `uses` counts entries and claims. With `free_claims` an entry for which nobody acts yet needs no confirmation.
    """

    tournament = models.ForeignKey(Tournament, models.CASCADE, related_name="door_codes")
    free_claims = models.BooleanField(default=False)
    uses = models.PositiveIntegerField(default=0)
    issued_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    created_at = models.DateTimeField()
    revoked_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["tournament"], condition=Q(revoked_at=None), name="one_door_code_an_event")
        ]

    def __str__(self) -> str:
        return f"{self.tournament} door {self.pk}"


class DoorClaim(models.Model):
    """A phone at the door that says to be a player of the list; `confirmed_by` is the `Actor.key` of the staff."""

    code = models.ForeignKey(DoorCode, models.CASCADE, related_name="claims")
    member = models.ForeignKey(EntryMember, models.CASCADE, related_name="+")
    created_at = models.DateTimeField()
    confirmed_by = models.CharField(max_length=40, blank=True, default="")
    declined_at = models.DateTimeField(null=True)
    taken_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["id"]

    def __str__(self) -> str:
        return f"{self.member} says so"

    @property
    def number(self) -> str:
        """What phone and staff both show, so that the one is confirmed who stands there."""
        return f"{self.pk % 1000:03d}"

"""Score sheets: what a table writes down, its frozen revisions with their tallies, and who signed them."""

import secrets

from django.db import models
from django.db.models import Q

ALPHABET = "23456789abcdefghjkmnpqrstuvwxyz"  # no letters or digits that are easily confused
KEY_LENGTH = 26  # of 31 symbols: 128 random bits, for whoever knows the address of a sheet may write on it


def new_key() -> str:
    """The address of a sheet that belongs to no event."""
    return "".join(secrets.choice(ALPHABET) for _number in range(KEY_LENGTH))


class ScoreSheet(models.Model):
    """The score sheet of one table of a game: who sits there in turn order, and the options it is played with.

    `players` are {"name"} in turn order, with what the tally of the game wants of each besides; `options` go to the
    tally as they are. `stream` is the ledger's stream its acts stand in: an event's, or the sheet's own. `newest` is
    the number of the newest revision, 0 before the first.
    """

    key = models.CharField(max_length=40, unique=True, default=new_key, editable=False)
    game = models.SlugField(max_length=40)
    stream = models.CharField(max_length=40)
    players = models.JSONField()
    options = models.JSONField(default=dict)
    newest = models.PositiveSmallIntegerField(default=0)
    opened_by = models.CharField(max_length=40)
    opened_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.game} {self.pk}"


class SheetPart(models.Model):
    """What was typed so far for one place of a sheet: a player from 1 on in turn order, or the whole table (0).

    Every phone at the table saves its own part; `version` tells whether another person did meanwhile.
    """

    sheet = models.ForeignKey(ScoreSheet, models.CASCADE, related_name="parts")
    place = models.PositiveSmallIntegerField()
    content = models.JSONField(default=dict)
    version = models.PositiveIntegerField(default=0)
    saved_by = models.CharField(max_length=40, blank=True, default="")
    saved_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["place"]
        constraints = [models.UniqueConstraint(fields=["sheet", "place"], name="one_part_a_place")]

    def __str__(self) -> str:
        return f"{self.sheet}: {self.place}"


class SheetRevision(models.Model):
    """A sheet as it was filed, never changed: `content` is what the tally of its game takes; the newest one counts.

    `message` is the outbox message that has it tallied.
    """

    sheet = models.ForeignKey(ScoreSheet, models.PROTECT, related_name="revisions")
    number = models.PositiveSmallIntegerField()
    content = models.JSONField()
    message = models.UUIDField()
    filed_by = models.CharField(max_length=40)
    filed_label = models.CharField(max_length=120, blank=True, default="")
    filed_at = models.DateTimeField()

    class Meta:
        ordering = ["number"]
        constraints = [models.UniqueConstraint(fields=["sheet", "number"], name="one_revision_a_number")]

    def __str__(self) -> str:
        return f"{self.sheet}, {self.number}"


class SheetTally(models.Model):
    """What a revision adds up to, stored once and never changed: the tally, or the `error` why there is none.

    A sheet that cannot be tallied goes back to the table with that reason.
    """

    revision = models.OneToOneField(SheetRevision, models.PROTECT, related_name="outcome")
    tally = models.JSONField(null=True)
    error = models.CharField(max_length=1000, blank=True, default="")
    tallied_at = models.DateTimeField()

    class Meta:
        verbose_name_plural = "sheet tallies"
        constraints = [
            models.CheckConstraint(
                condition=Q(tally__isnull=False, error="") | (Q(tally__isnull=True) & ~Q(error="")),
                name="tally_or_error",
            ),
        ]

    def __str__(self) -> str:
        return str(self.revision)


class SheetSignature(models.Model):
    """A player's word that a tally is right: of one revision, whose successor needs new ones."""

    revision = models.ForeignKey(SheetRevision, models.PROTECT, related_name="signatures")
    place = models.PositiveSmallIntegerField()
    actor = models.CharField(max_length=40)
    actor_label = models.CharField(max_length=120, blank=True, default="")
    signed_at = models.DateTimeField()
    device = models.CharField(max_length=16, null=True)

    class Meta:
        ordering = ["place"]
        constraints = [models.UniqueConstraint(fields=["revision", "place"], name="one_signature_a_place")]

    def __str__(self) -> str:
        return f"{self.revision}: {self.place}"

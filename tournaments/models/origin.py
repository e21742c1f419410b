"""Events that came in as a file, to be read, and what became of the copies of events in a second folder."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from tournaments.models.event import Tournament


class BroughtFile(models.Model):
    """The public event file that an event was brought in by: handed out again as it is, since its site signed it.

    `acts` and `head` are the length of that site's log of the event and the head of its chain, `key` signs for it.
    """

    tournament = models.OneToOneField(Tournament, models.CASCADE, related_name="brought_file")
    data = models.BinaryField()
    key = models.CharField(max_length=64)
    acts = models.PositiveIntegerField()
    head = models.CharField(max_length=64)

    def __str__(self) -> str:
        return str(self.tournament)


class EventCopy(models.Model):
    """The newest copy of an event: how many acts of its log it holds, since when and why it cannot be written."""

    class Fault(models.TextChoices):
        MISSING = "missing", _("the folder is not there")
        FULL = "full", _("the medium is full")
        OTHER = "other", _("the folder cannot be written")

    tournament = models.OneToOneField(Tournament, models.CASCADE, related_name="second_copy")
    acts = models.PositiveBigIntegerField(default=0)
    written_at = models.DateTimeField(null=True)
    failed_at = models.DateTimeField(null=True)
    fault = models.CharField(max_length=8, choices=Fault, blank=True, default="")

    def __str__(self) -> str:
        return str(self.tournament)

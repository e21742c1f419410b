"""Events that came in as a file, to be read."""

from django.db import models

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

"""The score sheet of a match: kept by scoring, which does not know what it is for."""

from django.db import models

from scoring.models import ScoreSheet
from tournaments.models.result import ResultReport
from tournaments.models.round import Match


class MatchSheet(models.Model):
    """Which score sheet a match has; its players stand in the order of the seats.

    Of its newest revision: the place at the table it was filed from (0 for staff), the result that staff `corrects` by
    it and their reason, and why it became no result (`returned`), so that the table or the staff go on with it.
    `absent` are the places of which staff said that nobody came. `issuer` as in `ResultReport`.
    """

    match = models.OneToOneField(Match, models.CASCADE, related_name="score_sheet")
    sheet = models.OneToOneField(ScoreSheet, models.PROTECT, related_name="+")
    filed_from = models.PositiveSmallIntegerField(default=0)
    corrects = models.ForeignKey(ResultReport, models.PROTECT, null=True, related_name="+")
    reason = models.CharField(max_length=500, blank=True, default="")
    returned = models.CharField(max_length=1000, blank=True, default="")
    issuer = models.PositiveBigIntegerField(null=True)
    absent = models.JSONField(default=list, blank=True)

    def __str__(self) -> str:
        return str(self.match)

"""The score sheet of a match: kept by scoring, which does not know what it is for."""

from django.db import models

from scoring.models import ScoreSheet
from tournaments.models.round import Match


class MatchSheet(models.Model):
    """Which score sheet a match has; its players stand in the order of the seats."""

    match = models.OneToOneField(Match, models.CASCADE, related_name="score_sheet")
    sheet = models.OneToOneField(ScoreSheet, models.PROTECT, related_name="+")

    def __str__(self) -> str:
        return str(self.match)

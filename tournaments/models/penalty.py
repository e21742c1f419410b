"""What judges hold against players, and what a later change did to standings already shown."""

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from tournaments.models.entry import Entry
from tournaments.models.event import Tournament
from tournaments.models.result import ResultReport
from tournaments.models.round import Match, Round


class Penalty(models.Model):
    """A penalty given to one entry, never changed; taking it back names who and why.

    `report` is the report by which it changed a result, null where it changed none. `notes` are for officials alone.
    """

    class Kind(models.TextChoices):
        WARNING = "warning", _("warning")
        GAME_LOSS = "game_loss", _("game loss")
        MATCH_LOSS = "match_loss", _("match loss")
        DISQUALIFICATION = "disqualification", _("disqualification")

    tournament = models.ForeignKey(Tournament, models.CASCADE, related_name="penalties")
    entry = models.ForeignKey(Entry, models.CASCADE, related_name="penalties")
    round = models.ForeignKey(Round, models.SET_NULL, null=True, related_name="+")
    match = models.ForeignKey(Match, models.SET_NULL, null=True, related_name="penalties")
    report = models.ForeignKey(ResultReport, models.PROTECT, null=True, related_name="penalties")
    kind = models.CharField(_("penalty"), max_length=16, choices=Kind)
    infraction = models.CharField(_("infraction"), max_length=120)
    notes = models.CharField(_("notes"), max_length=1000, blank=True)
    actor = models.CharField(max_length=40)
    actor_label = models.CharField(max_length=120, blank=True)
    given_at = models.DateTimeField()
    taken_back_at = models.DateTimeField(null=True)
    taken_back_by = models.CharField(max_length=40, blank=True)
    taken_back_reason = models.CharField(max_length=500, blank=True)

    class Meta:
        ordering = ["-given_at", "-id"]
        verbose_name_plural = "penalties"
        constraints = [
            models.CheckConstraint(condition=~Q(infraction=""), name="penalty_names_an_infraction"),
            models.CheckConstraint(
                condition=Q(taken_back_at=None) | ~Q(taken_back_reason=""), name="penalty_taken_back_with_a_reason"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.entry}: {self.kind}"


class Amendment(models.Model):
    """A correction, a drop or a penalty that moved lines of standings already shown; never changed.

    `lines` are [entry id, rank before, rank after, [keys of tiebreakers that changed]]. A rank is null for whoever has
    none.
    """

    class Kind(models.TextChoices):
        CORRECTION = "correction", _("result corrected")
        DROP = "drop", _("drop")
        PENALTY = "penalty", _("penalty")

    tournament = models.ForeignKey(Tournament, models.CASCADE, related_name="amendments")
    kind = models.CharField(max_length=10, choices=Kind)
    report = models.ForeignKey(ResultReport, models.PROTECT, null=True, related_name="+")
    entry = models.ForeignKey(Entry, models.CASCADE, null=True, related_name="+")
    after_round = models.PositiveSmallIntegerField()
    reason = models.CharField(max_length=500, blank=True)
    lines = models.JSONField(default=list)
    made_at = models.DateTimeField()

    class Meta:
        ordering = ["-made_at", "-id"]

    def __str__(self) -> str:
        return f"{self.tournament}: {self.kind}"

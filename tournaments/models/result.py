"""What people said happened at a match: immutable reports and what others did to them."""

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from scoring.models import SheetRevision
from scoring.standings.results import MAX_GAMES
from tournaments.models.round import Match, Seat


class ResultReport(models.Model):
    """One report of a match, never changed. A correction is a new report that names the old one and the reason.

    `by_seat` is the reporter's own seat, null for staff. `games` lists the single games where they are known: winning
    seat or null, kind of win, role of each seat. `sheet_revision` is the score sheet that the report was tallied from;
    once the table has filed a newer one, the report is overtaken. `issuer` is the account that made the personal link
    or the table's code by which it came; `device` tells browsers and addresses of one day apart
    (`accounts.identity.devices`).
    """

    class Kind(models.TextChoices):
        PLAYED = "played", _("played")
        INTENTIONAL_DRAW = "intentional_draw", _("intentional draw")
        NO_SHOW = "no_show", _("no-show")
        DOUBLE_LOSS = "double_loss", _("double loss")
        MATCH_LOSS = "match_loss", _("match loss")
        BYE = "bye", _("bye")

    match = models.ForeignKey(Match, models.PROTECT, related_name="reports")
    by_seat = models.ForeignKey(Seat, models.PROTECT, null=True, related_name="+")
    number = models.PositiveSmallIntegerField()
    kind = models.CharField(max_length=16, choices=Kind, default=Kind.PLAYED)
    games_drawn = models.PositiveSmallIntegerField(default=0)
    games_lost = models.PositiveSmallIntegerField(default=0)
    games = models.JSONField(default=list)
    actor = models.CharField(max_length=40)
    actor_label = models.CharField(max_length=120, blank=True)
    role = models.CharField(max_length=12)
    issuer = models.PositiveBigIntegerField(null=True)
    device = models.CharField(max_length=16, null=True)
    corrects = models.ForeignKey("self", models.PROTECT, null=True, related_name="corrections")
    reason = models.CharField(max_length=500, blank=True)
    sheet_revision = models.ForeignKey(SheetRevision, models.PROTECT, null=True, related_name="+")
    reported_at = models.DateTimeField()

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["match", "number"], name="one_report_a_number"),
            models.CheckConstraint(
                condition=Q(games_drawn__lte=MAX_GAMES, games_lost__lte=MAX_GAMES), name="report_games_in_range"
            ),
            models.CheckConstraint(condition=Q(corrects=None) | ~Q(reason=""), name="correction_has_a_reason"),
        ]

    def __str__(self) -> str:
        return f"{self.match}: report {self.number}"


class SeatResult(models.Model):
    """What a report says of one seat.

    At tables of several players: `placing` from 1, shared places the same number, and `score`, the victory points or
    the total of a score sheet, where the game counts any. A match of two over several games has a score and no place.
    """

    class Outcome(models.TextChoices):
        WIN = "win", _("won")
        DRAW = "draw", _("drawn")
        LOSS = "loss", _("lost")

    report = models.ForeignKey(ResultReport, models.PROTECT, related_name="seat_results")
    seat = models.ForeignKey(Seat, models.PROTECT, related_name="results")
    outcome = models.CharField(max_length=4, choices=Outcome)
    games_won = models.PositiveSmallIntegerField(default=0)
    placing = models.PositiveSmallIntegerField(null=True)
    score = models.DecimalField(max_digits=7, decimal_places=1, null=True)

    class Meta:
        ordering = ["seat__order"]
        constraints = [
            models.UniqueConstraint(fields=["report", "seat"], name="one_result_a_seat"),
            models.CheckConstraint(condition=Q(games_won__lte=MAX_GAMES), name="seat_games_in_range"),
            models.CheckConstraint(condition=Q(outcome__in=["win", "draw", "loss"]), name="seat_outcome_known"),
        ]

    def __str__(self) -> str:
        return f"{self.seat}: {self.outcome}"


class ReportAct(models.Model):
    """What a person did to a report: confirmed it, disputed it, or settled a conflict with it.

    `after_report` is the number of the match's newest report at that moment: what the actor could know of. `issuer` and
    `device` as in `ResultReport`.
    """

    class Name(models.TextChoices):
        CONFIRM = "confirm", _("confirmed")
        DISPUTE = "dispute", _("disputed")
        SETTLE = "settle", _("settled")

    report = models.ForeignKey(ResultReport, models.PROTECT, related_name="acts")
    name = models.CharField(max_length=8, choices=Name)
    actor = models.CharField(max_length=40)
    actor_label = models.CharField(max_length=120, blank=True)
    role = models.CharField(max_length=12)
    issuer = models.PositiveBigIntegerField(null=True)
    device = models.CharField(max_length=16, null=True)
    reason = models.CharField(max_length=500, blank=True)
    acted_at = models.DateTimeField()
    after_report = models.PositiveSmallIntegerField()

    class Meta:
        ordering = ["id"]

    def __str__(self) -> str:
        return f"{self.report}: {self.name}"

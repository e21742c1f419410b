"""Simulations at length, in chunks that workers share: of what players still need, and of an event being planned."""

import uuid

from django.db import models
from django.db.models import Q

from tournaments.models.event import Tournament


class OutlookRun(models.Model):
    """One simulation of everything that may still happen, from a ledger position on.

    `given` is what is simulated (`outlook.given`), `seed` makes it repeatable; chunks are independent of each other,
    so that any worker may compute any of them, twice too.
    """

    tournament = models.ForeignKey(Tournament, models.CASCADE, related_name="outlook_runs")
    position = models.PositiveBigIntegerField()
    seed = models.BigIntegerField()
    given = models.JSONField()
    chunks = models.PositiveSmallIntegerField()
    samples_a_chunk = models.PositiveIntegerField()
    asked_at = models.DateTimeField()
    cancelled_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["-asked_at", "-id"]
        constraints = [
            models.CheckConstraint(condition=Q(chunks__gte=1, samples_a_chunk__gte=1), name="outlook_has_samples")
        ]

    def __str__(self) -> str:
        return f"{self.tournament} at {self.position}"


class OutlookChunk(models.Model):
    """The counts of one chunk of a run; its row exists once it is computed."""

    run = models.ForeignKey(OutlookRun, models.CASCADE, related_name="done")
    number = models.PositiveSmallIntegerField()
    counts = models.JSONField()
    done_at = models.DateTimeField()

    class Meta:
        ordering = ["number"]
        constraints = [models.UniqueConstraint(fields=["run", "number"], name="one_outlook_chunk_a_number")]

    def __str__(self) -> str:
        return f"{self.run_id}: {self.number}"


class PlanRun(models.Model):
    """One simulation of a plan for an event (`plan`, rounds of `minutes`) and of those compared with it (`plans`).

    Both as in `tournaments.forecast.planning.Plan`; `seed` makes it repeatable. Nothing of it is part of the event.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    tournament = models.ForeignKey(Tournament, models.CASCADE, related_name="plan_runs")
    plan = models.JSONField()
    plans = models.JSONField()
    minutes = models.PositiveSmallIntegerField()
    seed = models.BigIntegerField()
    asked_at = models.DateTimeField()
    stopped_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["-asked_at", "-id"]

    def __str__(self) -> str:
        return f"{self.tournament}: {self.plan}"


class PlanChunk(models.Model):
    """What one chunk of a run counted, plan by plan; its row exists once it is computed."""

    run = models.ForeignKey(PlanRun, models.CASCADE, related_name="done")
    number = models.PositiveSmallIntegerField()
    counts = models.JSONField()

    class Meta:
        ordering = ["number"]
        constraints = [models.UniqueConstraint(fields=["run", "number"], name="one_plan_chunk_a_number")]

    def __str__(self) -> str:
        return f"{self.run_id}: {self.number}"

"""What happens to decks during an event: judges check them, players place them before a game."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from decks.models import DeckVersion
from tournaments.models.entry import EntryMember
from tournaments.models.event import Tournament
from tournaments.models.round import Match, Round, Seat


class DeckCheck(models.Model):
    """A judge compared the cards on the table with the registered list; never changed afterwards."""

    class Outcome(models.TextChoices):
        OK = "ok", _("as registered")
        PROBLEM = "problem", _("differs")

    tournament = models.ForeignKey(Tournament, models.CASCADE, related_name="deck_checks")
    member = models.ForeignKey(EntryMember, models.CASCADE, related_name="deck_checks")
    version = models.ForeignKey(DeckVersion, models.PROTECT, related_name="+")
    round = models.ForeignKey(Round, models.SET_NULL, null=True, related_name="+")
    judge = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    outcome = models.CharField(_("outcome"), max_length=10, choices=Outcome)
    notes = models.CharField(_("notes"), max_length=500, blank=True)
    checked_at = models.DateTimeField()

    class Meta:
        ordering = ["-checked_at", "-id"]

    def __str__(self) -> str:
        return f"{self.member_id}: {self.outcome}"


class DeckPlacement(models.Model):
    """A player says that their deck is stacked and placed for one game of a match (DP-STACK, DP-SECRET).

    `actor` and `role` are whose word it is; `issuer` as in `ResultReport`. The word of a table's code reveals nothing.
    """

    match = models.ForeignKey(Match, models.CASCADE, related_name="placements")
    seat = models.ForeignKey(Seat, models.CASCADE, related_name="placements")
    game = models.PositiveSmallIntegerField()
    placed_at = models.DateTimeField()
    actor = models.CharField(max_length=40, blank=True, default="")
    role = models.CharField(max_length=12, blank=True, default="")
    issuer = models.PositiveBigIntegerField(null=True)

    class Meta:
        ordering = ["game", "placed_at"]
        constraints = [
            models.UniqueConstraint(fields=["seat", "game"], name="one_placement_a_game"),
            models.CheckConstraint(condition=Q(game__gte=1), name="games_count_from_1"),
        ]

    def __str__(self) -> str:
        return f"{self.seat_id} game {self.game}"


class StackOrder(models.Model):
    """In which order a player stacks their deck for a game, `cards` by name from the top; their own secret.

    `match` is None for what was prepared before a round, and once its match is gone.
    """

    member = models.ForeignKey(EntryMember, models.CASCADE, related_name="stack_orders")
    match = models.ForeignKey(Match, models.SET_NULL, null=True, related_name="+")
    game = models.PositiveSmallIntegerField(default=1)
    cards = models.JSONField()
    saved_at = models.DateTimeField()

    class Meta:
        ordering = ["-saved_at", "-id"]
        constraints = [models.UniqueConstraint(fields=["member", "match", "game"], name="one_order_a_game")]

    def __str__(self) -> str:
        return f"{self.member_id} game {self.game}"

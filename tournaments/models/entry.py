"""Who takes part: an entry is a player or a team, its members are people with their decks; and what it needs."""

from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from accounts.models import Person
from decks.models import DeckVersion
from tournaments.models.event import Tournament


class Entry(models.Model):
    """A player or a team in a tournament. `number` tells two people of one name apart; `club` and `team` are mates.

    Whoever is disqualified keeps no rank; what was played stays in the averages of opponents
    (docs/how-it-works/standings-and-tiebreakers.md#magic).

    `fixed_table` is the table of a person who needs it, since `fixed_table_set_at`: known to the player, the judges and
    the organisers alone. `needs` (of `Need`) and `extra_minutes` a match are known to these officials alone.
    """

    class Need(models.TextChoices):
        DOOR = "door", _("near the door")
        SCREEN_READER = "screen_reader", _("screen-reader seat")
        QUIET = "quiet", _("quiet place")
        LARGE_PRINT = "large_print", _("large-print slips")

    class State(models.TextChoices):
        WAITING = "waiting", _("on the waiting list")
        REGISTERED = "registered", pgettext_lazy("player", "registered")
        WITHDRAWN = "withdrawn", _("withdrawn before the start")
        DROPPED = "dropped", _("dropped")
        DISQUALIFIED = "disqualified", _("disqualified")

    tournament = models.ForeignKey(Tournament, models.CASCADE, related_name="entries")
    number = models.PositiveIntegerField()
    name = models.CharField(_("name"), max_length=120)
    club = models.CharField(_("club"), max_length=80, blank=True)
    team = models.CharField(_("team"), max_length=80, blank=True, default="")
    fixed_table = models.PositiveIntegerField(_("fixed table"), null=True, blank=True)
    fixed_table_set_at = models.DateTimeField(null=True, editable=False)
    needs = models.JSONField(default=list)
    extra_minutes = models.PositiveSmallIntegerField(default=0)
    state = models.CharField(max_length=12, choices=State, default=State.REGISTERED)
    registered_at = models.DateTimeField()
    checked_in_at = models.DateTimeField(null=True)
    entered_round = models.PositiveSmallIntegerField(default=1)
    dropped_after = models.PositiveSmallIntegerField(null=True)

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["tournament", "number"], name="one_entry_a_number"),
            models.CheckConstraint(condition=~Q(name=""), name="entry_has_a_name"),
            models.CheckConstraint(
                condition=Q(fixed_table=None) | Q(fixed_table__gte=1, fixed_table__lte=9999),
                name="fixed_table_1_to_9999",
            ),
            models.CheckConstraint(
                condition=Q(state__in=["dropped", "disqualified"], dropped_after__isnull=False)
                | (~Q(state__in=["dropped", "disqualified"]) & Q(dropped_after=None)),
                name="dropped_after_a_round",
            ),
        ]

    def __str__(self) -> str:
        return self.name


class EntryMember(models.Model):
    """One person of an entry, in seat order, with the deck registered for this event.

    Of a person's entries at an event one plays at most; the others are withdrawn (`plays_elsewhere`).

    `deck_commitment` is a salted digest of that deck, made when it was registered; the salt stays secret until the deck
    is published, so that anybody can then see that nothing changed. `deck_allowed_at` is when a judge let this deck be
    played although it is not legal.
    """

    entry = models.ForeignKey(Entry, models.CASCADE, related_name="members")
    tournament = models.ForeignKey(Tournament, models.CASCADE, related_name="+")
    person = models.ForeignKey(Person, models.PROTECT, related_name="memberships")
    order = models.PositiveSmallIntegerField(default=1)
    deck_version = models.ForeignKey(DeckVersion, models.PROTECT, null=True, related_name="+")
    deck_registered_at = models.DateTimeField(null=True)
    deck_salt = models.CharField(max_length=64, blank=True, default="")
    deck_commitment = models.CharField(max_length=64, blank=True, default="")
    deck_reopened_until = models.DateTimeField(null=True)
    deck_allowed_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["order"]
        constraints = [
            models.UniqueConstraint(fields=["entry", "person"], name="one_member_a_person"),
            models.UniqueConstraint(fields=["entry", "order"], name="one_member_a_place"),
        ]

    def __str__(self) -> str:
        return str(self.person)

    @property
    def query(self) -> str:
        """What tells this member of a team from the first, behind an address with the number of the entry."""
        return "" if self.order == 1 else f"?member={self.order}"


class AwardedBye(models.Model):
    """A bye given for a round to come, as a prize or at the player's wish; it counts like any other bye."""

    entry = models.ForeignKey(Entry, models.CASCADE, related_name="awarded_byes")
    round_number = models.PositiveSmallIntegerField()

    class Meta:
        ordering = ["round_number"]
        constraints = [
            models.UniqueConstraint(fields=["entry", "round_number"], name="one_awarded_bye_a_round"),
            models.CheckConstraint(
                condition=Q(round_number__gte=1, round_number__lte=99), name="awarded_bye_round_1_to_99"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.entry}, {self.round_number}"


class KeptApart(models.Model):
    """Two entries of one tournament that staff never want paired, the lower id first."""

    one = models.ForeignKey(Entry, models.CASCADE, related_name="+")
    other = models.ForeignKey(Entry, models.CASCADE, related_name="+")
    reason = models.CharField(max_length=500, blank=True)

    class Meta:
        ordering = ["id"]
        verbose_name_plural = "kept apart"
        constraints = [
            models.UniqueConstraint(fields=["one", "other"], name="one_row_kept_apart"),
            models.CheckConstraint(condition=Q(one__lt=F("other")), name="kept_apart_lower_first"),
        ]

    def __str__(self) -> str:
        return f"{self.one}, {self.other}"

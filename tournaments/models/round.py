"""One wave of pairings: rounds, their matches, and who sits where."""

from typing import ClassVar

from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from scoring.standings.records import MatchKind
from tournaments.models.entry import Entry, EntryMember
from tournaments.models.event import Stage
from tournaments.pairing.pods.contenders import LARGEST
from tournaments.pairing.swiss.contenders import RoundInput


class Round(models.Model):
    """A round of a stage. Pairing again makes a new version; the old one stays, superseded.

    `number` counts through all stages of a tournament, so that it alone names a round there.

    `seed`, `engine` and `input_hash` let anybody compute the pairing again from its `stored_input`, and `pairing_hash`
    tells whether that gives the same; `cost`, `bound` and `proved` are its certificate. `paired_without` are the
    matches of earlier rounds that had no result yet; `results_changed_at` is set when an earlier result changed after
    this round was paired on it (docs/how-it-works/trust.md#p4). `levels` are the rounds of a bracket that are played in
    it, such as "W2" (`BracketMatch.level`), none elsewhere. From `lots`, which everybody may know, it is drawn who goes
    first; the seed is not to be had from it. None in rounds from before. A round from a file has no seed and no input.
    """

    class State(models.TextChoices):
        PAIRED = "paired", _("paired, not published")
        PUBLISHED = "published", _("being played")
        CLOSED = "closed", _("closed")

    stage = models.ForeignKey(Stage, models.CASCADE, related_name="rounds")
    number = models.PositiveSmallIntegerField()
    version = models.PositiveSmallIntegerField(default=1)
    state = models.CharField(max_length=10, choices=State, default=State.PAIRED)
    seed = models.BigIntegerField(null=True)
    lots = models.BigIntegerField(null=True)
    engine = models.CharField(max_length=40)
    input_hash = models.CharField(max_length=64, blank=True)
    pairing_hash = models.CharField(max_length=64, blank=True, default="")
    cost = models.JSONField(default=dict)
    bound = models.JSONField(default=dict)
    proved = models.BooleanField(default=False)
    paired_without = models.JSONField(default=list)
    levels = models.JSONField(default=list)
    results_changed_at = models.DateTimeField(null=True)
    paired_at = models.DateTimeField()
    published_at = models.DateTimeField(null=True)
    closed_at = models.DateTimeField(null=True)
    superseded_at = models.DateTimeField(null=True)

    BY_HAND: ClassVar = "by hand"
    """The `engine` of a round whose tables staff entered."""

    class Meta:
        ordering = ["number", "version"]
        constraints = [
            models.UniqueConstraint(fields=["stage", "number", "version"], name="one_round_version"),
            models.UniqueConstraint(
                fields=["stage", "number"], condition=Q(superseded_at=None), name="one_round_a_number"
            ),
            models.CheckConstraint(condition=Q(number__gte=1), name="round_counts_from_1"),
        ]

    def __str__(self) -> str:
        return f"{self.stage} {self.number}"

    @property
    def is_by_hand(self) -> bool:
        """Whether staff entered its tables."""
        return self.engine == self.BY_HAND


class StoredRoundInput(models.Model):
    """What a round was paired from, as `RoundInput.as_dict` writes it: apart, because it is large and seldom read."""

    round = models.OneToOneField(Round, models.CASCADE, related_name="stored_input")
    given = models.JSONField()

    def __str__(self) -> str:
        return str(self.round)

    @property
    def value(self) -> RoundInput:
        """The input as the pairing core takes it."""
        return RoundInput.from_dict(self.given)


class Match(models.Model):
    """Who plays whom. `accepted_report` points at the report that counts; it, `state` and `version` are derived.

    `bracket` is the id of its place in an elimination (`pairing.elimination.BracketMatch.id`), "" elsewhere.

    `explanation` says why these two meet, as reasons (`pairing.explain`); a `locked` match stays when the others are
    paired again. `extra_seconds` is time that judges gave this table beyond the round's clock. `stacking_game` is the
    game after the first for which the table stacks its decks since `stacking_since`; null while none began.
    `draft_step` is how far the table drafts (`tournaments.decks.selectors.drafts`), since `draft_since`.
    """

    class State(models.TextChoices):
        OPEN = "open", _("playing")
        REPORTED = "reported", _("reported, not confirmed")
        CONFLICT = "conflict", _("two different reports")
        DONE = "done", _("done")

    class Kind(models.TextChoices):
        PLAYED = MatchKind.PLAYED.value, _("played")
        BYE = MatchKind.BYE.value, _("bye")
        NO_SHOW = MatchKind.NO_SHOW.value, _("no-show")
        AWARDED = MatchKind.AWARDED.value, _("awarded")
        SOLO = MatchKind.SOLO.value, _("solo")

    round = models.ForeignKey(Round, models.CASCADE, related_name="matches")
    table_number = models.PositiveIntegerField(null=True)
    kind = models.CharField(max_length=10, choices=Kind, default=Kind.PLAYED)
    state = models.CharField(max_length=10, choices=State, default=State.OPEN)
    version = models.PositiveIntegerField(default=0)
    bracket = models.CharField(max_length=12, blank=True, default="")
    locked = models.BooleanField(default=False)
    explanation = models.JSONField(default=list)
    extra_seconds = models.PositiveSmallIntegerField(default=0)
    stacking_game = models.PositiveSmallIntegerField(null=True)
    stacking_since = models.DateTimeField(null=True)
    draft_step = models.PositiveSmallIntegerField(default=0)
    draft_since = models.DateTimeField(null=True)
    accepted_report = models.ForeignKey("ResultReport", models.PROTECT, null=True, related_name="+")

    class Meta:
        ordering = [F("table_number").asc(nulls_last=True), "id"]  # else SQLite puts byes first, PostgreSQL last
        verbose_name_plural = "matches"
        constraints = [
            models.UniqueConstraint(fields=["round", "table_number"], name="one_match_a_table"),
            models.CheckConstraint(
                condition=Q(state="done", accepted_report__isnull=False) | (~Q(state="done") & Q(accepted_report=None)),
                name="done_has_a_report",
            ),
            models.CheckConstraint(condition=Q(table_number=None) | Q(table_number__gte=1), name="tables_count_from_1"),
        ]

    def __str__(self) -> str:
        return f"{self.round} table {self.table_number}"

    @property
    def is_walkover(self) -> bool:
        """Whether publishing gave it to one player of a bracket, because the other had left."""
        return self.kind == self.Kind.AWARDED and bool(self.bracket)


class Seat(models.Model):
    """One place at a match, taken by a member of an entry; points belong to the entry."""

    round = models.ForeignKey(Round, models.CASCADE, related_name="+")
    match = models.ForeignKey(Match, models.CASCADE, related_name="seats")
    order = models.PositiveSmallIntegerField()
    entry = models.ForeignKey(Entry, models.PROTECT, related_name="seats")
    member = models.ForeignKey(EntryMember, models.PROTECT, related_name="seats")

    class Meta:
        ordering = ["order"]
        constraints = [
            models.UniqueConstraint(fields=["match", "order"], name="one_seat_a_place"),
            models.UniqueConstraint(fields=["round", "member"], name="one_seat_a_round"),
            models.CheckConstraint(condition=Q(order__gte=1, order__lte=LARGEST), name="seat_order_1_to_20"),
        ]

    def __str__(self) -> str:
        return str(self.entry)


class PairingChange(models.Model):
    """One change of a round by hand: the tables concerned before and after, why, and at what cost; never changed.

    `before` and `after` are tables as `manual_pairing.services` writes them. An undo is a change of its own (`undoes`).
    """

    class Kind(models.TextChoices):
        SWAP = "swap", _("two players swapped")
        MAKE = "make", _("table created")
        BREAK = "break", _("table broken up")
        BYE = "bye", _("bye assigned")
        LOCK = "lock", _("table locked")
        UNLOCK = "unlock", _("table unlocked")
        MOVE = "move", _("table moved")
        SEAT = "seat", _("player seated at a table")
        UNSEAT = "unseat", _("player taken off a table")
        REPAIR = "repair", _("other tables paired again")
        FOLLOW = "follow", _("bracket followed a changed result")
        UNDO = "undo", _("change undone")

    round = models.ForeignKey(Round, models.CASCADE, related_name="changes")
    number = models.PositiveSmallIntegerField()
    kind = models.CharField(max_length=10, choices=Kind)
    before = models.JSONField()
    after = models.JSONField()
    reason = models.CharField(max_length=500)
    cost_before = models.JSONField(default=dict)
    cost_after = models.JSONField(default=dict)
    actor = models.CharField(max_length=40)
    actor_label = models.CharField(max_length=120, blank=True)
    made_at = models.DateTimeField()
    undoes = models.OneToOneField("self", models.PROTECT, null=True, related_name="undone_by")

    class Meta:
        ordering = ["number"]
        constraints = [models.UniqueConstraint(fields=["round", "number"], name="one_pairing_change_a_number")]

    def __str__(self) -> str:
        return f"{self.round}: {self.kind}"

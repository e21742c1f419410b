"""What happens in the room around the matches: the clock, calls for a judge, announcements, codes of tables."""

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from tournaments.models.entry import EntryMember
from tournaments.models.event import Tournament
from tournaments.models.round import Match, Round
from tournaments.timing import Timing


class RoundClock(models.Model):
    """The time of one phase of a round, given by the server: it ran for `length_seconds` less what it was paused.

    Not begun while `started_at` is None; it stands while `paused_at` is set; `stopped_at` ends it before its time.
    `paused_seconds` are those of pauses that are over. Extra time of single tables is `Match.extra_seconds`.
    """

    class Phase(models.TextChoices):
        ROUND = "round", _("round")
        STACKING = "stacking", _("stacking decks")

    round = models.ForeignKey(Round, models.CASCADE, related_name="clocks")
    phase = models.CharField(max_length=10, choices=Phase, default=Phase.ROUND)
    length_seconds = models.PositiveIntegerField()
    started_at = models.DateTimeField(null=True)
    paused_at = models.DateTimeField(null=True)
    paused_seconds = models.PositiveIntegerField(default=0)
    stopped_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(fields=["round", "phase"], name="one_clock_a_phase"),
            models.CheckConstraint(condition=Q(length_seconds__gte=1), name="clock_has_a_length"),
            models.CheckConstraint(
                condition=Q(started_at__isnull=False) | Q(paused_at=None, stopped_at=None), name="clock_begins_first"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.round}: {self.phase}"

    @property
    def timing(self) -> Timing:
        """Its times as a value."""
        return Timing(self.length_seconds, self.started_at, self.paused_at, self.paused_seconds, self.stopped_at)


class JudgeCall(models.Model):
    """A person at a table asks for a judge: claimed, perhaps escalated; resolved, taken back by who called, or over.

    `member` is the player who called, None where staff or the table's code did.
    """

    class State(models.TextChoices):
        OPEN = "open", _("waiting for a judge")
        CLAIMED = "claimed", _("a judge is on the way")
        ESCALATED = "escalated", _("handed on to the head judge")
        RESOLVED = "resolved", _("resolved")
        WITHDRAWN = "withdrawn", _("undone")
        LAPSED = "lapsed", _("over with its round")

    class Kind(models.TextChoices):
        RULES = "rules", _("rules question")
        RESULT = "result", _("about the result")
        DECK = "deck", _("about a deck")
        MISSING = "missing", _("a player is missing")
        OTHER = "other", _("something else")

    tournament = models.ForeignKey(Tournament, models.CASCADE, related_name="judge_calls")
    match = models.ForeignKey(Match, models.CASCADE, related_name="judge_calls")
    member = models.ForeignKey(EntryMember, models.SET_NULL, null=True, related_name="judge_calls")
    kind = models.CharField(max_length=10, choices=Kind, default=Kind.RULES)
    note = models.CharField(max_length=300, blank=True)
    state = models.CharField(max_length=10, choices=State, default=State.OPEN)
    called_at = models.DateTimeField()
    judge = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    claimed_at = models.DateTimeField(null=True)
    escalated_at = models.DateTimeField(null=True)
    ended_at = models.DateTimeField(null=True)
    outcome = models.CharField(max_length=500, blank=True)

    class Meta:
        ordering = ["called_at", "id"]
        constraints = [
            models.UniqueConstraint(
                fields=["match"], condition=Q(state__in=["open", "claimed", "escalated"]), name="one_open_call_a_match"
            ),
            models.CheckConstraint(
                condition=Q(state__in=["resolved", "withdrawn", "lapsed"], ended_at__isnull=False)
                | Q(state__in=["open", "claimed", "escalated"], ended_at=None),
                name="ended_calls_have_an_end",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.match}: {self.kind}"


class Announcement(models.Model):
    """What the organiser tells the room, on the wall and on every page of the event, until it is withdrawn."""

    tournament = models.ForeignKey(Tournament, models.CASCADE, related_name="announcements")
    text = models.CharField(_("text"), max_length=300)
    is_urgent = models.BooleanField(_("urgent: large on every screen"), default=False)
    actor = models.CharField(max_length=40)
    actor_label = models.CharField(max_length=120, blank=True)
    posted_at = models.DateTimeField()
    withdrawn_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["-posted_at", "-id"]

    def __str__(self) -> str:
        return self.text


class TableCode(models.Model):
    """The code on a table: whoever opens it may report that table's current match.

    See docs/how-it-works/trust.md#t1 to #t4.

    Only the hash of its 128 random bits is kept. It names a table, never a match: the server looks up who sits there.
    """

    tournament = models.ForeignKey(Tournament, models.CASCADE, related_name="table_codes")
    table_number = models.PositiveIntegerField()
    token_hash = models.CharField(max_length=64, unique=True)
    issued_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    created_at = models.DateTimeField()
    valid_from = models.DateTimeField()
    expires_at = models.DateTimeField()
    revoked_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["table_number", "-id"]
        constraints = [
            models.UniqueConstraint(
                fields=["tournament", "table_number"], condition=Q(revoked_at=None), name="one_code_a_table"
            ),
            models.CheckConstraint(condition=Q(table_number__gte=1), name="codes_of_tables_from_1"),
            models.CheckConstraint(condition=Q(expires_at__gt=F("valid_from")), name="table_code_expires_later"),
        ]

    def __str__(self) -> str:
        return f"{self.tournament} table {self.table_number}"

"""A tournament, its stages and the people who run it.

One long module, since a tournament refers to its stages and roles, and its settings are one table.
"""

import secrets
from functools import cache
from zoneinfo import available_timezones

from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import models
from django.db.models import F, Q
from django.utils.text import slugify
from django.utils.translation import gettext_lazy as _

from scoring.standings.records import ScoringPolicy
from scoring.standings.results import MatchLength
from tournaments.pairing.pods.contenders import TablePolicy
from tournaments.pairing.swiss.contenders import PairingPolicy
from tournaments.table_marks import validate_table_numbers

ALPHABET = "23456789abcdefghjkmnpqrstuvwxyz"  # no letters or digits that are easily confused
RANDOM_LENGTH = 16  # of 31 symbols: 79 bits, so that private events cannot be guessed (docs/how-it-works/trust.md#d5)


def random_slug(name: str) -> str:
    """An address for a tournament: its name, shortened, and enough chance not to be guessed."""
    chance = "".join(secrets.choice(ALPHABET) for _ in range(RANDOM_LENGTH))
    return f"{slugify(name)[:40].strip('-') or 'event'}-{chance}"


def new_stream() -> str:
    """An opaque id for a tournament's stream of ledger entries."""
    return secrets.token_hex(16)


@cache
def time_zones() -> frozenset[str]:
    """Every name the time zone database knows; its folders are read once a process."""
    return frozenset(available_timezones())


def validate_time_zone(name: str) -> None:
    """Refuse names the time zone database does not know."""
    if name not in time_zones():
        raise ValidationError(_("“%(name)s” isn't a time zone. Example: Europe/Berlin."), params={"name": name})


class Tournament(models.Model):
    """One event. Its `policy` is the rules profile, frozen when it starts. A rehearsal is a private copy.

    `sheet_options` are the options of its score sheets as the tally of its game takes them (`scoring.games`), and
    "signatures": whether "all" at a table sign a sheet before it counts, or "one" besides who filed it. `round_minutes`
    None: as usual, 0: no clock. Players may check themselves in `check_in_minutes` before `starts_at`; after
    `no_show_…_minutes` judges are proposed a loss; None: never. `table_reports`: what a table's code needs to count.
    `scorekeepers_issue`: they make what lets others act. `is_brought`: from a file. `door_tables`: such as "1-4, 9".
    `moved_at`: since when it goes on elsewhere and nobody changes it here.
    """

    see_rule = "event.see"

    class State(models.TextChoices):
        DRAFT = "draft", _("draft")
        REGISTRATION = "registration", _("registration open")
        RUNNING = "running", _("running")
        FINISHED = "finished", _("finished")
        CANCELLED = "cancelled", _("cancelled")

    class Visibility(models.TextChoices):
        PUBLIC = "public", _("public: listed for everybody")
        UNLISTED = "unlisted", _("unlisted: anyone with the link")
        PRIVATE = "private", _("private: staff and players only")

    class DeckPublish(models.TextChoices):
        NEVER = "never", _("never")
        AFTER_CUT = "after_cut", _("to everyone after the cut (no cut: after the event)")
        AFTER_END = "after_end", _("to everybody once the event is finished")
        TO_OPPONENT = "to_opponent", _("to the opponent when the match starts")

    class TableReports(models.TextChoices):
        OFF = "off", _("off")
        PLAYERS = "agreed", _("count once another player at the table confirms")
        STAFF = "staff", _("count once the staff agree")

    slug = models.SlugField(max_length=80, unique=True, editable=False)
    stream = models.CharField(max_length=40, unique=True, default=new_stream, editable=False)
    name = models.CharField(_("name"), max_length=120)
    place = models.CharField(_("place"), max_length=160, blank=True)
    starts_at = models.DateTimeField(_("starts at"))
    time_zone = models.CharField(_("time zone"), max_length=64, default="UTC", validators=[validate_time_zone])
    visibility = models.CharField(_("visibility"), max_length=10, choices=Visibility, default=Visibility.PUBLIC)
    state = models.CharField(max_length=12, choices=State, default=State.DRAFT, editable=False)
    game = models.SlugField(_("game"), max_length=40)
    game_format = models.SlugField(_("format"), max_length=60)
    best_of = models.PositiveSmallIntegerField(_("games a match"), default=3)
    exact_games = models.BooleanField(_("all games are played"), default=False)
    deciding_game = models.SlugField(_("roles in the deciding game"), max_length=40, blank=True, default="")
    swiss_rounds = models.PositiveSmallIntegerField(_("Swiss rounds"), null=True, blank=True)
    policy = models.JSONField(default=dict)
    pairing = models.JSONField(default=dict, blank=True)
    scores_as_recorded = models.BooleanField(_("accept scores as recorded elsewhere"), default=False)
    players_report = models.BooleanField(_("players report their results"), default=True)
    check_in = models.BooleanField(_("players check in before the start"), default=False)
    check_in_minutes = models.PositiveSmallIntegerField(_("minutes of own check-in"), null=True, blank=True)
    self_sign_up = models.BooleanField(_("players sign up themselves"), default=True)
    capacity = models.PositiveIntegerField(_("capacity"), null=True, blank=True)
    deck_required = models.BooleanField(_("a decklist is required"), default=False)
    deck_deadline = models.DateTimeField(_("deck deadline"), null=True, blank=True)
    deck_publish = models.CharField(
        _("decklists are shown"), max_length=12, choices=DeckPublish, default=DeckPublish.NEVER
    )
    decks_published_at = models.DateTimeField(null=True, editable=False)
    variant = models.SlugField(_("variant"), max_length=60, blank=True, default="")
    way = models.SlugField(_("way to play"), max_length=60, blank=True, default="")
    pinned_lists = models.JSONField(null=True, editable=False)
    score_sheets = models.BooleanField(_("tables fill in a score sheet"), default=False)
    sheet_options = models.JSONField(default=dict, blank=True)
    stacking_minutes = models.PositiveSmallIntegerField(_("minutes to stack decks"), null=True, blank=True)
    round_minutes = models.PositiveSmallIntegerField(_("minutes a round"), null=True, blank=True)
    clock_warnings = models.JSONField(_("minutes left at warnings"), null=True, blank=True)
    no_show_game_minutes = models.PositiveSmallIntegerField(null=True, blank=True)
    no_show_match_minutes = models.PositiveSmallIntegerField(null=True, blank=True)
    hall_closes_at = models.DateTimeField(_("the hall closes at"), null=True, blank=True)
    table_reports = models.CharField(
        _("results by the code on the table"), max_length=6, choices=TableReports, default=TableReports.STAFF
    )
    door_tables = models.CharField(max_length=200, blank=True, default="", validators=[validate_table_numbers])
    screen_reader_tables = models.CharField(max_length=200, blank=True, default="", validators=[validate_table_numbers])
    quiet_tables = models.CharField(max_length=200, blank=True, default="", validators=[validate_table_numbers])
    scorekeepers_issue = models.BooleanField(_("scorekeepers create personal links and table codes"), default=False)
    keeps_contacts = models.BooleanField(_("contact data is kept for good"), default=False)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+", editable=False
    )
    created_at = models.DateTimeField(editable=False)
    started_at = models.DateTimeField(null=True, editable=False)
    finished_at = models.DateTimeField(null=True, editable=False)
    is_brought = models.BooleanField(default=False, editable=False)
    moved_at = models.DateTimeField(null=True, editable=False)
    moved_to = models.CharField(max_length=160, blank=True, default="", editable=False)
    moved_url = models.URLField(max_length=300, blank=True, default="", editable=False)
    shows_outlook = models.BooleanField(_("players see what they need"), default=False)
    rehearsal_of = models.ForeignKey("self", models.CASCADE, null=True, related_name="rehearsals", editable=False)

    class Meta:
        ordering = ["-starts_at", "-id"]
        constraints = [
            models.CheckConstraint(condition=Q(best_of__gte=1, best_of__lte=9), name="tournament_best_of_1_to_9"),
            models.CheckConstraint(
                condition=Q(swiss_rounds=None) | Q(swiss_rounds__gte=1, swiss_rounds__lte=99),
                name="tournament_rounds_1_to_99",
            ),
            models.CheckConstraint(
                condition=Q(capacity=None) | Q(capacity__gte=2), name="tournament_capacity_2_or_more"
            ),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def scoring_policy(self) -> ScoringPolicy:
        """The stored rules profile as a value."""
        return ScoringPolicy.from_dict(self.policy)

    @property
    def counts_scores(self) -> bool:
        """Whether its standings read the scores of tables."""
        return self.scoring_policy.counts_scores

    @property
    def pairing_policy(self) -> PairingPolicy:
        """The stored rules of pairing as a value."""
        return PairingPolicy.from_dict(self.pairing)

    @property
    def match_length(self) -> MatchLength:
        """How long a match of this tournament is."""
        return MatchLength(self.best_of, exactly=self.exact_games)


class Stage(models.Model):
    """A part of a tournament with one way of pairing, and how its field comes out of the stage before.

    Rounds are numbered through all stages. `planned_rounds` None: as many as its kind and field need (the first stage's
    stand in `Tournament.swiss_rounds`). `carries_points`: its standings count the stages before too. `round_minutes`
    and `clock_warnings` None: as the event; `sheet_options` beat the event's. `seeds` are the entries by id, the best
    first, None for a place left empty: set when the stage begins, None until then.
    """

    class Kind(models.TextChoices):
        SWISS = "swiss", _("Swiss rounds")
        ROUND_ROBIN = "round_robin", _("round robin: everybody meets everybody")
        TABLES = "tables", _("rounds at tables of several players")
        SINGLE_ELIMINATION = "single", _("single elimination")
        DOUBLE_ELIMINATION = "double", _("double elimination")

    class Qualify(models.TextChoices):
        EVERYBODY = "everybody", _("everybody who still plays")
        TOP = "top", _("the best of the standings")
        POINTS = "points", _("everyone with enough match points")

    tournament = models.ForeignKey(Tournament, models.CASCADE, related_name="stages")
    number = models.PositiveSmallIntegerField(default=1)
    kind = models.CharField(_("kind"), max_length=12, choices=Kind, default=Kind.SWISS)
    name = models.CharField(_("name"), max_length=60, blank=True, default="")
    planned_rounds = models.PositiveSmallIntegerField(_("rounds"), null=True, blank=True)
    qualify = models.CharField(_("who plays on"), max_length=10, choices=Qualify, default=Qualify.EVERYBODY)
    qualify_value = models.PositiveSmallIntegerField(null=True, blank=True)
    replaces_dropped = models.BooleanField(_("the next players replace drops"), default=True)
    carries_points = models.BooleanField(_("points so far count on"), default=False)
    best_of = models.PositiveSmallIntegerField(_("games a match"), null=True, blank=True)
    third_place = models.BooleanField(_("a match for third place"), default=False)
    bracket_reset = models.BooleanField(_("the grand final may be played twice"), default=True)
    return_leg = models.BooleanField(_("everybody meets twice"), default=False)
    tables = models.JSONField(default=dict, blank=True)
    round_minutes = models.PositiveSmallIntegerField(_("minutes a round"), null=True, blank=True)
    clock_warnings = models.JSONField(_("minutes left at warnings"), null=True, blank=True)
    sheet_options = models.JSONField(default=dict, blank=True)
    seeds = models.JSONField(null=True)
    started_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["tournament", "number"], name="one_stage_a_number"),
            models.CheckConstraint(condition=Q(number__gte=1), name="stages_count_from_1"),
            models.CheckConstraint(
                condition=Q(qualify="everybody", qualify_value=None)
                | (~Q(qualify="everybody") & Q(qualify_value__isnull=False)),
                name="cut_has_a_value",
            ),
            models.CheckConstraint(
                condition=Q(planned_rounds=None) | Q(planned_rounds__gte=1, planned_rounds__lte=99),
                name="stage_rounds_1_to_99",
            ),
            models.CheckConstraint(
                condition=Q(best_of=None) | Q(best_of__gte=1, best_of__lte=9), name="stage_best_of_1_to_9"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.tournament} {self.number}"

    @property
    def is_bracket(self) -> bool:
        """Whether who loses is out: places come from the bracket, not from points."""
        return self.kind in (self.Kind.SINGLE_ELIMINATION, self.Kind.DOUBLE_ELIMINATION)

    @property
    def counts_rounds(self) -> bool:
        """Whether it has as many rounds as the organiser likes, and byes; elsewhere both follow from who plays."""
        return self.kind in (self.Kind.SWISS, self.Kind.TABLES)

    @property
    def needs_winner(self) -> bool:
        """Whether a match of this stage must have a winner, because a person plays on."""
        return self.is_bracket

    @property
    def match_length(self) -> MatchLength:
        """How long a match of this stage is."""
        usual = self.tournament.match_length
        return usual if self.best_of is None else MatchLength(self.best_of, exactly=usual.exactly)

    @property
    def table_policy(self) -> TablePolicy:
        """How tables of several players are filled."""
        return TablePolicy.from_dict(self.tables)


class Role(models.Model):
    """What a user may do in one tournament; a role in one event gives nothing in another.

    See docs/how-it-works/trust.md#access.
    """

    class Name(models.TextChoices):
        ORGANISER = "organiser", _("organiser")
        JUDGE = "judge", _("judge")
        SCOREKEEPER = "scorekeeper", _("scorekeeper")
        HEAD_JUDGE = "head_judge", _("head judge")
        CHECK_IN = "check_in", _("check-in helper")
        STREAM = "stream", _("stream")

    tournament = models.ForeignKey(Tournament, models.CASCADE, related_name="roles")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="event_roles")
    name = models.CharField(max_length=12, choices=Name)
    granted_at = models.DateTimeField()

    class Meta:
        ordering = ["name", "user_id"]
        constraints = [models.UniqueConstraint(fields=["tournament", "user", "name"], name="one_role_row")]

    def __str__(self) -> str:
        return f"{self.user}: {self.name}"


class StaffInvite(models.Model):
    """A link that gives one role to whoever opens it first while signed in; only its hash is stored."""

    tournament = models.ForeignKey(Tournament, models.CASCADE, related_name="invites")
    role = models.CharField(max_length=12, choices=Role.Name)
    token_hash = models.CharField(max_length=64, unique=True)
    created_at = models.DateTimeField()
    expires_at = models.DateTimeField()
    accepted_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    accepted_at = models.DateTimeField(null=True)
    revoked_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["-created_at"]
        constraints = [models.CheckConstraint(condition=Q(expires_at__gt=F("created_at")), name="invite_expires_later")]

    def __str__(self) -> str:
        return f"{self.role} of {self.tournament}"

"""Events as JSON: what an organiser writes, what visitors read."""

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from django.utils.translation import gettext_lazy as _
from rest_framework import serializers

from accounts.http.access import is_allowed
from scoring.standings.presets import PRESETS
from scoring.standings.records import MAX_BYE_GAMES, MAX_LIST, MAX_UNIT, PointsBy, Rounding, ScoringPolicy
from scoring.standings.tiebreakers import TIEBREAKERS
from tournaments.api.serializers.room import warnings_field
from tournaments.entries.selectors.private_needs import NEED_TABLES
from tournaments.events.services.event_drafts import EventDraft, follow_way, standard_policy
from tournaments.models import Tournament
from tournaments.pairing.swiss.contenders import Apart, Finish, Order, PairingPolicy
from tournaments.permissions import roles_of

FLOOR = r"^(0|1|0?\.[0-9]{1,6}|[0-9]{1,4}/[1-9][0-9]{0,3})$"
WEIGHT = r"^([0-9](\.[0-9]{1,6})?|[0-9]{1,4}/[1-9][0-9]{0,3})$"
KEPT_APART = [each.value for each in Apart]
FINISHES = [each.value for each in Finish]
EARLIEST, LATEST = datetime(1970, 1, 2, tzinfo=UTC), datetime(2200, 1, 1, tzinfo=UTC)


def validate_moment(moment: datetime) -> None:
    """Refuse times that no calendar of ours can show."""
    if not EARLIEST <= moment < LATEST:
        raise serializers.ValidationError(_("Choose a time between 1970 and 2200."))


def points(least: int = 0) -> serializers.IntegerField:
    """Points for one outcome."""
    return serializers.IntegerField(min_value=least, max_value=100, required=False)


def point_rows(length: int | None = None) -> serializers.ListField:
    """A list of rows of points; each of `length` numbers where that is given."""
    row = serializers.ListField(
        child=serializers.IntegerField(min_value=0, max_value=100),
        min_length=length or 2,
        max_length=length or MAX_LIST,
    )
    return serializers.ListField(child=row, max_length=MAX_LIST, required=False)


class PolicySerializer(serializers.Serializer[Any]):
    """The rules of scoring; what is left out is as usual for the game, or as the `preset` has it.

    Points are whole numbers, of which `point_unit` are written as one. `placing_points` hold a row for each size of
    table; tables of 7 and more without one take the longest, its last number for every further place. `score_points`
    are games won, games lost and the points for that.
    """

    preset = serializers.ChoiceField(sorted(PRESETS), required=False, write_only=True)
    win = points(1)
    draw = points()
    loss = points()
    bye = points()
    requested_bye = serializers.IntegerField(min_value=0, max_value=100, required=False, allow_null=True)
    game_win = points(1)
    game_draw = points()
    game_loss = points()
    points_by = serializers.ChoiceField([each.value for each in PointsBy], required=False)
    score_points = point_rows(3)
    placing_points = point_rows()
    point_unit = serializers.IntegerField(min_value=1, max_value=MAX_UNIT, required=False)
    floor = serializers.RegexField(
        FLOOR, required=False, help_text="A fraction such as 1/3, or a decimal such as 0.33."
    )
    bye_games = serializers.ListField(
        child=serializers.IntegerField(min_value=0, max_value=9), min_length=2, max_length=2, required=False
    )
    bye_in_own_match_pct = serializers.BooleanField(required=False)
    bye_in_own_game_pct = serializers.BooleanField(required=False)
    gw_floored = serializers.BooleanField(required=False)
    bye_opponents = serializers.IntegerField(min_value=0, max_value=MAX_BYE_GAMES, required=False)
    bye_opponent_share = serializers.RegexField(FLOOR, required=False)
    round_weights = serializers.ListField(child=serializers.RegexField(WEIGHT), max_length=MAX_LIST, required=False)
    tiebreakers = serializers.ListField(
        child=serializers.ChoiceField(sorted(TIEBREAKERS)), min_length=1, max_length=len(TIEBREAKERS), required=False
    )
    decimals = serializers.IntegerField(min_value=0, max_value=10, required=False)
    rounding = serializers.ChoiceField([each.value for each in Rounding], required=False)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Put the rules of the `preset` under those given; the games of a bye follow the match length."""
        chosen = PRESETS.get(attrs.pop("preset", ""))
        if chosen is None:
            return attrs
        rules = chosen.policy.as_dict()
        return {**{name: value for name, value in rules.items() if name != "bye_games"}, **attrs}


class PairingSerializer(serializers.Serializer[Any]):
    """How Swiss rounds are paired; what is left out stays as usual (least squares, nobody kept apart, the lot)."""

    order = serializers.ChoiceField([each.value for each in Order], required=False)
    clubs = serializers.ChoiceField(KEPT_APART, required=False)
    teams = serializers.ChoiceField(KEPT_APART, required=False)
    finish = serializers.ChoiceField(FINISHES, required=False)
    last_finish = serializers.ChoiceField(FINISHES, required=False)


class EventDraftSerializer(serializers.Serializer[Any]):
    """What an organiser says about an event. `swiss_rounds` null means: as many as the attendance recommends.

    A new event without `best_of` has matches as long as is usual for its way to play.
    """

    name = serializers.CharField(max_length=120)
    starts_at = serializers.DateTimeField(validators=[validate_moment])
    game = serializers.CharField(max_length=40)
    game_format = serializers.CharField(max_length=60)
    variant = serializers.CharField(max_length=60, required=False, allow_blank=True)
    way = serializers.CharField(
        max_length=60,
        required=False,
        allow_blank=True,
        help_text="How the game is played, one of the game's `ways`; what is left out follows it.",
    )
    place = serializers.CharField(max_length=160, required=False, allow_blank=True)
    time_zone = serializers.CharField(max_length=64, required=False)
    visibility = serializers.ChoiceField(Tournament.Visibility.choices, required=False)
    best_of = serializers.IntegerField(min_value=1, max_value=9, required=False)
    exact_games = serializers.BooleanField(required=False)
    deciding_game = serializers.CharField(max_length=40, required=False, allow_blank=True)
    swiss_rounds = serializers.IntegerField(min_value=1, max_value=99, required=False, allow_null=True)
    policy = PolicySerializer(required=False)
    pairing = PairingSerializer(required=False)
    scores_as_recorded = serializers.BooleanField(required=False)
    players_report = serializers.BooleanField(required=False)
    table_reports = serializers.ChoiceField(Tournament.TableReports.choices, required=False)
    scorekeepers_issue = serializers.BooleanField(required=False)
    keeps_contacts = serializers.BooleanField(
        required=False,
        help_text="Contact data of players without an account is kept, not removed 90 days after the event.",
    )
    door_tables = serializers.CharField(
        max_length=200, required=False, allow_blank=True, help_text="Tables near the door, such as 1-4, 9."
    )
    screen_reader_tables = serializers.CharField(max_length=200, required=False, allow_blank=True)
    quiet_tables = serializers.CharField(max_length=200, required=False, allow_blank=True)
    check_in = serializers.BooleanField(required=False)
    check_in_minutes = serializers.IntegerField(
        min_value=1, max_value=2880, required=False, allow_null=True,
        help_text="How long before the start players may check themselves in; null: staff do it.",
    )  # fmt: skip
    self_sign_up = serializers.BooleanField(required=False)
    capacity = serializers.IntegerField(min_value=2, max_value=100_000, required=False, allow_null=True)
    deck_required = serializers.BooleanField(required=False)
    deck_deadline = serializers.DateTimeField(required=False, allow_null=True, validators=[validate_moment])
    deck_publish = serializers.ChoiceField(Tournament.DeckPublish.choices, required=False)
    stacking_minutes = serializers.IntegerField(
        min_value=0, max_value=60, required=False, allow_null=True, help_text="0: the site asks for no stacking."
    )
    round_minutes = serializers.IntegerField(
        min_value=0,
        max_value=600,
        required=False,
        allow_null=True,
        help_text="The clock of a round; null: as usual for the game, 0: no clock.",
    )
    clock_warnings = warnings_field(
        required=False, help_text="The minutes left at which the clock warns; null: as the way has them."
    )
    no_show_game_minutes = serializers.IntegerField(
        min_value=1, max_value=600, required=False, allow_null=True,
        help_text="Judges are proposed a game loss for a missing player after so many minutes of a round; null: never.",
    )  # fmt: skip
    no_show_match_minutes = serializers.IntegerField(
        min_value=1, max_value=600, required=False, allow_null=True, help_text="The same for a match loss."
    )  # fmt: skip
    hall_closes_at = serializers.DateTimeField(
        required=False, allow_null=True, validators=[validate_moment],
        help_text="When the event must be over; staff see whether it will be.",
    )  # fmt: skip
    score_sheets = serializers.BooleanField(
        required=False,
        allow_null=True,
        help_text="Whether tables fill in score sheets; null: as is usual for the game.",
    )
    sheet_options = serializers.DictField(
        required=False,
        help_text="What is agreed on for the score sheets and not usual for the game; left out: as the way has it.",
    )


class NewEventSerializer(EventDraftSerializer):
    """A new event; `also_judge` makes its organiser a judge too, which all staff see."""

    also_judge = serializers.BooleanField(required=False)
    structure = serializers.CharField(
        required=False,
        help_text=(
            "The stages it begins with, as far as its way allows: rounds, top-4, top-8, round_robin, "
            "single or double (elimination); left out: as the way has it."
        ),
    )


def new_draft(values: dict[str, Any]) -> EventDraft:
    """The draft that a full body describes; DomainError "bad_policy"."""
    rules = {"policy": None, "pairing": PairingPolicy.from_dict(values.get("pairing", {}))}
    draft = follow_way(EventDraft(**{**values, **rules}))
    usual = standard_policy(draft.best_of or 1, draft.game)
    return replace(draft, policy=ScoringPolicy.from_dict({**usual.as_dict(), **values.get("policy", {})}))


class EventFactsSerializer(serializers.Serializer[Tournament]):
    """What is shown of an event everywhere."""

    slug = serializers.SlugField()
    name = serializers.CharField()
    place = serializers.CharField()
    starts_at = serializers.DateTimeField()
    time_zone = serializers.CharField()
    visibility = serializers.ChoiceField(Tournament.Visibility.choices)
    state = serializers.ChoiceField(Tournament.State.choices)
    game = serializers.CharField()
    game_format = serializers.CharField()
    variant = serializers.CharField()
    way = serializers.CharField()
    best_of = serializers.IntegerField()
    swiss_rounds = serializers.IntegerField(allow_null=True)
    moved_at = serializers.DateTimeField(
        allow_null=True,
        help_text="Since when it goes on at another site and every act here is refused; else null.",
    )
    moved_to = serializers.CharField(help_text="Where to, in the organiser's words.")
    moved_url = serializers.CharField(help_text="The event's address there, if one was given.")


class EventLineSerializer(EventFactsSerializer):
    """An event in a list; `players` counts who is registered or dropped."""

    players = serializers.IntegerField(source="playing")


class EventSerializer(EventFactsSerializer):
    """An event with all its settings; `my_roles` are those of the caller. Tables for needs: null but for officials."""

    exact_games = serializers.BooleanField()
    deciding_game = serializers.CharField()
    policy = PolicySerializer()
    pairing = PairingSerializer(source="pairing_policy", read_only=True)
    scores_as_recorded = serializers.BooleanField()
    players_report = serializers.BooleanField()
    table_reports = serializers.ChoiceField(Tournament.TableReports.choices)
    scorekeepers_issue = serializers.BooleanField()
    keeps_contacts = serializers.BooleanField()
    door_tables = serializers.CharField(allow_null=True)
    screen_reader_tables = serializers.CharField(allow_null=True)
    quiet_tables = serializers.CharField(allow_null=True)
    check_in = serializers.BooleanField()
    check_in_minutes = serializers.IntegerField(allow_null=True)
    self_sign_up = serializers.BooleanField()
    capacity = serializers.IntegerField(allow_null=True)
    deck_required = serializers.BooleanField()
    deck_deadline = serializers.DateTimeField(allow_null=True)
    deck_publish = serializers.ChoiceField(Tournament.DeckPublish.choices)
    decks_published_at = serializers.DateTimeField(allow_null=True)
    stacking_minutes = serializers.IntegerField(allow_null=True)
    round_minutes = serializers.IntegerField(allow_null=True)
    clock_warnings = warnings_field()
    no_show_game_minutes = serializers.IntegerField(allow_null=True)
    no_show_match_minutes = serializers.IntegerField(allow_null=True)
    hall_closes_at = serializers.DateTimeField(allow_null=True)
    score_sheets = serializers.BooleanField()
    sheet_options = serializers.DictField()
    started_at = serializers.DateTimeField(allow_null=True)
    finished_at = serializers.DateTimeField(allow_null=True)
    my_roles = serializers.SerializerMethodField()

    def to_representation(self, event: Tournament) -> dict[str, Any]:
        """Hide the tables for private needs: with them, a seat there would tell of a need."""
        fields = super().to_representation(event)
        hides = not is_allowed("entry.needs", self.context["view"].actor, event)
        return fields | dict.fromkeys(NEED_TABLES.values()) if hides else fields

    def get_my_roles(self, event: Tournament) -> list[str]:
        """The caller's roles at the event, sorted."""
        return sorted(roles_of(self.context["view"].actor, event))

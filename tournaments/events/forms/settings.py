"""The form in which an organiser says what an event is."""

from collections.abc import Collection, Iterable
from typing import Any
from zoneinfo import ZoneInfo

from django import forms
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts.http.choices import set_choices
from accounts.models import User
from rules_engine.systems import get_system
from scoring.standings.records import ScoringPolicy
from tournaments.core.forms import LocalDateTimeInput
from tournaments.events.forms.folds import Fold, Value, folds_of, value_of
from tournaments.events.forms.settings_parts import (
    ClockForm,
    TablesField,
    TimeZoneField,
    chosen_play,
    first_play,
    is_play,
    play_choices,
    zone_called,
)
from tournaments.models import Tournament
from tournaments.models.event import time_zones
from tournaments.room.selectors.clocks import usual_round_minutes
from tournaments.rounds.forms import PairingForm
from tournaments.sheets.forms import SheetsForm
from tournaments.sheets.selectors.sheets import SIGNATURES
from tournaments.standings.forms.scoring import ScoringForm

PAIR = 2
"""Exactly two games a match, for games with unequal roles: everybody plays both."""
FROZEN = ("play", "best_of", "exact_games", "sheet_options")
"""Fields that decide results: fixed once an event runs, together with the rules of scoring."""


class RadioSelect(forms.RadioSelect):
    """Radio buttons of which only the `offered` values can be chosen; None for all."""

    offered: Collection[str] | None = None

    def create_option(self, name: str, value: Any, *args: Any, **kwargs: Any) -> dict[str, Any]:
        """One button, disabled where its value is not offered."""
        option: dict[str, Any] = super().create_option(name, value, *args, **kwargs)
        if self.offered is not None and value not in self.offered:
            option["attrs"]["disabled"] = True
        return option


class EventForm(ScoringForm, PairingForm, SheetsForm, ClockForm):
    """What an event is. Times are typed and shown in the event's own time zone."""

    is_new = False

    name = forms.CharField(label=_("Name"), max_length=120, help_text=_("Players see it on every page."))
    place = forms.CharField(label=_("Venue"), max_length=160, required=False)
    starts_at = forms.DateTimeField(label=_("Starts"), widget=LocalDateTimeInput)
    time_zone = TimeZoneField()
    visibility = forms.ChoiceField(label=_("Visibility"), choices=Tournament.Visibility, widget=forms.RadioSelect)
    play = forms.ChoiceField(label=_("Game and way to play"))
    shown_play = forms.CharField(required=False, max_length=160, widget=forms.HiddenInput)
    best_of = forms.TypedChoiceField(
        label=_("Match length"),
        coerce=int,
        empty_value=None,
        widget=forms.RadioSelect,
    )
    swiss_rounds = forms.IntegerField(label=_("Swiss rounds"), required=False, min_value=1, max_value=99)
    capacity = forms.IntegerField(
        label=_("Player limit"),
        required=False,
        min_value=2,
        max_value=100_000,
        help_text=_("Later players join the waiting list. Leave empty for no limit."),
    )
    deck_required = forms.BooleanField(
        label=_("Require decklists"),
        required=False,
        help_text=_("Doomdesk checks lists against the format."),
    )
    deck_deadline = forms.DateTimeField(
        label=_("Decks lock at"),
        required=False,
        help_text=_("At the event start at the latest. Later, only a judge can change decks, with a reason."),
        widget=LocalDateTimeInput,
    )
    deck_publish = forms.ChoiceField(
        label=_("Decklists are shown"),
        choices=Tournament.DeckPublish,
        widget=RadioSelect,
        help_text=_("Players see this first. After the first deck you can only show less; public lists stay public."),
    )
    self_sign_up = forms.BooleanField(label=_("Players sign up themselves"), required=False)
    check_in = forms.BooleanField(
        label=_("Players check in before the start"),
        required=False,
        help_text=_("Players not checked in miss round 1."),
    )
    check_in_minutes = forms.IntegerField(
        label=_("Players check themselves in (minutes before the start)"),
        required=False,
        min_value=1,
        max_value=2880,
        help_text=_("Ends with the start. Leave empty if only staff check in."),
    )
    players_report = forms.BooleanField(
        label=_("Players report their own results"),
        required=False,
        help_text=_("The opponent confirms. Staff can report too."),
    )
    table_reports = forms.TypedChoiceField(
        label=_("Results by the code on the table"),
        choices=Tournament.TableReports,
        empty_value=Tournament.TableReports.STAFF,
        required=False,
        widget=forms.RadioSelect,
        help_text=_(
            "No account needed. But one person could use two phones, so a player with an account or personal link "
            "confirms with that, or the staff confirm."
        ),
    )
    scorekeepers_issue = forms.BooleanField(
        label=_("Scorekeepers can create links and codes"),
        required=False,
        help_text=_("A scorekeeper could report as a player with them. Judges and organisers can always create them."),
    )
    keeps_contacts = forms.BooleanField(
        label=_("Keep contact data after the event"),
        required=False,
        help_text=_("Otherwise email addresses of players without an account are removed 90 days after it."),
    )
    door_tables = TablesField(label=_("Tables near the door"))
    screen_reader_tables = TablesField(label=_("Tables for a screen reader"))
    quiet_tables = TablesField(label=_("Quiet tables"))
    deciding_game = forms.ChoiceField(
        label=_("Roles in the deciding game"),
        required=False,
        help_text=_("For unequal roles, which otherwise swap each game."),
    )
    exact_games = forms.BooleanField(
        label=_("All games of a match are played"),
        required=False,
        help_text=_("Even once decided: “exactly 3”, not “best of 3”."),
    )

    def __init__(
        self,
        *args: Any,
        policy: ScoringPolicy,
        state: str = "",
        user: User | None,
        publishable: Collection[str] | None = None,
        **kwargs: Any,
    ) -> None:
        """Offer what `policy` holds and formats of `user`; disable what the event's `state` has frozen.

        Of the publish policies only the `publishable` ones can be chosen (None: all of them).
        """
        super().__init__(*args, **kwargs)
        self._offer_policies(publishable)
        if self.initial.get("is_first"):
            self.fields["time_zone"].widget.attrs["data-guess"] = self.initial["time_zone"]
        self._read_play()
        self.fields["best_of"].required = not self.is_new
        self.fields["play"].help_text = gettext(self.way.note)
        self._offer_play(user)
        self.offer_scoring(policy, for_new=self.is_new)
        self.offer_sheets(self.system)
        self._freeze(state)

    def _read_play(self) -> None:
        """Which game and way the fields are about: those they were filled for; the choice typed may be another."""
        shown = self.data.get(self.add_prefix("shown_play")) or self.data.get(self.add_prefix("play"))
        known = (str(each) for each in (shown, self.initial.get("play"), first_play()) if is_play(each))
        self.filled_for = next(known)
        game, _format, self.way = chosen_play(self.filled_for)
        self.system = get_system(game)
        self.initial["shown_play"] = self.filled_for

    def _offer_play(self, user: User | None) -> None:
        """Offer every way to play, and of the rest what this game has."""
        facts = self.system.match
        set_choices(self, "play", play_choices(user, self.initial["play"]))
        pairs = [(PAIR, gettext("2 games, 1–1 is a draw"))] if facts.pairs else []
        lengths = [(count, gettext("best of %(count)d") % {"count": count}) for count in facts.best_of_choices]
        set_choices(self, "best_of", sorted([*lengths, *pairs]))
        deciding = [(key, gettext(label)) for key, label in facts.deciding_labels.items()]
        set_choices(self, "deciding_game", [("", gettext("They swap as usual")), *deciding])
        self._offer_minutes()
        if not deciding:
            del self.fields["deciding_game"]

    def _offer_minutes(self) -> None:
        """Say how long a round and the stacking of decks usually are."""
        usual, stacking = usual_round_minutes(self.system.slug, self.way.best_of), self.system.match.stacking
        minutes = usual if self.way.round_minutes is None else self.way.round_minutes
        text = gettext("Leave empty for %(minutes)d. 0: no clock.")
        self._usually("round_minutes", minutes, text)
        warnings = ", ".join(map(str, self.way.warnings))
        self._usually("clock_warnings", warnings, gettext("Leave empty for %(minutes)s."))
        if stacking is None:
            del self.fields["stacking_minutes"]
            return
        text = gettext("Leave empty for %(minutes)d. 0: no stacking, no placing of decks, no Master Plans.")
        self._usually("stacking_minutes", stacking.minutes, text)

    def _usually(self, name: str, usual: int | str, text: str) -> None:
        """Say what an empty field means, below it and in it."""
        self.fields[name].help_text = text % {"minutes": usual}
        self.fields[name].widget.attrs["placeholder"] = str(usual)

    @property
    def is_other_play(self) -> bool:
        """Whether another way to play was chosen, among those offered, than the one the fields were filled for."""
        typed, field = self.data.get(self.add_prefix("play"), self.filled_for), self.fields["play"]
        return typed != self.filled_for and isinstance(field, forms.ChoiceField) and field.valid_value(typed)

    def _offer_policies(self, publishable: Collection[str] | None) -> None:
        field = self.fields["deck_publish"]
        widget: RadioSelect = field.widget
        widget.offered = publishable
        if publishable is not None and len(publishable) < len(Tournament.DeckPublish):
            field.help_text = _("Players have registered decks: you can only show less.")

    def _freeze(self, state: str) -> None:
        ended = state in (Tournament.State.FINISHED, Tournament.State.CANCELLED)
        frozen: Iterable[str] = (*FROZEN, *self.scoring_names) if state == Tournament.State.RUNNING else ()
        frozen = {*self.fields, "sheet_options"} if ended else frozenset(frozen)
        self.freeze_sheets(frozen, but="" if ended else SIGNATURES)
        for name in frozen & self.fields.keys():
            self.fields[name].disabled = True
        if state == Tournament.State.RUNNING:
            self.fields["swiss_rounds"].required = True

    def full_clean(self) -> None:
        """Read the times typed as times of the zone typed beside them."""
        with timezone.override(self._zone()):
            super().full_clean()

    def _zone(self) -> ZoneInfo:
        name = zone_called(str(self["time_zone"].value() or ""))
        return ZoneInfo(name if name in time_zones() else "UTC")

    def clean(self) -> dict[str, Any]:
        """Refuse what the parts refuse; two games a match are always played both."""
        values: dict[str, Any] = super().clean() or {}
        self.clean_sheets(values)
        if values.get("best_of") == PAIR:
            values["exact_games"] = True
        return {"deciding_game": "", "stacking_minutes": None, **values}

    @property
    def folds(self) -> list[Fold]:
        """What the page folds away, with its present values."""
        return folds_of(self, self._zone(), self.sheet_form or ())

    @property
    def pairing_values(self) -> list[Value]:
        """How rounds are paired, for the summary of that fold."""
        return [value_of(self["order"], self._zone())]

    @property
    def point_values(self) -> list[Value]:
        """The rules of scoring, for the summary of that fold."""
        return [value_of(self[name], self._zone()) for name in ("profile", "win", "draw", "loss")]

    @property
    def advanced_errors(self) -> bool:
        """Whether a folded-away field is at fault, so that the page shows it open."""
        return any(name in self.errors for name in ("exact_games", *self.scoring_names))

"""The form in which an organiser says what an event is: for a new one, and for its settings later."""

from collections.abc import Collection, Iterable
from typing import Any
from zoneinfo import ZoneInfo

from django import forms
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts.http.choices import set_choices
from accounts.models import User
from rules_engine.systems import get_system, list_systems
from scoring.standings.records import ScoringPolicy
from tournaments.core.forms import LocalDateTimeInput
from tournaments.events.forms.play import play_choices, play_help, round_help, stacking_help
from tournaments.models import Tournament
from tournaments.models.event import time_zones, validate_time_zone
from tournaments.rounds.forms import PairingForm
from tournaments.sheets.forms import SheetsForm
from tournaments.standings.forms import ScoringForm

LENGTHS = (1, 3, 5)
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


def zone_names() -> list[str]:
    """The time zones offered while typing."""
    return sorted(name for name in time_zones() if "/" in name and not name.startswith("Etc/"))


def deciding_choices() -> list[tuple[str, str]]:
    """How games with unequal roles may share them out in the last game of a match."""
    rules = {key: label for system in list_systems() for key, label in system.match.deciding_labels.items()}
    return [("", gettext("They swap as usual")), *((key, gettext(label)) for key, label in rules.items())]


class EventForm(ScoringForm, PairingForm, SheetsForm):
    """What an event is. Times are typed and shown in the event's own time zone."""

    is_new = False

    name = forms.CharField(label=_("Name"), max_length=120, help_text=_("Players see it on every page."))
    place = forms.CharField(label=_("Venue"), max_length=160, required=False)
    starts_at = forms.DateTimeField(label=_("Starts"), widget=LocalDateTimeInput)
    time_zone = forms.CharField(
        label=_("Time zone"),
        max_length=64,
        validators=[validate_time_zone],
        widget=forms.TextInput(attrs={"list": "zones", "autocapitalize": "none", "spellcheck": "false"}),
        help_text=_("For all event times, such as Europe/Berlin."),
    )
    visibility = forms.ChoiceField(label=_("Who sees it"), choices=Tournament.Visibility, widget=forms.RadioSelect)
    play = forms.ChoiceField(label=_("Game and format"))
    best_of = forms.TypedChoiceField(
        label=_("Match length"),
        coerce=int,
        choices=lambda: [
            *((count, gettext("best of %(count)d") % {"count": count}) for count in LENGTHS),
            (PAIR, gettext("2 games, 1–1 is a draw")),
        ],
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
    stacking_minutes = forms.IntegerField(
        label=_("Deck stacking (minutes)"),
        required=False,
        min_value=0,
        max_value=60,
    )
    round_minutes = forms.IntegerField(label=_("Round length (minutes)"), required=False, min_value=0, max_value=600)
    self_sign_up = forms.BooleanField(label=_("Players sign up themselves"), required=False)
    check_in = forms.BooleanField(
        label=_("Players check in before the start"),
        required=False,
        help_text=_("Players not checked in miss round 1."),
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
            "No account needed, but one person could use two phones. So players with an account or personal link "
            "confirm themselves, or staff do."
        ),
    )
    scorekeepers_issue = forms.BooleanField(
        label=_("Scorekeepers can create links and codes"),
        required=False,
        help_text=_("Creators can use them. Judges and organisers can always create them."),
    )
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
        self.fields["play"].help_text = play_help()
        self.fields["stacking_minutes"].help_text = stacking_help()
        self.fields["round_minutes"].help_text = round_help()
        set_choices(self, "deciding_game", deciding_choices())
        set_choices(self, "play", play_choices(user, self.initial.get("play", "")))
        self._offer_lengths()
        self.offer_scoring(policy, for_new=self.is_new)
        self.offer_sheets(for_new=self.is_new)
        self._freeze(state)

    def _offer_lengths(self) -> None:
        if not self.is_new:
            return
        field: Any = self.fields["best_of"]
        field.required, field.empty_value = False, None
        field.choices = [("", gettext("as usual")), *field.choices]
        usual = {system.name: system.match.best_of_default for system in list_systems()}
        longer = ", ".join(f"{name} {length}" for name, length in usual.items() if length > 1)
        field.help_text = gettext("As usual: best of 1, except %(longer)s.") % {"longer": longer}

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
        self.freeze_sheets(frozen)
        for name in frozen & self.fields.keys():
            self.fields[name].disabled = True
        if state == Tournament.State.RUNNING:
            self.fields["swiss_rounds"].required = True

    def full_clean(self) -> None:
        """Read the times typed as times of the zone typed beside them."""
        with timezone.override(self._zone()):
            super().full_clean()

    def _zone(self) -> ZoneInfo:
        name = str(self.data.get(self.add_prefix("time_zone"), "")).strip()
        return ZoneInfo(name if name in time_zones() else "UTC")

    def clean(self) -> dict[str, Any]:
        """Refuse a length the game does not offer, and what the parts refuse."""
        values: dict[str, Any] = super().clean() or {}
        self.clean_sheets(values)
        game, _slash, _format = values.get("play", "").partition("/")
        choices = get_system(game).match.best_of_choices if game else LENGTHS
        if values.get("best_of") == PAIR and game and (values.get("exact_games") or get_system(game).match.pairs):
            values["exact_games"] = True
            return values
        if values.get("best_of") not in (None, *choices):
            offered = ", ".join(str(count) for count in choices)
            self.add_error("best_of", _("This game is played as best of %(offered)s.") % {"offered": offered})
        return values

    @property
    def advanced_errors(self) -> bool:
        """Whether a folded-away field is at fault, so that the page shows it open."""
        return any(name in self.errors for name in ("exact_games", *self.scoring_names))


class NewEventForm(EventForm):
    """A new event, and whether its organiser judges too."""

    is_new = True

    also_judge = forms.BooleanField(
        label=_("I also judge"),
        required=False,
        help_text=_("You can read hidden decklists. Staff see that you judge; it is logged."),
    )

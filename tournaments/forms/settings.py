"""The form in which an organiser says what an event is: for a new one, and for its settings later."""

from collections.abc import Collection, Iterable, Mapping
from fractions import Fraction
from typing import Any
from zoneinfo import ZoneInfo, available_timezones

from django import forms
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from decks.selectors.house_formats import house_names
from decks.selectors.legality import format_at
from rules_engine.game import GameSystem
from rules_engine.systems import get_system, list_systems
from scoring.records import ScoringPolicy
from scoring.tiebreakers import TIEBREAKERS
from tournaments.models import Tournament
from tournaments.models.event import validate_time_zone
from tournaments.pairing.contenders import Apart, Finish, Order, PairingPolicy

LEAST_PLACES = 4
LENGTHS = (1, 3, 5)
FROZEN = ("play", "best_of", "exact_games", "win", "draw", "loss", "floor")
"""Fields that decide results: fixed once an event runs, together with the tiebreakers."""
ORDERS = [
    (Order.LEAST_SQUARES, _("Scores as close as possible")),
    (Order.TOP_DOWN, _("From the top score group down")),
]
APART = [
    (Apart.IGNORE, _("Not kept apart")),
    (Apart.SOFT, _("Apart where it costs no rematch")),
    (Apart.HARD, _("Always apart, even at the cost of a rematch")),
]
FINISHES = [
    (Finish.LOT, _("The lot decides")),
    (Finish.FEWEST_FLOATS, _("Spare whoever met another score group before")),
    (Finish.STANDINGS, _("Neighbours in the standings meet")),
]


class LocalDateTimeInput(forms.DateTimeInput):
    """Date and time as the browser's own picker writes them."""

    input_type = "datetime-local"

    def __init__(self) -> None:
        super().__init__(format="%Y-%m-%dT%H:%M")


class RadioSelect(forms.RadioSelect):
    """Radio buttons of which only the `offered` values can be chosen; None for all."""

    offered: Collection[str] | None = None

    def create_option(self, name: str, value: Any, *args: Any, **kwargs: Any) -> dict[str, Any]:
        """One button, disabled where its value is not offered."""
        option: dict[str, Any] = super().create_option(name, value, *args, **kwargs)
        if self.offered is not None and value not in self.offered:
            option["attrs"]["disabled"] = True
        return option


PlayChoices = list[tuple[str, list[tuple[str, str]]]]


def play_choices(user: User | None, current: str = "") -> PlayChoices:
    """Every format that an account may choose as `play_value` and name, grouped by game; `current` is among them."""
    own = house_names(user)
    choices = [
        (system.name, [each for game_format in system.formats for each in _ways(system, game_format.slug)])
        for system in list_systems()
    ]
    for (_name, offered), system in zip(choices, list_systems(), strict=True):
        slugs = [slug for slug, _house in own.get(system.slug, ())]
        game, _slash, rest = current.partition("/")
        if game == system.slug and current not in dict(offered):
            slugs.append(rest.partition("/")[0])
        for slug in dict.fromkeys(slugs):
            offered += _ways(system, slug)
    return choices


def _ways(system: GameSystem, slug: str) -> list[tuple[str, str]]:
    game_format = format_at(system.slug, slug)
    name = f"{system.name} – {game_format.name}"
    ways = [(variant.slug, f"{name} ({variant.name})") for variant in game_format.variants] or [("", name)]
    return [(play_value(system.slug, slug, variant), text) for variant, text in ways]


def play_value(game: str, slug: str, variant: str = "") -> str:
    """Game, format and (where it has variants) variant as one choice: "game/format" or "game/format/variant"."""
    found = format_at(game, slug).get_variant(variant)
    return f"{game}/{slug}/{found.slug}" if found else f"{game}/{slug}"


def play_help() -> str:
    """What the ways to play in brackets are about, and which formats have several."""
    varied = [
        f"{system.name} – {gettext(each.name)}" for system in list_systems() for each in system.formats if each.variants
    ]
    if not varied:
        return ""
    return gettext("%(formats)s: the way to play in brackets says which limits of the card lists count.") % {
        "formats": ", ".join(varied)
    }


def stacking_help() -> str:
    """For which games the minutes to stack count, and what their rules say."""
    stacked = [(system.name, system.match.stacking) for system in list_systems()]
    games = [f"{name} ({rule.minutes})" for name, rule in stacked if rule is not None]
    return gettext("Counts only for games whose decks are stacked before each game: %(games)s. Empty: that many.") % {
        "games": ", ".join(games)
    }


def zone_names() -> list[str]:
    """The time zones offered while typing."""
    return sorted(name for name in available_timezones() if "/" in name and not name.startswith("Etc/"))


class EventForm(forms.Form):
    """What an event is. Times are typed and shown in the event's own time zone."""

    name = forms.CharField(label=_("Name"), max_length=120, help_text=_("Players see it on every page."))
    place = forms.CharField(label=_("Place"), max_length=160, required=False)
    starts_at = forms.DateTimeField(label=_("Starts"), widget=LocalDateTimeInput)
    time_zone = forms.CharField(
        label=_("Time zone"),
        max_length=64,
        validators=[validate_time_zone],
        widget=forms.TextInput(attrs={"list": "zones", "autocapitalize": "none", "spellcheck": "false"}),
        help_text=_("Such as Europe/Berlin. All times of the event are shown in it."),
    )
    visibility = forms.ChoiceField(label=_("Who sees it"), choices=Tournament.Visibility, widget=forms.RadioSelect)
    play = forms.ChoiceField(label=_("Game and format"))
    best_of = forms.TypedChoiceField(
        label=_("Games a match"),
        coerce=int,
        choices=[(count, _("best of %(count)d") % {"count": count}) for count in LENGTHS],
        widget=forms.RadioSelect,
    )
    swiss_rounds = forms.IntegerField(label=_("Swiss rounds"), required=False, min_value=1, max_value=99)
    capacity = forms.IntegerField(
        label=_("Most players"),
        required=False,
        min_value=2,
        max_value=100_000,
        help_text=_("Whoever comes later goes on the waiting list. Leave it empty for no limit."),
    )
    deck_required = forms.BooleanField(
        label=_("A decklist is required"),
        required=False,
        help_text=_("Doomdesk checks each list against the rules of the format."),
    )
    deck_deadline = forms.DateTimeField(
        label=_("Decks lock at"),
        required=False,
        help_text=_("At the start of the event in any case. Later only a judge changes a deck, with a reason."),
        widget=LocalDateTimeInput,
    )
    deck_publish = forms.ChoiceField(
        label=_("Decklists are shown"),
        choices=Tournament.DeckPublish,
        widget=RadioSelect,
        help_text=_(
            "Players read this before they register a deck; from the first deck on it can only become less. "
            "Lists that were shown to everybody stay so. No event here has a cut yet."
        ),
    )
    stacking_minutes = forms.IntegerField(
        label=_("Minutes to stack decks"),
        required=False,
        min_value=1,
        max_value=60,
    )
    self_sign_up = forms.BooleanField(label=_("Players sign up themselves"), required=False)
    check_in = forms.BooleanField(
        label=_("Players check in before the start"),
        required=False,
        help_text=_("Whoever has not checked in when the event starts is left out of round 1."),
    )
    players_report = forms.BooleanField(
        label=_("Players report their own results"),
        required=False,
        help_text=_("The opponent confirms. Staff can always report and correct."),
    )
    exact_games = forms.BooleanField(
        label=_("All games of a match are played"),
        required=False,
        help_text=_("Also when the match is decided earlier: “exactly 3”, not “best of 3”."),
    )
    win = forms.IntegerField(label=_("Points for a win"), min_value=1, max_value=100)
    draw = forms.IntegerField(label=_("Points for a draw"), min_value=0, max_value=100)
    loss = forms.IntegerField(label=_("Points for a loss"), min_value=0, max_value=100)
    order = forms.ChoiceField(
        label=_("Pair for"),
        choices=ORDERS,
        widget=forms.RadioSelect,
        help_text=_(
            "The first keeps every table as even as it can be; the second has as few as possible of the top group play "
            "below it, then of the next group."
        ),
    )
    clubs = forms.ChoiceField(
        label=_("Players of one club"),
        choices=APART,
        widget=forms.RadioSelect,
        help_text=_("The club as written with the entry; capital letters do not matter."),
    )
    teams = forms.ChoiceField(
        label=_("Players of one team"),
        choices=APART,
        widget=forms.RadioSelect,
        help_text=_("Beside the club: friends who travel or practise together."),
    )
    finish = forms.ChoiceField(
        label=_("Among equally good pairings"),
        choices=FINISHES,
        widget=forms.RadioSelect,
        help_text=_("What decides between pairings that are equally good by all of the above."),
    )
    last_finish = forms.ChoiceField(
        label=_("Among equally good pairings of the last round"),
        choices=FINISHES,
        widget=forms.RadioSelect,
        help_text=_("Many events let the standings decide here, so that the leaders meet."),
    )
    floor = forms.ChoiceField(
        label=_("Least percentage of an opponent"),
        help_text=_("An opponent's match-win and game-win percentage counts with at least this much."),
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
        self.fields["play"].choices = play_choices(user, self.initial.get("play", ""))  # type: ignore[attr-defined]
        self.fields["floor"].choices = floor_choices(policy.floor)  # type: ignore[attr-defined]
        self.places = [f"tiebreaker_{place}" for place in range(1, max(LEAST_PLACES, len(policy.tiebreakers)) + 1)]
        for place, name in enumerate(self.places, start=1):
            self.fields[name] = tiebreaker_field(place)
        self._freeze(state)

    def _offer_policies(self, publishable: Collection[str] | None) -> None:
        field = self.fields["deck_publish"]
        widget: RadioSelect = field.widget
        widget.offered = publishable
        if publishable is not None and len(publishable) < len(Tournament.DeckPublish):
            field.help_text = _(
                "Players have registered decks and were told who will see them: it can only become less now."
            )

    def _freeze(self, state: str) -> None:
        ended = state in (Tournament.State.FINISHED, Tournament.State.CANCELLED)
        frozen: Iterable[str] = (*FROZEN, *self.places) if state == Tournament.State.RUNNING else ()
        for name in self.fields if ended else frozen:
            self.fields[name].disabled = True
        if state == Tournament.State.RUNNING:
            self.fields["swiss_rounds"].required = True

    def full_clean(self) -> None:
        """Read the times typed as times of the zone typed beside them."""
        with timezone.override(self._zone()):
            super().full_clean()

    def _zone(self) -> ZoneInfo:
        name = str(self.data.get(self.add_prefix("time_zone"), "")).strip()
        return ZoneInfo(name if name in available_timezones() else "UTC")

    def clean(self) -> dict[str, Any]:
        """Refuse a length the game does not offer and tiebreakers named twice."""
        values: dict[str, Any] = super().clean() or {}
        game, _slash, _format = values.get("play", "").partition("/")
        choices = get_system(game).match.best_of_choices if game else LENGTHS
        if values.get("best_of") not in (None, *choices):
            offered = ", ".join(str(count) for count in choices)
            self.add_error("best_of", _("This game is played as best of %(offered)s.") % {"offered": offered})
        self._clean_tiebreakers(values)
        return values

    def _clean_tiebreakers(self, values: Mapping[str, Any]) -> None:
        seen: set[str] = set()
        for name in self.places:
            key = values.get(name)
            if key and key in seen:
                self.add_error(name, _("This one stands above already: choose another one or none."))
            seen.add(key or "")

    @property
    def tiebreaker_fields(self) -> list[forms.BoundField]:
        """The tiebreakers' fields in order."""
        return [self[name] for name in self.places]

    @property
    def pairing_fields(self) -> list[forms.BoundField]:
        """The rules of pairing, in the order in which they count."""
        return [self[name] for name in PairingPolicy().as_dict()]

    @property
    def pairing_errors(self) -> bool:
        """Whether a rule of pairing is at fault, so that the page shows its fold open."""
        return any(field.errors for field in self.pairing_fields)

    @property
    def advanced_errors(self) -> bool:
        """Whether a folded-away field is at fault, so that the page shows it open."""
        return any(name in self.errors for name in ("exact_games", "win", "draw", "loss", "floor", *self.places))


class NewEventForm(EventForm):
    """A new event, and whether its organiser judges too."""

    also_judge = forms.BooleanField(
        label=_("I also judge"),
        required=False,
        help_text=_(
            "Judges may read decklists before they are public. All staff see that you judge, and it is logged."
        ),
    )


def floor_choices(current: Fraction) -> list[tuple[str, str]]:
    """The floors offered, and the one in force if it is another."""
    usual = {Fraction(1, 3): "1/3", Fraction(33, 100): "0.33", Fraction(0): gettext("none")}
    if current not in usual:
        usual[current] = str(current)
    return [(str(floor), text) for floor, text in usual.items()]


def tiebreaker_field(place: int) -> forms.ChoiceField:
    """One of the ordered criteria; only the first is needed."""
    names = [(key, _(each.name)) for key, each in TIEBREAKERS.items()]
    return forms.ChoiceField(
        label=gettext("Criterion %(place)d") % {"place": place},
        required=place == 1,
        choices=names if place == 1 else [("", _("none")), *names],
    )

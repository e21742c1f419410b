"""The forms in which an organiser says what a league is, which events count, and who is who."""

from collections.abc import Iterable, Mapping
from typing import Any
from zoneinfo import ZoneInfo

from django import forms
from django.utils.translation import gettext_lazy as _

from accounts.http.choices import set_choices
from accounts.http.stored_forms import StoredForm
from rules_engine.systems import list_systems
from scoring.standings.league_points import MAX_POINTS, MAX_RANKS
from tournaments.leagues.services import MAX_WEIGHT
from tournaments.models import League, Tournament

OWN = "own"
PRESETS: Mapping[str, tuple[tuple[int, ...], int]] = {
    "eight": ((10, 8, 6, 5, 4, 3, 2, 1), 1),
    "sixteen": ((20, 17, 15, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1), 1),
    "podium": ((5, 3, 1), 1),
    "grand_prix": ((25, 18, 15, 12, 10, 8, 6, 4, 2, 1), 0),
}
"""Points of the ranks and of everybody behind, by key."""
PRESET_NAMES = [
    ("eight", _("Eight ranks: 10-8-6-5-4-3-2-1, 1 for playing")),
    ("sixteen", _("Sixteen ranks: 20-17-15-13-12 … 1, 1 for playing")),
    ("podium", _("The podium: 5-3-1, 1 for playing")),
    ("grand_prix", _("Racing: 25-18-15-12-10-8-6-4-2-1, then nothing")),
    (OWN, _("Your points, as written below")),
]
VISIBILITIES = [
    (Tournament.Visibility.PUBLIC, _("Public: listed for everybody; holds public events")),
    (Tournament.Visibility.UNLISTED, _("Unlisted: everyone with the link; holds public and unlisted events")),
    (Tournament.Visibility.PRIVATE, _("Private: its organisers only; holds events of every kind")),
]


class LeagueForm(StoredForm):
    name = forms.CharField(label=_("Name"), max_length=120)
    game = forms.ChoiceField(label=_("Game"), required=False)
    visibility = forms.ChoiceField(label=_("Visibility"), choices=VISIBILITIES, widget=forms.RadioSelect)
    preset = forms.ChoiceField(label=_("Points by rank"), choices=PRESET_NAMES)
    points = forms.CharField(
        label=_("Your points"), required=False, max_length=600,
        help_text=_("Points for rank 1, 2, 3 …, highest first: 12 9 7 5"),
    )  # fmt: skip
    points_for_playing = forms.IntegerField(
        label=_("Your points for every rank behind"), required=False, min_value=0, max_value=MAX_POINTS
    )
    best_of_events = forms.IntegerField(
        label=_("Best events that count"), required=False, min_value=1, max_value=99,
        help_text=_("Leave empty to count all."),
    )  # fmt: skip

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        games = [(system.slug, system.name) for system in list_systems()]
        set_choices(self, "game", [("", _("Events of every game")), *games])

    def clean_points(self) -> tuple[int, ...]:
        """The numbers, parted by spaces, commas or dashes."""
        words = self.cleaned_data["points"].replace(",", " ").replace("-", " ").replace("–", " ").split()
        if len(words) > MAX_RANKS or not all(word.isascii() and word.isdecimal() and len(word) < 5 for word in words):
            raise forms.ValidationError(_("Write whole numbers with spaces, like 12 9 7 5."))
        return tuple(int(word) for word in words)

    def clean(self) -> dict[str, Any]:
        """The points that count: the preset's, or those written."""
        values = dict(super().clean())
        preset = values.pop("preset", OWN)
        if preset != OWN:
            values["points"], values["points_for_playing"] = PRESETS[preset]
        elif "points" in values and not values["points"]:
            self.add_error("points", _("Write the points, or choose a list above."))
        values["points_for_playing"] = values.get("points_for_playing") or 0
        return values


def values_of_league(league: League) -> dict[str, Any]:
    """A league as the form's initial values."""
    stored = (tuple(league.points), league.points_for_playing)
    preset = next((key for key, each in PRESETS.items() if each == stored), OWN)
    own = {"points": " ".join(map(str, league.points)), "points_for_playing": league.points_for_playing}
    return {
        "name": league.name, "game": league.game, "visibility": league.visibility, "preset": preset,
        "best_of_events": league.best_of_events, **(own if preset == OWN else {}),
    }  # fmt: skip


class OrganiserForm(forms.Form):
    """A person who is to run the league too."""

    username = forms.CharField(
        label=_("User name"), max_length=150,
        help_text=_("Choose a staff member of one of its events. Organisers see all events of the league."),
    )  # fmt: skip


class LeagueEventForm(forms.Form):
    """An event that is to count, and how much."""

    event = forms.ChoiceField(label=_("Your event"))
    weight = forms.IntegerField(
        label=_("Weight"),
        min_value=1,
        max_value=MAX_WEIGHT,
        initial=1,
        help_text=_("Its points are multiplied by this."),
    )

    def __init__(self, *args: Any, events: Iterable[Tournament], **kwargs: Any) -> None:
        """`events` may be added."""
        super().__init__(*args, **kwargs)
        self.offered = {each.slug: each for each in events}
        days = {slug: each.starts_at.astimezone(ZoneInfo(each.time_zone)) for slug, each in self.offered.items()}
        choices = [(slug, f"{each.name}, {days[slug]:%Y-%m-%d}") for slug, each in self.offered.items()]
        set_choices(self, "event", choices)


class JoinForm(forms.Form):
    """Two people of a league who are one."""

    person = forms.TypedChoiceField(label=_("This player"), coerce=int)
    other = forms.TypedChoiceField(label=_("is the same as"), coerce=int)

    def __init__(self, *args: Any, players: Iterable[tuple[int, str]], **kwargs: Any) -> None:
        """`players` by id of a person, with a name that tells them apart."""
        super().__init__(*args, **kwargs)
        choices = [("", _("Choose…")), *players]
        for name in ("person", "other"):
            set_choices(self, name, choices)

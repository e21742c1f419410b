"""Parts of the event form: what is played, the minutes, the time zone, the tables that meet a private need."""

from collections.abc import Mapping
from typing import Any

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts.http.numbers import NumbersField
from accounts.models import User
from decks.selectors.house_formats import house_names
from decks.selectors.legality import format_at
from rules_engine.errors import NotFound
from rules_engine.game import GameSystem
from rules_engine.systems import get_system, list_systems
from rules_engine.ways import Way
from tournaments.core.forms import LocalDateTimeInput
from tournaments.core.ways import base_format, way_of
from tournaments.models import Tournament
from tournaments.models.event import time_zones, validate_time_zone
from tournaments.table_marks import validate_table_numbers
from tournaments.timing import MAX_MINUTES, MOST_WARNINGS

PlayChoices = list[tuple[str, list[tuple[str, str]]]]


def play_choices(user: User | None, current: str = "") -> PlayChoices:
    """Every way to play that an account may choose as `play_value` and name, grouped by game; `current` is among them.

    A house format is played in every way of the format it changes.
    """
    own = {game: dict(named) for game, named in house_names(user).items()}
    game, _way, house = (*current.split("/"), "", "")[:3]
    if house:
        own.setdefault(game, {}).setdefault(house, format_at(game, house).name)
    return [
        (system.name, [*_shipped(system), *_of_house(system, own.get(system.slug, {}))]) for system in list_systems()
    ]


def _shipped(system: GameSystem) -> list[tuple[str, str]]:
    return [(f"{system.slug}/{way.slug}", f"{system.name} – {gettext(way.name)}") for way in system.ways]


def _of_house(system: GameSystem, formats: Mapping[str, str]) -> list[tuple[str, str]]:
    return [
        (f"{system.slug}/{way.slug}/{slug}", f"{system.name} – {name} ({gettext(way.name)})")
        for slug, name in formats.items()
        for way in system.ways
        if way.format == base_format(slug)
    ]


def play_value(tournament: Tournament) -> str:
    """How an event plays its game as one choice: "game/way" or, by a house format, "game/way/format"."""
    way, slug = way_of(tournament), tournament.game_format
    return f"{tournament.game}/{way.slug}" + ("" if slug == way.format else f"/{slug}")


def first_play() -> str:
    """What an organiser's first event starts from: the first game whose decks are checked."""
    systems = list_systems()
    first = next((system for system in systems if system.formats[0].checks_decks), systems[0])
    return f"{first.slug}/{first.ways[0].slug}"


def chosen_play(value: str) -> tuple[str, str, Way]:
    """Game, format and way of a choice; NotFound "unknown_game" or "unknown_way" if there is no such."""
    game, slug, *house = value.split("/")
    way = get_system(game).get_way(slug)
    return game, "".join(house) or way.format, way


def is_play(value: str | None) -> bool:
    """Whether a value is a way to play that there is; whose house format it may name is not asked."""
    try:
        chosen_play(value or "")
    except (NotFound, ValueError):
        return False
    return True


class ClockForm(forms.Form):
    """How long things take; an empty field means as usual, or never."""

    stacking_minutes = forms.IntegerField(label=_("Deck stacking (minutes)"), required=False, min_value=0, max_value=60)
    round_minutes = forms.IntegerField(label=_("Round length (minutes)"), required=False, min_value=0, max_value=600)
    clock_warnings = NumbersField(
        label=_("Clock warns at (minutes left)"), required=False, most=MAX_MINUTES, many=MOST_WARNINGS
    )
    no_show_game_minutes = forms.IntegerField(
        label=_("No-show: game loss after (minutes)"),
        required=False,
        min_value=1,
        max_value=MAX_MINUTES,
        help_text=_("From the start of the round. Judges see it as a proposal. Leave empty for none."),
    )
    no_show_match_minutes = forms.IntegerField(
        label=_("No-show: match loss after (minutes)"), required=False, min_value=1, max_value=MAX_MINUTES
    )
    hall_closes_at = forms.DateTimeField(
        label=_("The hall closes at"),
        required=False,
        help_text=_("Staff see whether the event is over by then."),
        widget=LocalDateTimeInput,
    )


def zone_names() -> list[str]:
    """The time zones offered while typing."""
    return sorted(name for name in time_zones() if "/" in name and not name.startswith("Etc/"))


def zone_called(text: str) -> str:
    """The time zone of this name, in any case, or of this city where only one has it; the text itself for no zone."""
    typed = "_".join(text.split()).casefold()
    named = [name for name in time_zones() if name.casefold() == typed]
    found = named or [name for name in zone_names() if name.rpartition("/")[2].casefold() == typed]
    return found[0] if len(found) == 1 else text


class TimeZoneField(forms.CharField):
    """Answers the zone's name in full. In the place of `data-guess` the page puts the browser's."""

    default_validators = [validate_time_zone]

    def __init__(self, **kwargs: Any) -> None:
        widget = forms.TextInput(attrs={"list": "zones", "autocapitalize": "none", "spellcheck": "false"})
        label, help_text = _("Time zone"), _("A city, or a name such as Europe/Berlin. For all times of the event.")
        super().__init__(label=label, help_text=help_text, max_length=64, widget=widget, **kwargs)

    def to_python(self, value: Any) -> str:
        """The zone's name in full, where one is meant."""
        return zone_called(str(super().to_python(value) or ""))


class TablesField(forms.CharField):
    """Numbers of tables that meet a private need."""

    def __init__(self, **kwargs: Any) -> None:
        text = _("Such as “1-4, 9”. Pairing seats those who need one there.")
        super().__init__(max_length=200, required=False, validators=[validate_table_numbers], help_text=text, **kwargs)

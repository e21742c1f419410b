"""What can be played at an event, as choices of a form: games, the ways to play them, and house formats."""

from collections.abc import Mapping

from django.utils.translation import gettext

from accounts.models import User
from decks.selectors.house_formats import house_names
from decks.selectors.legality import format_at
from rules_engine.errors import NotFound
from rules_engine.game import GameSystem
from rules_engine.systems import get_system, list_systems
from rules_engine.ways import Way
from tournaments.core.ways import base_format, way_of
from tournaments.models import Tournament

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

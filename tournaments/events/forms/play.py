"""What can be played at an event, as choices of a form: games, their formats, and the ways of playing those."""

from django.utils.translation import gettext

from accounts.models import User
from decks.selectors.house_formats import house_names
from decks.selectors.legality import format_at
from rules_engine.game import GameSystem
from rules_engine.systems import list_systems
from tournaments.room.selectors.clocks import usual_round_minutes

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
    return gettext("%(formats)s: the bracket sets which list limits apply.") % {"formats": ", ".join(varied)}


def stacking_help() -> str:
    """For which games the minutes to stack count, and what their rules say."""
    stacked = [(system.name, system.match.stacking) for system in list_systems()]
    games = [f"{name} ({rule.minutes})" for name, rule in stacked if rule is not None]
    text = gettext(
        "Stacked decks: %(games)s. Leave empty for that time. 0: no stacking, no placing of decks, no Master Plans."
    )
    return text % {"games": ", ".join(games)}


def round_help() -> str:
    """How long a round of each game is unless the organiser says otherwise."""
    usual = [(system.name, usual_round_minutes(system.slug, system.match.best_of_default)) for system in list_systems()]
    games = ", ".join(f"{name} {minutes}" for name, minutes in usual)
    return gettext("Leave empty for %(games)s (more for longer matches). 0: no clock.") % {"games": games}

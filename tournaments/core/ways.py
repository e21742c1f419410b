"""The way in which an event plays its game: the one chosen, else the usual one of its format."""

from django.utils.translation import gettext as _

from decks.selectors.house_formats import HOUSE_PREFIX, find_house_format
from rules_engine.errors import DomainError
from rules_engine.systems import get_system
from rules_engine.ways import Way
from scoring.sheets.tallies.registry import has_sheet
from tournaments.models import Tournament


def way_of(tournament: Tournament) -> Way:
    """How an event plays its game: in the usual way of its format where it names none, or one no longer there."""
    known = {way.slug for way in get_system(tournament.game).ways}
    way = tournament.way if tournament.way in known else ""
    return find_way(tournament.game, tournament.game_format, tournament.variant, way)


def find_way(game: str, game_format: str, variant: str = "", way: str = "") -> Way:
    """The way called `way`, "" for the first that plays this format and variant; a house format is played as its base.

    NotFound "unknown_game", "unknown_format", "unknown_variant" or "unknown_way"; DomainError "bad_event" for a way of
    another format or variant.
    """
    system = get_system(game)
    base = base_format(game_format)
    if not way:
        return system.usual_way(base, variant)
    found = system.get_way(way)
    if (found.format, variant or found.variant) != (base, found.variant):
        raise DomainError("bad_event", _("This way to play belongs to another format."), field="way")
    return found


def base_format(game_format: str) -> str:
    """The shipped format that a house format changes; any other is its own. NotFound "unknown_format"."""
    return find_house_format(game_format).base if game_format.startswith(HOUSE_PREFIX) else game_format


def has_usual_sheets(game: str, way: Way) -> bool:
    """Whether tables fill in score sheets unless the organiser says so: as the way has it, else where several sit."""
    if way.score_sheets is not None:
        return way.score_sheets
    return get_system(game).match.tables_of is not None and has_sheet(game)

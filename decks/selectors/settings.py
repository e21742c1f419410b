"""What decklists of a format are read and written against."""

from decks.formats.headings import Setting
from decks.models import CardSet
from decks.selectors.cards import cards_of
from decks.selectors.legality import format_at
from rules_engine.systems import get_system


def setting_of(game: str, format_slug: str) -> Setting:
    """The format as it reads today with the game's cards and the names of its sets.

    No cards are fetched for a format without decks. NotFound `unknown_game`, `unknown_format`.
    """
    schema, game_format = get_system(game).card_schema, format_at(game, format_slug)
    if not game_format.checks_decks:
        return Setting(game_format, schema, {})
    sets = CardSet.objects.filter(game=game).values_list("slug", "name")
    return Setting(game_format, schema, cards_of(game), dict(sets))

"""The board of a table of Doomlings, beside the parts of its sheet."""

from rules_engine.systems import get_system
from scoring.games.doomlings.tally.board import play
from scoring.sheets.web.boards import About, board_pages, unchanged
from scoring.sheets.web.frames import SheetFrame
from scoring.sheets.web.games import names_of


def about_board(frame: SheetFrame) -> About:
    """The one game of the sheet; the first of its players goes first."""
    names = names_of(frame.sheet)
    return About(names, names[0], 1, is_over=False)


def suggested() -> list[tuple[str, str]]:
    """Every card by its name, with its type."""
    return [(card.name, card.type) for card in get_system("doomlings").shipped_cards]


PAGES = board_pages(play, about_board, unchanged, suggested)

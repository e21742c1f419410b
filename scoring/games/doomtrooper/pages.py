"""A match of Doomtrooper at the table: its sheet is a ledger, and the ledger is its board."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext as _

from accounts.http.numbers import read_number
from scoring.games.doomtrooper.forms import GAME
from scoring.games.doomtrooper.tally.board import play
from scoring.games.doomtrooper.tally.board_moves import MAX_VALUE, act_of, clash
from scoring.games.doomtrooper.tally.board_state import Setting
from scoring.games.doomtrooper.tally.board_words import describe_act
from scoring.games.doomtrooper.tally.table import WARRIOR
from scoring.sheets.boards import Board, Move
from scoring.sheets.forms.stored_cards import known_cards
from scoring.sheets.ledgers import ACTS, live_acts
from scoring.sheets.selectors import content_of
from scoring.sheets.web.board_about import About, Ledger
from scoring.sheets.web.board_shown import Suggestion
from scoring.sheets.web.boards import ledger_pages
from scoring.sheets.web.frames import SheetFrame
from scoring.sheets.web.games import is_over


def setting_of(frame: SheetFrame, content: Mapping[str, Any]) -> Setting:
    first = frame.goes_first(content)
    return Setting(content["players"], frame.sheet.options, first, known_cards(GAME), reverse("doomtrooper_combat"))


def about_ledger(frame: SheetFrame, content: Mapping[str, Any]) -> About:
    """The ledger with the last game of the match."""
    setting, acts = setting_of(frame, content), live_acts(content)

    def played(moves: Sequence[Move]) -> Board:
        stored = content.get(ACTS, [])
        if not isinstance(stored, list) or len(stored) > len(acts):
            setting.sheet(stored)  # a program stored what is no act: says so
        return play(setting, lambda games: not is_over(frame.length, games), moves)

    ledger = Ledger(lambda act: describe_act(act) if setting.can_read(act) else None, clash)
    return About(played, 1 + sum(act.get("act") == "next_game" for act in acts), ledger=ledger)


def suggested(_frame: SheetFrame) -> list[Suggestion]:
    """Every warrior with its printed Value, where that is a number."""
    cards = (card for card in known_cards(GAME).values() if card.type == WARRIOR)
    values = ((card.name, read_number(str(card.fields.get("value", "")), MAX_VALUE)) for card in cards)
    return [
        Suggestion(name) if value is None else Suggestion(name, _("Value %(value)d") % {"value": value}, str(value))
        for name, value in values
    ]


def as_act(frame: SheetFrame, move: Move, before: Sequence[Move]) -> Move:
    return act_of(setting_of(frame, content_of(frame.sheet)), move, before)


PAGES = ledger_pages(about_ledger, as_act, suggested)

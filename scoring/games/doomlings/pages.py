"""The board of a table of Doomlings, beside the parts of its sheet."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from rules_engine.cards import normalise_name
from scoring.games.doomlings.own_card_forms import GAME, CardsOfPart
from scoring.games.doomlings.tally.board import play
from scoring.games.doomlings.tally.board_state import LAST
from scoring.games.doomlings.tally.own_cards import as_own
from scoring.sheets.boards import Move
from scoring.sheets.forms.stored_cards import known_cards
from scoring.sheets.selectors import content_of
from scoring.sheets.web.board_about import About
from scoring.sheets.web.board_shown import Suggestion
from scoring.sheets.web.boards import board_pages
from scoring.sheets.web.frames import SheetFrame
from scoring.sheets.web.games import names_of

GENES = ("gene_pool_change", "gene_pool_target")


def about_board(frame: SheetFrame, content: Mapping[str, Any]) -> About:
    first = frame.goes_first(content)
    return About(partial(play, names_of(frame.sheet), first, frame.sheet.options), 1)


def _described(frame: SheetFrame) -> CardsOfPart:
    """The traits that this table may name: imported ones too, and those that its sheet describes."""
    return CardsOfPart((), content_of(frame.sheet).get("own_cards") or [])


def with_print(frame: SheetFrame, move: Move, _before: Sequence[Move]) -> Move:
    """A card that does not ship with what is known of it: imported, or described on the table's sheet."""
    key = normalise_name(str(move.get("name") or ""))
    card, trait = known_cards(GAME).get(key), _described(frame).known.own.get(key)
    genes = {name: str(card.fields[name]) for name in GENES if name in card.fields} if card else {}
    if move["act"] == "play" and trait:
        return {**move, **genes, "name": trait.name, "own": as_own(trait)}
    if move["act"] == "flip" and card:
        own = _described(frame).offered.catastrophes.get(key)
        described = {"own": own} if own else {}
        kind = LAST if (move["kind"], card.type) == (LAST, "Catastrophe") else card.type.lower()
        return {**move, **genes, **described, "name": card.name, "kind": kind}
    return move


def suggested(frame: SheetFrame) -> list[Suggestion]:
    """Every card by its name, with its type."""
    own = _described(frame).described.values()
    known = (Suggestion(card.name, card.type) for card in known_cards(GAME).values())
    return [*known, *(Suggestion(each.name) for each in own)]


PAGES = board_pages(about_board, with_print, suggested)

"""A match of Doom Pile at the table: the games so far, one game more, and the board of the game being played."""

from collections.abc import Sequence
from functools import partial
from typing import Any

from accounts.http.numbers import read_number
from rules_engine.cards import normalise_name
from rules_engine.errors import DomainError
from rules_engine.messages import Message, gettext_noop
from scoring.games.doom_pile.forms import GAME, HOW, GameForm, countdowns
from scoring.games.doom_pile.tally.board import play
from scoring.games.doom_pile.tally.countdown import MAX_COUNT
from scoring.sheets.boards import Move
from scoring.sheets.forms.games import game_in_words
from scoring.sheets.forms.stored_cards import known_cards
from scoring.sheets.selectors import content_of
from scoring.sheets.web.board_shown import Suggestion
from scoring.sheets.web.frames import SheetFrame
from scoring.sheets.web.games import GamesSheet, games_pages


def with_print(_frame: SheetFrame, move: Move, _before: Sequence[Move]) -> Move:
    """A card that is played, with what is printed on it; DomainError "bad_move" where nobody knows its countdown."""
    if move["act"] != "play":
        return move
    card = known_cards(GAME).get(normalise_name(move["name"])) if move["name"] else None
    printed: dict[str, Any] = {"name": card.name, "kind": card.type} if card else {}
    numbers = {name: read_number(str(value), MAX_COUNT) for name, value in (card.fields if card else {}).items()}
    printed |= {name: numbers[name] for name in ("strength", "health") if numbers.get(name) is not None}
    start = move["start"] if move["start"] is not None else numbers.get("countdown")
    if start is None:
        raise DomainError("bad_move", Message(gettext_noop("Type the starting countdown.")), field="start")
    return {**move, **printed, "start": start}


PAGES = games_pages(
    GamesSheet(
        "games",
        play,
        GameForm,
        lambda frame, games: "" if games else frame.goes_first(content_of(frame.sheet)),
        partial(game_in_words, how=HOW),
        lambda frame, games: {},
        with_print,
        lambda _frame: [Suggestion(name, str(start), str(start)) for name, start in countdowns().values()],
    )
)

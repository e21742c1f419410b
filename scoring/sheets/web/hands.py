"""The hand of the one player whom a phone writes for, kept in its session: no other phone, program or staff sees it.

It helps that player alone: a card is played from it by a button. The sheet counts hands without it.
"""

from collections.abc import Sequence

from django.http import HttpRequest

from rules_engine.cards import normalise_name
from scoring.sheets.web.frames import SheetFrame
from scoring.sheets.web.writing import writer_of

HANDS = "board_hands"
MOST_HELD, MOST_KEPT = 30, 4
"""Cards of a hand, and hands that one session remembers: of the newest games."""


def hand_of(request: HttpRequest, frame: SheetFrame, number: int) -> list[str]:
    """The cards that this phone noted for its player in a game."""
    hands: dict[str, list[str]] = request.session.get(HANDS, {})
    return list(hands.get(_key(frame, number), ()))


def keep_hand(request: HttpRequest, frame: SheetFrame, number: int, cards: Sequence[str]) -> None:
    """Note a hand; without cards it is forgotten."""
    key = _key(frame, number)
    others = [(each, held) for each, held in request.session.get(HANDS, {}).items() if each != key]
    kept = [*others, *([(key, list(cards[:MOST_HELD]))] if cards else [])]
    request.session[HANDS] = dict(kept[-MOST_KEPT:])


def take_from_hand(request: HttpRequest, frame: SheetFrame, number: int, name: str) -> None:
    """A card of this name was played: one of them leaves the hand."""
    cards = hand_of(request, frame, number)
    place = next((place for place, card in enumerate(cards) if normalise_name(card) == normalise_name(name)), None)
    if place is not None:
        keep_hand(request, frame, number, [*cards[:place], *cards[place + 1 :]])


def _key(frame: SheetFrame, number: int) -> str:
    return f"{frame.sheet.key} {number} {writer_of(frame)}"

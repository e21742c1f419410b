"""How the cards of a game of Dead or Destroyed lie: closed zones by number, open ones in order, with names."""

from collections.abc import Collection
from dataclasses import dataclass, replace
from typing import Any

from rules_engine.messages import Message, gettext_noop
from scoring.games.dead_or_destroyed.tally.rules import RANKS, Summon
from scoring.sheets.boards import Impossible

CARDS = 52
HAND, GRAVEYARD = 3, 10
"""Cards at the start of a game (DD-ROLES)."""
MAX_REVEALED = 7
ZONES = {
    "deck": gettext_noop("Deck"),
    "graveyard": gettext_noop("Graveyard"),
    "crypt": gettext_noop("Crypt"),
    "battlefield": gettext_noop("Battlefield"),
    "hand": gettext_noop("Hand"),
    "outside": gettext_noop("Outside the Game"),
}
OPEN = ("graveyard", "crypt", "battlefield")
"""The zones whose cards lie open, so that they can be named."""
MINOR, OTHER = "minor", "other"
RANK = {MINOR: "2", OTHER: "K"}
"""A rank that stands for each kind of card that can be summoned."""
SUITS = {"s": "♠", "h": "♥", "d": "♦", "c": "♣", **{suit: suit for suit in "♠♥♦♣"}}
LOCAL_RANKS = {"B": "J", "V": "J", "D": "Q", "R": "K", "1": "A", "T": "10"}
"""Ranks as German and French cards print them."""


@dataclass(frozen=True, slots=True)
class State:
    """Cards by zone: a number, or in OPEN zones the name of each from the top, "" for one that nobody named.

    The Crypt goes oldest first; `rounds` are those in which its zombies came. `option` is what the turn was used for. A
    round is a turn of both; `winner` is a role, `by` the clause, "" while the game goes on.
    """

    necromancer: str
    paladin: str
    deck: int = CARDS - HAND - GRAVEYARD
    hand: int = HAND
    graveyard: tuple[str, ...] = ("",) * GRAVEYARD
    crypt: tuple[str, ...] = ()
    battlefield: tuple[str, ...] = ()
    outside: int = 0
    rounds: tuple[int, ...] = ()
    round: int = 1
    is_paladins: bool = False
    option: str = ""
    summons: tuple[Summon, ...] = ()
    winner: str = ""
    by: str = ""

    @property
    def turn(self) -> str:
        return self.paladin if self.is_paladins else self.necromancer

    @property
    def rested(self) -> int:
        """How many zombies came to the Crypt in an earlier round, so that they may leave it (DD-CRYPT)."""
        return sum(came < self.round for came in self.rounds)

    def count(self, zone: str) -> int:
        return len(getattr(self, zone)) if zone in OPEN else int(getattr(self, zone))

    def moved(self, source: str, target: str, count: int) -> "State":
        """The first cards of a zone to another; Impossible with too few there."""
        if count > self.count(source):
            text = gettext_noop("Too few cards there. %(zone)s: %(count)d")
            raise Impossible(Message(text, {"zone": Message(ZONES[source]), "count": self.count(source)}))
        return self.picked(source, target, range(count))

    def picked(self, source: str, target: str, places: Collection[int]) -> "State":
        """Those cards of a zone to another: the last of the Crypt and the Battlefield, on top of the Graveyard."""
        names = tuple(getattr(self, source)[place] for place in places) if source in OPEN else ("",) * len(places)
        after = self._without(source, places)
        lie = getattr(after, target)
        changes: dict[str, Any] = {target: (*lie, *names) if target in OPEN else lie + len(names)}
        if target == "graveyard":
            changes = {target: (*names, *lie)}
        if target == "crypt":
            changes["rounds"] = (*after.rounds, *[self.round] * len(names))
        return replace(after, **changes)

    def _without(self, zone: str, places: Collection[int]) -> "State":
        if zone not in OPEN:
            fewer: dict[str, Any] = {zone: self.count(zone) - len(places)}
            return replace(self, **fewer)
        keys = (zone, "rounds") if zone == "crypt" else (zone,)
        changes: dict[str, Any] = {
            key: tuple(each for place, each in enumerate(getattr(self, key)) if place not in places) for key in keys
        }
        return replace(self, **changes)


def rank_of(name: str, kind: object = OTHER) -> str:
    """The rank of a card; one of its kind where it has no name."""
    return name.rstrip("♠♥♦♣") or RANK.get(str(kind), RANK[OTHER])


def read_cards(typed: str) -> list[str]:
    """Cards as a person typed them, "7s Kh ? 10d", as rank and suit; "" for one without a name. Impossible."""
    found = []
    for word in typed.replace(",", " ").split():
        suit = SUITS.get(word[-1].lower(), "")
        rank = (word[:-1] if suit else word).upper()
        rank = LOCAL_RANKS.get(rank, rank)
        if word != "?" and rank not in RANKS:
            text = gettext_noop("“%(word)s” is no card: type its rank and s, h, d or c, as 7s.")
            raise Impossible(Message(text, {"word": word[:10]}))
        found.append("" if word == "?" else rank + suit)
    return found

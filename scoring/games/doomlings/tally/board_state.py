"""How a table of Doomlings stands between two turns: ages, the 1st player, Gene Pools, hands, traits in piles."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any

from rules_engine.cards import CardFacts, normalise_name
from rules_engine.systems import get_system
from scoring.games.doomlings.tally.limits import GENE_POOLS
from scoring.sheets.boards import Move

USUAL_END, LATE_END = 3, 4
"""The catastrophe that ends the world (DL-END, DL-V-LONG)."""
HEROS_AGE = "Birth of a Hero"
AGE, CATASTROPHE, LAST = "age", "catastrophe", "last"
"""What can be flipped; LAST is the catastrophe that ends the world before its time, with the deck out (DL-EMPTY)."""
MAX_NAME = 80
IGNORES = "self:ignore_catastrophe"
"""What the list of cards says of a trait whose owner's Gene Pool no catastrophe changes."""
COPIES = "self:copy_first_dominant"
"""What it says of a trait that changes what its owner's first dominant does."""
WHEN_DISCARDED = "self:when_discarded"
"""What it says of a trait that changes its owner's Gene Pool when it is discarded from the pile."""


@dataclass(frozen=True, slots=True)
class Card:
    """A trait in a pile: what it does to Gene Pools, and `own` as a sheet describes one that does not ship.

    `touched` are the players whose Gene Pool it has changed, so that they have it back when the trait leaves.
    """

    id: int
    owner: str
    name: str
    change: int = 0
    target: str = ""
    own: Mapping[str, Any] = field(default_factory=dict)
    touched: tuple[str, ...] = ()

    @property
    def is_dominant(self) -> bool:
        """Whether it is known to be dominant."""
        return bool(self.own.get("dominant")) or "dominant" in fields_of(self.name)


@dataclass(frozen=True, slots=True)
class State:
    """A table: `first` and `turn` are places among `names`, `taken` counts the turns of this age.

    `ages` are those flipped, the newest last, catastrophes among them, and `era` the number of the pile that it lies
    on; `ends_with` is the catastrophe that ends the world, `described` what a sheet says of the newest; nobody takes a
    turn on one where growth `is_stunted` (DL-V-SHORT). `made` is the id of the move: that of the card it plays.
    `has_played` whose turn it is; `is_out` once the deck was and the last catastrophe came for it.
    """

    names: tuple[str, ...]
    ends_with: int = USUAL_END
    is_stunted: bool = False
    first: int = -1
    turn: int = 0
    taken: int = 0
    ages: tuple[str, ...] = ()
    catastrophes: tuple[str, ...] = ()
    era: int = 1
    genes: Mapping[str, int] = field(default_factory=dict)
    hands: Mapping[str, int] = field(default_factory=dict)
    cards: tuple[Card, ...] = ()
    discarded: int = 0
    described: Mapping[str, Any] = field(default_factory=dict)
    made: int = 0
    is_out: bool = False
    has_played: bool = False

    @property
    def player(self) -> str:
        return self.names[self.turn]

    @property
    def is_over(self) -> bool:
        return self.is_out or len(self.catastrophes) >= self.ends_with

    @property
    def flips(self) -> bool:
        """Whether the next age is due: everybody has taken a turn, or none was flipped yet."""
        return not self.is_over and (not self.ages or self.taken >= len(self.names))

    def pile(self, owner: str) -> list[str]:
        """The traits of a player, in the order of play."""
        return [card.name for card in self.cards if card.owner == owner]

    def dominants(self, owner: str) -> int:
        return sum(card.is_dominant for card in self.cards if card.owner == owner)

    def with_card(self, card: Card) -> "State":
        """The trait comes to a pile and changes Gene Pools (DL-GENES-TRAIT)."""
        first = next((each for each in self.cards if each.owner == card.owner and each.is_dominant), None)
        if first and card.target == COPIES:
            card = replace(card, change=first.change, target=first.target)
        others = [each for each in self.names if each != card.owner]
        whose = {"self": [card.owner], "all": self.names, "opponents": others}
        after = self.changed(whose.get(card.target, ()), card.change)
        touched = tuple(name for name in self.names if after.genes[name] != self.genes[name])
        return replace(after, cards=(*self.cards, replace(card, touched=touched)))

    def without(self, card: Card) -> "State":
        """The trait leaves its pile; what it changed is taken back, not what it could not change (DL-GENES)."""
        left = tuple(each for each in self.cards if each is not card)
        return replace(self.changed(card.touched, -card.change), cards=left)

    @property
    def exposed(self) -> list[str]:
        """Whose Gene Pool a catastrophe changes: of all but those with a trait that ignores it."""
        spared = {card.owner for card in self.cards if card.target == IGNORES}
        return [name for name in self.names if name not in spared]

    def changed(self, whose: Sequence[str], change: int) -> "State":
        """These Gene Pools changed; one that would leave 1 to 8 stays as it is."""
        after = {name: self.genes[name] + change for name in whose}
        kept = {name: count for name, count in after.items() if count in GENE_POOLS}
        return replace(self, genes={**self.genes, **kept})


@cache
def _facts() -> Mapping[str, CardFacts]:
    return {normalise_name(card.name): card for card in get_system("doomlings").shipped_cards}


def facts_of(name: str) -> CardFacts | None:
    """The card of this name; None where nobody knows it."""
    return _facts().get(normalise_name(name)) if name else None


def fields_of(name: str) -> Mapping[str, Any]:
    """What is printed on the card of this name; nothing where nobody knows it."""
    card = facts_of(name)
    return card.fields if card else {}


def change_of(printed: Mapping[str, Any]) -> int:
    """What a card changes at Gene Pools."""
    return _CHANGES.get(str(printed.get("gene_pool_change")), 0)


_CHANGES = {str(change): change for change in range(-GENE_POOLS[-1], GENE_POOLS[-1] + 1)}


def card_of(state: State, owner: str, move: Move) -> Card:
    """The trait of a move as it lies in a pile."""
    typed, own = str(move.get("name") or "")[:MAX_NAME], move.get("own")
    card = facts_of(typed)
    printed = card.fields if card else move
    name, known = (card.name, {}) if card else (typed, own if isinstance(own, Mapping) else {})
    return Card(state.made, owner, name, change_of(printed), str(printed.get("gene_pool_target", "")), known)

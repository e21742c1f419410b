"""How the cards of a game of Doom Pile lie: piles by number, cards in countdown and on the field by name."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from rules_engine.messages import Message, gettext_noop
from scoring.sheets.boards import Impossible, Move

DECK, HAND = 30, 5
"""Cards of a deck (DP-SIZE), and of the starting hand (DP-FIRST)."""
PILES = {
    "deck": gettext_noop("Deck"),
    "hand": gettext_noop("Hand"),
    "discard": gettext_noop("Discard Pile"),
    "interred": gettext_noop("Interred"),
}
PLOT, MINION, ARTIFICE = "Plot", "Minion", "Artifice"
KINDS = {PLOT: gettext_noop("Plot"), MINION: gettext_noop("Minion"), ARTIFICE: gettext_noop("Artifice")}


@dataclass(frozen=True, slots=True)
class Card:
    """A card in countdown, `left` turns from resolving, or on the field (`left` None); `kind` "" where nobody said it.

    `number` counts the cards without a name, from 1. `health` None is not known. `has_attacked` in this turn.
    """

    id: int
    owner: str
    name: str
    left: int | None
    number: int = 0
    kind: str = ""
    strength: int = 0
    health: int | None = None
    damage: int = 0
    has_attacked: bool = False

    @property
    def called(self) -> str | Message:
        return self.name or Message(gettext_noop("Card %(number)s"), {"number": self.number})

    @property
    def is_ready(self) -> bool:
        """Whether it resolves now (DP-ZERO)."""
        return self.left == 0

    @property
    def is_dead(self) -> bool:
        """Whether its damage has reached its Health."""
        return self.health is not None and self.damage >= self.health


@dataclass(frozen=True, slots=True)
class State:
    """The piles of each player by name, the cards on the board, whose turn it is: `turn` is a place among `names`.

    `turns` counts those that each player has begun; `has_drawn` in this turn. `winner` is a name, `how` the kind of
    win, "" while the game goes on. `made` is the id of the move, `unnamed` counts the cards that nobody named.
    Those who are `gone` gave up: they take no turn and have no card on the board.
    """

    names: tuple[str, ...]
    piles: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    plans: Mapping[str, int] = field(default_factory=dict)
    cards: tuple[Card, ...] = ()
    turn: int = -1
    turns: int = 0
    has_drawn: bool = True
    winner: str = ""
    how: str = ""
    made: int = 0
    unnamed: int = 0
    gone: frozenset[str] = frozenset()

    @property
    def playing(self) -> tuple[str, ...]:
        """Who still plays, in turn order."""
        return tuple(name for name in self.names if name not in self.gone)

    @property
    def player(self) -> str:
        return self.names[self.turn]

    @property
    def round(self) -> int:
        """How many turns everybody has begun, the one begun last included."""
        return (self.turns - 1) // len(self.names) + 1

    def of(self, owner: str, *, counting: bool) -> list[Card]:
        """The cards of a player in countdown, or on the field."""
        return [card for card in self.cards if card.owner == owner and (card.left is not None) == counting]

    @property
    def ready(self) -> list[Card]:
        """The cards that resolve before anything else is done."""
        return [card for card in self.cards if card.is_ready]

    def card(self, move: Move, key: str = "card") -> Card:
        """The card that a move is about; Impossible."""
        found = next((card for card in self.cards if str(card.id) == str(move.get(key))), None)
        if found is None:
            raise Impossible(Message(gettext_noop("This card is no longer there.")))
        return found

    def with_card(self, card: Card, after: Card | None) -> "State":
        """The changed card in the place of the card; None takes it away."""
        place = self.cards.index(card)
        return replace(self, cards=(*self.cards[:place], *((after,) if after else ()), *self.cards[place + 1 :]))

    def moved(self, owner: str, source: str, target: str, count: int = 1) -> "State":
        """Cards of a player from one pile to another, "" for the board; Impossible with too few there."""
        piles = dict(self.piles[owner])
        if source and piles[source] < count:
            text = gettext_noop("Too few cards there. %(zone)s: %(count)d")
            raise Impossible(Message(text, {"zone": Message(PILES[source]), "count": piles[source]}))
        for pile, change in ((source, -count), (target, count)):
            if pile:
                piles[pile] += change
        return replace(self, piles={**self.piles, owner: piles})

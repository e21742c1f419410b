"""What lies on the table of a Doomtrooper game: the cards in play, and how far the turn has come."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from rules_engine.cards import CardFacts, normalise_name
from rules_engine.messages import Message
from scoring.games.doomtrooper.tally.sheet import Act
from scoring.sheets.boards import Mark

ACTIONS = 3
"""Actions of a turn (DT-ACTIONS)."""
WARRIOR = "Warrior"


@dataclass(frozen=True, slots=True)
class CardInPlay:
    """A card in play; `act` is the number of the entry that brought it, `name` is "" where nobody said it.

    A warrior mustered in cover `is_unpaid` until it is revealed; one that does not `fights` takes no part in combat.
    """

    act: int
    owner: str
    name: str
    type: str
    value: int | None = None
    in_cover: bool = False
    is_unpaid: bool = False
    is_wounded: bool = False
    fights: bool = True

    @property
    def is_warrior(self) -> bool:
        return self.type == WARRIOR


@dataclass(slots=True)
class Table:
    """The cards in play after all entries, in the order they came; `marks` say by entry what speaks against it.

    `paid_for` are the places of the secondary targets of the turn, `attack` is the kind of its newest entry of an
    attack.
    """

    known: Mapping[str, CardFacts]
    cards: list[CardInPlay] = field(default_factory=list)
    marks: dict[int, list[Mark]] = field(default_factory=dict)
    turn: str | None = None
    turns: dict[str, int] = field(default_factory=dict)
    spent: int = 0
    attack: str = ""
    paid_for: set[int] = field(default_factory=set)
    lists_warriors: bool = False
    """Whether warriors were written down as they came: who has none in play then has none."""
    fit: set[str] = field(default_factory=set)
    """Who is said to have a warrior that can fight, though it was not written down."""

    @property
    def actions_left(self) -> int | None:
        """How many actions the turn has left; None between turns."""
        if self.turn is None:
            return None
        return 0 if self.attack else max(ACTIONS - self.spent, 0)

    @property
    def may_attack(self) -> bool:
        """Whether an attack can come in the turn (DT-ATTACK), as far as the ledger tells of warriors."""
        if self.turn is None or self.lacks_warrior(self.turn):
            return False
        return self.turns[self.turn] > 1 and not self.attack

    def of(self, owner: str) -> list[CardInPlay]:
        return [card for card in self.cards if card.owner == owner]

    def lacks_warrior(self, owner: str) -> bool:
        """Whether the ledger tells that a player has no warrior that can take part in combat (DT-NOWARRIOR)."""
        has_one = owner in self.fit or any(card.is_warrior and card.fights for card in self.of(owner))
        return self.lists_warriors and not has_one

    def printed(self, name: str, key: str) -> str:
        """What is printed on the card of this name; "" where nobody knows it."""
        card = self.known.get(normalise_name(name))
        return str(card.fields.get(key, "")) if card else ""

    def type_of(self, name: str) -> str:
        """The type of the card of this name; "" where nobody knows it."""
        card = self.known.get(normalise_name(name))
        return card.type if card else ""

    def value_of(self, name: str) -> int | None:
        """The printed Value; None where it is no number."""
        printed = self.printed(name, "value")
        return int(printed) if printed.isdecimal() else None

    def object_to(self, act: Act, clause: str, template: str, **params: object) -> None:
        """Say what speaks against an entry."""
        self.marks.setdefault(act.number, []).append(Mark(Message(template, params), clause))

    def find(self, owner: str, name: str, *wanted: str) -> CardInPlay | None:
        """The card of a player that an entry means: by its name, else one that nobody named; None for none.

        Of several, one of whom most of `wanted` hold, each the name of a state, "not " before it for the contrary.
        """
        key = normalise_name(name)
        cards = [card for card in self.of(owner) if card.is_warrior]
        named = [card for card in cards if key and normalise_name(card.name) == key]
        nameless = [card for card in cards if not card.name]
        found = named or nameless or ([] if key or len(cards) != 1 else cards)
        return max(found, key=lambda card: sum(_is(card, each) for each in wanted), default=None)

    def change(self, card: CardInPlay, after: CardInPlay | None) -> None:
        """Put the changed card in the place of the card; None takes it out of play."""
        place = self.cards.index(card)
        self.cards[place : place + 1] = [after] if after else []


def _is(card: CardInPlay, state: str) -> bool:
    held = bool(getattr(card, state.removeprefix("not ")))
    return not held if state.startswith("not ") else held

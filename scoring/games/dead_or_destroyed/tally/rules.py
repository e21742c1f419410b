"""Calculators for a game of Dead or Destroyed: summons, attacks, the paladin's win, reveals.

What kills and what destroys a zombie is lost with the book's tables: the players count that.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from rules_engine.messages import Message, gettext_noop

CARDS_A_ZOMBIE = 3
MAX_SUMMONS = 3
MAX_IN_CRYPT = 3
RANKS = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A")
MINOR_RANKS = ("2", "3", "4")


class Reason(StrEnum):
    """What a card of the Graveyard is destroyed for."""

    LATER = "later"
    NOT_ON_TOP = "not_on_top"
    BATTLEFIELD = "battlefield"


REASONS = {
    Reason.LATER: gettext_noop("second or third summon of the turn"),
    Reason.NOT_ON_TOP: gettext_noop("not the top card"),
    Reason.BATTLEFIELD: gettext_noop("straight to the Battlefield"),
}
"""Each reason in words."""


@dataclass(frozen=True, slots=True)
class Summon:
    """One summon: the rank of the card (one of RANKS), whether it lies on top by then, and where it goes."""

    rank: str
    from_top: bool = True
    to_battlefield: bool = False

    @property
    def is_minor(self) -> bool:
        """Whether it is a Minor Summon: a 2, 3 or 4 from the top of the Graveyard (DD-MINOR)."""
        return self.from_top and self.rank in MINOR_RANKS


@dataclass(frozen=True, slots=True)
class Cost:
    """One card of the Graveyard to destroy for the summon `number` (from 1).

    `in_example` is false for what the book's second example leaves out although the rule asks for it.
    """

    number: int
    reason: Reason
    in_example: bool = True


@dataclass(frozen=True, slots=True)
class SummonCost:
    """What the summons of a turn cost, by both readings of the book."""

    costs: tuple[Cost, ...]

    @property
    def by_rule(self) -> int:
        """Graveyard cards to destroy by the rule: straight to the Battlefield always costs one."""
        return len(self.costs)

    @property
    def by_example(self) -> int:
        """Graveyard cards to destroy as the book's second example counts."""
        return sum(cost.in_example for cost in self.costs)

    def by(self, reading: str) -> int:
        """The cost by the reading that was agreed on: "rule" or "example"."""
        return self.by_example if reading == "example" else self.by_rule


def summon_cost(summons: Sequence[Summon]) -> SummonCost:
    """What the summons of one turn cost, in their order (DD-SUMMON, DD-MINOR).

    The first summon has no position cost, and what follows nothing but Minor Summons still counts as the first. The
    book's two worked examples cost 4, and 2 or 3: the second one leaves out the card for the Battlefield, which the
    rule asks for. By that reading the Battlefield costs a card for the summon that counts as first alone. A Minor
    Summon costs one card for the Battlefield wherever it comes in the turn, and nothing else.
    """
    costs: list[Cost] = []
    is_first = True
    for number, summon in enumerate(summons, 1):
        if not summon.is_minor and not is_first:
            costs.append(Cost(number, Reason.LATER))
        if not summon.from_top:
            costs.append(Cost(number, Reason.NOT_ON_TOP))
        if summon.to_battlefield:
            costs.append(Cost(number, Reason.BATTLEFIELD, in_example=is_first or summon.is_minor))
        is_first = is_first and summon.is_minor
    return SummonCost(tuple(costs))


def check_summons(summons: Sequence[Summon], in_crypt: int, graveyard: int, reading: str) -> list[Message]:
    """What forbids these summons; none if they are lawful (DD-SUMMON).

    `in_crypt` zombies lie in the Crypt already, `graveyard` cards in the Graveyard before the first summon.
    """
    crypt = in_crypt + sum(not summon.to_battlefield for summon in summons)
    needed = len(summons) + summon_cost(summons).by(reading)
    faults = []
    if len(summons) > MAX_SUMMONS:
        faults.append(Message(gettext_noop("At most %(most)d summons a turn."), {"most": MAX_SUMMONS}))
    if crypt > MAX_IN_CRYPT:
        text = gettext_noop("%(count)d zombies don't fit in the Crypt; the limit is %(most)d.")
        faults.append(Message(text, {"most": MAX_IN_CRYPT, "count": crypt}))
    if needed > graveyard:
        text = gettext_noop("The Graveyard has %(count)d of %(needed)d cards needed.")
        faults.append(Message(text, {"needed": needed, "count": graveyard}))
    return faults


@dataclass(frozen=True, slots=True)
class AttackOutcome:
    """What an attack does to the Deck: cards it asks for, cards that are moved, cards left."""

    asked: int
    moved: int
    deck_left: int

    @property
    def necromancer_wins(self) -> bool:
        """Whether the Deck had too few; a Deck that is exactly empty is survived (DD-WIN-NECRO)."""
        return self.asked > self.moved


def attack_outcome(zombies: int, deck: int) -> AttackOutcome:
    """What the attack of so many zombies that were neither killed nor destroyed does to a Deck of so many cards."""
    asked = CARDS_A_ZOMBIE * zombies
    moved = min(asked, deck)
    return AttackOutcome(asked, moved, deck - moved)


def paladin_wins(battlefield: int, graveyard: int) -> bool:
    """Whether neither Battlefield nor Graveyard holds a zombie; the Crypt does not count (DD-WIN-PALADIN).

    Every card of the Graveyard is a zombie: any of them can be summoned, and the paladin may destroy the top one. The
    book does not say so in one place; this is our reading.
    """
    return battlefield == 0 and graveyard == 0


REVEALS = {
    1: gettext_noop("Next Battle: the paladin's hand counts one step higher, except aces."),
    2: gettext_noop("Next Battle: the paladin's hand counts two steps higher, except aces."),
    3: gettext_noop("The paladin draws a card."),
    4: gettext_noop("The top Graveyard card goes to the bottom."),
    5: gettext_noop("Next Battle: suits of one colour count as each other."),
    6: gettext_noop("Next Battle: one suit of the paladin's choice counts as any."),
    7: gettext_noop("All Crypt and Battlefield zombies are destroyed."),
}
"""What the paladin gets for so many revealed cards (DD-REVEAL)."""


def raised_rank(rank: str, revealed: int) -> str:
    """What a card of the paladin's hand counts in the next Battle after so many revealed cards (DD-REVEAL-STEP).

    Only one and two revealed cards change it. The book raises every card but aces: so they are the highest.
    """
    steps = revealed if revealed in (1, 2) else 0
    return RANKS[min(RANKS.index(rank) + steps, len(RANKS) - 1)]


def summons_lose(summons: Sequence[Summon], battlefield: int, graveyard: int, reading: str) -> bool:
    """Whether lawful summons leave no zombie on the Battlefield and in the Graveyard: the paladin wins at once.

    `battlefield` zombies and `graveyard` cards lie there before the first summon. Graveyard cards only become fewer
    over the summons, so that looking once, after the last one, is enough.
    """
    left = graveyard - len(summons) - summon_cost(summons).by(reading)
    return paladin_wins(battlefield + sum(summon.to_battlefield for summon in summons), left)

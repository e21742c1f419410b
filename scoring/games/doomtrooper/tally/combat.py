"""What a combat of two warriors comes to, and how often an opening hand has a warrior in it.

Ratings are those after all cards were played (DT-MODIFY); they may be negative.
"""

from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from math import comb

COVER = 3
"""Added to the Armor of a warrior in cover (DT-COVER)."""
HAND = 7
"""Cards of an opening hand (DT-START)."""


class Status(StrEnum):
    """How a warrior comes out of a combat."""

    UNHARMED = "unharmed"
    WOUNDED = "wounded"
    KILLED = "killed"


@dataclass(frozen=True, slots=True)
class Combatant:
    """A warrior in a combat: the `attack` rating of the tactic chosen, `armor` without cover, `value` as modified.

    `ends_it`: if its first strike succeeds, a card ends the combat.
    """

    attack: int
    armor: int
    value: int = 0
    in_cover: bool = False
    is_wounded: bool = False
    strikes_first: bool = False
    ends_it: bool = False
    is_freelancer: bool = False

    @property
    def defence(self) -> int:
        """Its Armor as the other has to reach it."""
        return self.armor + (COVER if self.in_cover else 0)


@dataclass(frozen=True, slots=True)
class Fate:
    """What becomes of one warrior: whether it `struck`, its `status`, the `points` its player earns by a kill.

    `destiny_only`: these are Destiny Points, for a killed warrior of one's own side or a Freelancer's kill (DT-OWNKILL,
    DT-FREELANCER); else they are split at will (DT-KILL).
    """

    struck: bool
    status: Status
    points: int
    destiny_only: bool


def combat(attacker: Combatant, defender: Combatant, *, one_player: bool = False) -> tuple[Fate, Fate]:
    """The fate of the attacker and of the defender (DT-HIT, DT-STRIKE); `one_player` owns both."""
    struck = not _is_stopped(attacker, defender), not _is_stopped(defender, attacker)
    ends = _status(attacker, defender if struck[1] else None), _status(defender, attacker if struck[0] else None)
    return (
        Fate(struck[0], ends[0], _points(defender, ends[1]), one_player or attacker.is_freelancer),
        Fate(struck[1], ends[1], _points(attacker, ends[0]), one_player or defender.is_freelancer),
    )


def hits(striker: Combatant, target: Combatant) -> bool:
    """Whether a strike wounds: equal is enough."""
    return striker.attack >= target.defence


def _is_stopped(warrior: Combatant, other: Combatant) -> bool:
    """Whether the other's first strike leaves a warrior none: it is killed, or a card ends the combat."""
    comes_first = other.strikes_first and not warrior.strikes_first
    return comes_first and hits(other, warrior) and (warrior.is_wounded or other.ends_it)


def _status(warrior: Combatant, striker: Combatant | None) -> Status:
    if striker is None or not hits(striker, warrior):
        return Status.WOUNDED if warrior.is_wounded else Status.UNHARMED
    return Status.KILLED if warrior.is_wounded else Status.WOUNDED


def _points(slain: Combatant, end: Status) -> int:
    return max(slain.value, 0) if end is Status.KILLED else 0


def opening_odds(deck: int, warriors: int, hand: int = HAND) -> tuple[Fraction, ...]:
    """How likely an opening hand is to hold 0, 1, 2 … warriors; a hand is no larger than the deck.

    Raises ValueError unless 0 <= warriors <= deck and 0 <= hand <= deck.
    """
    if not (0 <= warriors <= deck and 0 <= hand <= deck):
        raise ValueError("no such deck")
    whole = comb(deck, hand)
    return tuple(Fraction(comb(warriors, held) * comb(deck - warriors, hand - held), whole) for held in range(hand + 1))


def odds_with_gift(deck: int, warriors: int) -> Fraction:
    """How likely a player has no warrior even after the Cardinal's Gift.

    The seven new cards come before the old ones, which had none, go back into the deck (DT-GIFT).
    """
    before = opening_odds(deck, warriors)[0]
    return before * opening_odds(deck - HAND, warriors)[0] if before else before

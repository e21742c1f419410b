"""How many cards of a game of Dead or Destroyed lie where, and what each move does to them.

The cards themselves lie on the table; the board counts them. A move is {"act": name} with, by name:

    start      necromancer: the name of a player; the other is the paladin
    cycle_sap, shuffle, pass
    summon     card "minor" (2, 3, 4) or "other", from "top" or "below", to "crypt" or "battlefield"
    advance    count of zombies from the Crypt to the Battlefield
    attack     killed, destroyed: what the paladin does to the attacking zombies, a card of the hand each
    smite      killed, destroyed; graveyard "yes" where the top card of the Graveyard is destroyed too
    reveal     cards: how many are shown
    adjust     from, to (names of zones), count: cards moved by hand
    concede    player: the name of who gives up

A move that the rules forbid and the cards allow is marked with its clause (`marks_of`), and counts.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from rules_engine.messages import Message, gettext_noop
from scoring.games.dead_or_destroyed.tally.options import SUMMON_READING
from scoring.games.dead_or_destroyed.tally.rules import (
    MAX_IN_CRYPT,
    MAX_SUMMONS,
    REVEALS,
    Summon,
    attack_outcome,
    paladin_wins,
    summon_cost,
)
from scoring.sheets.boards import Impossible, Mark, Move, number

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
MINOR, OTHER = "minor", "other"
RANK = {MINOR: "2", OTHER: "K"}
"""A rank that stands for each kind of card that can be summoned."""


@dataclass(frozen=True, slots=True)
class State:
    """Cards by zone; `crypt` holds for each zombie the round it came in. `option` is what the turn was used for.

    A round is a turn of both; `winner` is a role, `by` the clause, "" while the game goes on.
    """

    necromancer: str
    paladin: str
    deck: int = CARDS - HAND - GRAVEYARD
    hand: int = HAND
    graveyard: int = GRAVEYARD
    crypt: tuple[int, ...] = ()
    battlefield: int = 0
    outside: int = 0
    round: int = 1
    is_paladins: bool = False
    option: str = ""
    summons: tuple[Summon, ...] = ()
    winner: str = ""
    by: str = ""

    @property
    def turn(self) -> str:
        """Whose turn it is."""
        return self.paladin if self.is_paladins else self.necromancer

    @property
    def rested(self) -> int:
        """How many zombies came to the Crypt in an earlier round, so that they may leave it (DD-CRYPT)."""
        return sum(came < self.round for came in self.crypt)

    def count(self, zone: str) -> int:
        """The cards in a zone."""
        return len(self.crypt) if zone == "crypt" else int(getattr(self, zone))

    def moved(self, source: str, target: str, count: int) -> "State":
        """Cards from one zone to another; the oldest zombies leave the Crypt first. Impossible with too few there."""
        if count > self.count(source):
            text = gettext_noop("Too few cards there. %(zone)s: %(count)d")
            raise Impossible(Message(text, {"zone": Message(ZONES[source]), "count": self.count(source)}))
        changes: dict[str, Any] = {}
        for zone, change in ((source, -count), (target, count)):
            if zone == "crypt":
                kept = changes.get(zone, self.crypt)
                changes[zone] = kept[-change:] if change < 0 else (*kept, *[self.round] * change)
            else:
                changes[zone] = changes.get(zone, self.count(zone)) + change
        return replace(self, **changes)


def apply(state: State | None, move: Move, names: Sequence[str], options: Mapping[str, Any]) -> tuple[State, Message]:
    """The state after a move, and the move in words; Impossible."""
    act = str(move.get("act"))
    if act == "start" and state is None and move.get("necromancer") in names:
        necromancer = str(move["necromancer"])
        paladin = next(name for name in names if name != necromancer)
        text = gettext_noop("%(necromancer)s is the necromancer, %(paladin)s the paladin.")
        return State(necromancer, paladin), Message(text, {"necromancer": necromancer, "paladin": paladin})
    if state is None or state.winner or act not in _MOVES:
        raise Impossible(Message(gettext_noop("The game has not begun, or it is over.")))
    return _MOVES[act](state, move, options)


def ended(state: State) -> State:
    """The state with the paladin's win, which comes at once (DD-WIN-PALADIN)."""
    if not state.winner and paladin_wins(state.battlefield, state.graveyard):
        return replace(state, winner="paladin", by="DD-WIN-PALADIN")
    return state


def _necromancers_end(state: State) -> State:
    """The paladin's turn begins with a card, if there is one (DD-PALADIN-TURN)."""
    state = replace(state, is_paladins=True, option="", summons=())
    return state.moved("deck", "hand", min(1, state.deck))


def _pass(state: State, move: Move, options: Mapping[str, Any]) -> tuple[State, Message]:
    text = gettext_noop("%(name)s ends the turn.")
    words = Message(text, {"name": state.turn})
    if state.is_paladins:
        return replace(state, is_paladins=False, option="", round=state.round + 1), words
    return _necromancers_end(state), words


def _cycle_sap(state: State, move: Move, options: Mapping[str, Any]) -> tuple[State, Message]:
    lost = min(state.hand, 1) if state.deck else 0
    after = replace(state.moved("hand", "outside", lost), option="cycle_sap")
    if lost:
        return after, Message(gettext_noop("Cycle and Sap: a card of the hand is destroyed."))
    return after, Message(gettext_noop("Cycle and Sap: no card of the hand is destroyed."))


def _shuffle(state: State, move: Move, options: Mapping[str, Any]) -> tuple[State, Message]:
    text = gettext_noop("Shuffle. Back to the Graveyard: %(count)d")
    return replace(state, option="shuffle"), Message(text, {"count": state.graveyard})


def _summon_of(move: Move) -> Summon:
    kind = str(move.get("card"))
    return Summon(RANK.get(kind, RANK[OTHER]), move.get("from") != "below", move.get("to") == "battlefield")


def cost_of(state: State, summon: Summon, options: Mapping[str, Any]) -> int:
    """The Graveyard cards that one summon more costs, by the reading that was agreed on (DD-PAY)."""
    reading = str(options.get(SUMMON_READING.key, SUMMON_READING.usual))
    return summon_cost((*state.summons, summon)).by(reading) - summon_cost(state.summons).by(reading)


def _summon(state: State, move: Move, options: Mapping[str, Any]) -> tuple[State, Message]:
    summon = _summon_of(move)
    cost, target = cost_of(state, summon, options), "battlefield" if summon.to_battlefield else "crypt"
    after = state.moved("graveyard", target, 1).moved("graveyard", "outside", cost)
    text = gettext_noop("Summon to the %(zone)s. Destroyed for it: %(cost)d")
    words = Message(text, {"zone": Message(ZONES[target]), "cost": cost})
    return replace(after, option="raise", summons=(*state.summons, summon)), words


def _advance(state: State, move: Move, options: Mapping[str, Any]) -> tuple[State, Message]:
    count = number(move, "count")
    text = gettext_noop("From the Crypt to the Battlefield: %(count)d")
    return state.moved("crypt", "battlefield", count), Message(text, {"count": count})


def _fight(state: State, move: Move) -> tuple[State, int, int]:
    """What the paladin's hand does to zombies: killed ones on the Graveyard, destroyed ones outside (DD-BATTLE)."""
    killed, destroyed = number(move, "killed"), number(move, "destroyed")
    after = state.moved("battlefield", "graveyard", killed).moved("battlefield", "outside", destroyed)
    return after.moved("hand", "outside", killed + destroyed), killed, destroyed


def _attack(state: State, move: Move, options: Mapping[str, Any]) -> tuple[State, Message]:
    after, killed, destroyed = _fight(state, move)
    outcome = attack_outcome(after.battlefield, after.deck)
    after = after.moved("deck", "graveyard", outcome.moved)
    text = gettext_noop("Attack with %(zombies)d: killed %(killed)d, destroyed %(destroyed)d, from the Deck %(moved)d")
    words = Message(
        text,
        {"zombies": state.battlefield, "killed": killed, "destroyed": destroyed, "moved": outcome.moved},
    )
    if outcome.necromancer_wins:
        return replace(after, winner="necromancer", by="DD-WIN-NECRO"), words
    return _necromancers_end(ended(after)), words


def _smite(state: State, move: Move, options: Mapping[str, Any]) -> tuple[State, Message]:
    after, killed, destroyed = _fight(state, move)
    top = int(move.get("graveyard") == "yes")
    after = after.moved("graveyard", "outside", top).moved("hand", "outside", top)
    text = gettext_noop("Smite: killed %(killed)d, destroyed %(destroyed)d, of the Graveyard %(top)d")
    words = Message(text, {"killed": killed, "destroyed": destroyed, "top": top})
    return replace(after, option="smite"), words


def _reveal(state: State, move: Move, options: Mapping[str, Any]) -> tuple[State, Message]:
    cards = number(move, "cards")
    if cards > state.hand or cards not in REVEALS:
        raise Impossible(Message(gettext_noop("Reveal 1 to 7 cards of the hand.")))
    after = replace(state, option="reveal")
    if cards == 3:
        after = after.moved("deck", "hand", min(1, after.deck))
    if cards == MAX_REVEALED:
        after = after.moved("crypt", "outside", len(after.crypt)).moved("battlefield", "outside", after.battlefield)
    text = gettext_noop("Revealed %(count)d: %(effect)s")
    return after, Message(text, {"count": cards, "effect": Message(REVEALS[cards])})


def _adjust(state: State, move: Move, options: Mapping[str, Any]) -> tuple[State, Message]:
    source, target, count = str(move.get("from")), str(move.get("to")), number(move, "count")
    if source not in ZONES or target not in ZONES or source == target:
        raise Impossible(Message(gettext_noop("Choose two different places.")))
    text = gettext_noop("By hand, %(source)s to %(target)s: %(count)d")
    words = {"count": count, "source": Message(ZONES[source]), "target": Message(ZONES[target])}
    return state.moved(source, target, count), Message(text, words)


def _concede(state: State, move: Move, options: Mapping[str, Any]) -> tuple[State, Message]:
    loser = move.get("player")
    if loser not in (state.necromancer, state.paladin):
        raise Impossible(Message(gettext_noop("Choose a player.")))
    winner = "paladin" if loser == state.necromancer else "necromancer"
    words = Message(gettext_noop("%(name)s concedes."), {"name": loser})
    return replace(state, winner=winner, by="concession"), words


_MOVES = {
    "cycle_sap": _cycle_sap, "shuffle": _shuffle, "summon": _summon, "advance": _advance, "attack": _attack,
    "smite": _smite, "reveal": _reveal, "pass": _pass, "adjust": _adjust, "concede": _concede,
}  # fmt: skip
_PALADINS = ("smite", "reveal")
_NECROMANCERS = ("cycle_sap", "shuffle", "summon", "advance", "attack")


def marks_of(state: State, move: Move) -> tuple[Mark, ...]:
    """Which rules a move breaks that the cards allow."""
    act, found = str(move.get("act")), []
    if (act in _PALADINS and not state.is_paladins) or (act in _NECROMANCERS and state.is_paladins):
        clause = "DD-NECRO-TURN" if state.is_paladins else "DD-PALADIN-TURN"
        found.append(Mark(Message(gettext_noop("It is %(name)s's turn."), {"name": state.turn}), clause))
    option = "raise" if act == "summon" else act
    chooses = option in ("raise", "cycle_sap", "shuffle", *_PALADINS)
    if chooses and state.option and (option != "raise" or state.option != "raise"):
        clause = "DD-PALADIN-TURN" if state.is_paladins else "DD-NECRO-TURN"
        found.append(Mark(Message(gettext_noop("This turn was used for something else.")), clause))
    if act == "summon" and len(state.summons) >= MAX_SUMMONS:
        found.append(
            Mark(Message(gettext_noop("At most %(most)d summons a turn."), {"most": MAX_SUMMONS}), "DD-SUMMON")
        )
    if act == "summon" and move.get("to") != "battlefield" and len(state.crypt) >= MAX_IN_CRYPT:
        found.append(Mark(Message(gettext_noop("The Crypt is full.")), "DD-CRYPT"))
    if act == "advance" and number(move, "count") > state.rested:
        text = gettext_noop("A zombie leaves the Crypt a turn after it came.")
        found.append(Mark(Message(text), "DD-CRYPT"))
    return tuple(found)

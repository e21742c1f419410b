"""Where the cards of a game of Dead or Destroyed lie, and what each move does to them.

The cards themselves lie on the table; the board counts them. Graveyard, Crypt and Battlefield lie open: they are kept
in order, with the cards that a person named. A move is {"act": name} with, by name:

    start      necromancer: the name of a player; the other is the paladin
    cycle_sap, shuffle, pass
    summon     at: the number of a Graveyard card from the top; card "minor" (2, 3, 4) or "other" where it has no name;
               to "crypt" or "battlefield"; pay: the numbers of the cards destroyed for it, "" for the bottom ones
    advance    z1, z2, …: "battlefield" for each zombie that leaves the Crypt
    attack     z1, z2, …: "killed" or "destroyed" for each zombie that a card of the paladin's hand answers, "waits" for
               each that does not attack
    smite      killed and destroyed as there; graveyard "yes" where the top card of the Graveyard is destroyed too
    reveal     cards: how many are shown
    name       zone; cards: what lies there, top first, as "7s Kh ? 10d"
    adjust     from, to (names of zones), count: cards moved by hand, the top ones first
    concede    player: the name of who gives up

A move that the rules forbid and the cards allow is marked with its clause (`marks_of`), and counts.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from rules_engine.messages import Message, gettext_noop
from scoring.games.dead_or_destroyed.tally.board_state import (
    MAX_REVEALED,
    OPEN,
    SUITS,
    ZONES,
    State,
    rank_of,
    read_cards,
)
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
from scoring.sheets.boards import Impossible, Mark, Move, number, player_of


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
    if not state.winner and paladin_wins(len(state.battlefield), len(state.graveyard)):
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


def _cycled(state: State) -> State:
    return replace(state, graveyard=(*state.graveyard[1:], *state.graveyard[:1]))


def _cycle_sap(state: State, move: Move, options: Mapping[str, Any]) -> tuple[State, Message]:
    lost = min(state.hand, 1) if state.deck else 0
    after = replace(_cycled(state.moved("hand", "outside", lost)), option="cycle_sap")
    if lost:
        return after, Message(gettext_noop("Cycle and Sap: a card of the hand is destroyed."))
    return after, Message(gettext_noop("Cycle and Sap: no card of the hand is destroyed."))


def _shuffle(state: State, move: Move, options: Mapping[str, Any]) -> tuple[State, Message]:
    count = len(state.graveyard)
    words = Message(gettext_noop("Shuffle. Back to the Graveyard: %(count)d"), {"count": count})
    return replace(state, option="shuffle", graveyard=("",) * count), words


def cost_of(state: State, summon: Summon, options: Mapping[str, Any]) -> int:
    """The Graveyard cards that one summon more costs, by the reading that was agreed on (DD-PAY)."""
    reading = str(options.get(SUMMON_READING.key, SUMMON_READING.usual))
    return summon_cost((*state.summons, summon)).by(reading) - summon_cost(state.summons).by(reading)


def _summon(state: State, move: Move, options: Mapping[str, Any]) -> tuple[State, Message]:
    numbers = [str(place) for place in range(1, len(state.graveyard) + 1)]
    if move.get("at") not in numbers:
        raise Impossible(Message(gettext_noop("This card is no longer there.")))
    place = numbers.index(str(move["at"]))
    name, target = state.graveyard[place], "battlefield" if move.get("to") == "battlefield" else "crypt"
    summon = Summon(rank_of(name, move.get("card")), place == 0, target == "battlefield")
    cost = cost_of(state, summon, options)
    paid = _paid(state, place, cost, str(move.get("pay") or ""))
    left = [other - (other > place) for other in paid]
    after = state.picked("graveyard", target, [place]).picked("graveyard", "outside", left)
    words = {"card": name or Message(gettext_noop("A card")), "zone": Message(ZONES[target]), "cost": cost}
    text = gettext_noop("%(card)s is summoned. To: %(zone)s. Destroyed for it: %(cost)d")
    return replace(after, option="raise", summons=(*state.summons, summon)), Message(text, words)


def _paid(state: State, summoned: int, cost: int, typed: str) -> list[int]:
    """The places of the cards destroyed for a summon: those whose numbers were typed, else the bottom ones."""
    state.moved("graveyard", "outside", cost + 1)  # refused where there are too few
    others = [place for place in range(len(state.graveyard)) if place != summoned]
    words = typed.replace(",", " ").split()
    if not words:
        return others[len(others) - cost :]
    chosen = [place for place in others if str(place + 1) in words]
    if not len(chosen) == len(words) == cost:
        text = gettext_noop("Type the numbers of other Graveyard cards to destroy. Cost: %(cost)d")
        raise Impossible(Message(text, {"cost": cost}))
    return chosen


def _chosen(state: State, zone: str, move: Move, fate: str) -> list[int]:
    return [place for place in range(state.count(zone)) if move.get(f"z{place + 1}") == fate]


def _advance(state: State, move: Move, options: Mapping[str, Any]) -> tuple[State, Message]:
    places = _chosen(state, "crypt", move, "battlefield")
    if not places:
        raise Impossible(Message(gettext_noop("Choose a zombie.")))
    text = gettext_noop("From the Crypt to the Battlefield: %(count)d")
    return state.picked("crypt", "battlefield", places), Message(text, {"count": len(places)})


def _fight(state: State, move: Move) -> tuple[State, int, int]:
    """What the paladin's hand does to zombies: killed ones on the Graveyard, destroyed ones outside (DD-BATTLE)."""
    killed, destroyed = (_chosen(state, "battlefield", move, fate) for fate in ("killed", "destroyed"))
    after = state.moved("hand", "outside", len(killed) + len(destroyed)).picked("battlefield", "graveyard", killed)
    left = [place - sum(other < place for other in killed) for place in destroyed]
    return after.picked("battlefield", "outside", left), len(killed), len(destroyed)


def _attack(state: State, move: Move, options: Mapping[str, Any]) -> tuple[State, Message]:
    after, killed, destroyed = _fight(state, move)
    waiting = len(_chosen(state, "battlefield", move, "waits"))
    outcome = attack_outcome(len(after.battlefield) - waiting, after.deck)
    after = after.moved("deck", "graveyard", outcome.moved)
    text = gettext_noop("Attack with %(zombies)d: killed %(killed)d, destroyed %(destroyed)d, from the Deck %(moved)d")
    words = Message(
        text,
        {
            "zombies": len(state.battlefield) - waiting,
            "killed": killed,
            "destroyed": destroyed,
            "moved": outcome.moved,
        },
    )
    if outcome.necromancer_wins:
        return replace(after, winner="necromancer", by="DD-WIN-NECRO"), words
    return _necromancers_end(ended(after)), words


def _smite(state: State, move: Move, options: Mapping[str, Any]) -> tuple[State, Message]:
    top = int(move.get("graveyard") == "yes")
    after, killed, destroyed = _fight(state.moved("graveyard", "outside", top), move)
    after = after.moved("hand", "outside", top)
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
    if cards == 4:
        after = _cycled(after)
    if cards == MAX_REVEALED:
        for zone in ("crypt", "battlefield"):
            after = after.moved(zone, "outside", after.count(zone))
    text = gettext_noop("Revealed %(count)d: %(effect)s")
    return after, Message(text, {"count": cards, "effect": Message(REVEALS[cards])})


def _name(state: State, move: Move, options: Mapping[str, Any]) -> tuple[State, Message]:
    zone, named = str(move.get("zone")), read_cards(str(move.get("cards") or ""))
    if zone not in OPEN or len(named) > state.count(zone):
        raise Impossible(Message(gettext_noop("Fewer cards lie there.")))
    before = getattr(state, zone)
    lie = (*(new or old for new, old in zip(named, before, strict=False)), *before[len(named) :])
    changes: dict[str, Any] = {zone: lie}
    after = replace(state, **changes)
    twice = [card for card, count in Counter(after.crypt + after.battlefield + after.graveyard).items() if count > 1]
    if suited := [card for card in twice if card[-1:] in SUITS]:
        raise Impossible(Message(gettext_noop("%(card)s lies there already."), {"card": suited[0]}))
    words = {"zone": Message(ZONES[zone]), "cards": " ".join(card or "?" for card in named)}
    return after, Message(gettext_noop("Named. %(zone)s: %(cards)s"), words)


def _adjust(state: State, move: Move, options: Mapping[str, Any]) -> tuple[State, Message]:
    source, target, count = str(move.get("from")), str(move.get("to")), number(move, "count")
    if source not in ZONES or target not in ZONES or source == target:
        raise Impossible(Message(gettext_noop("Choose two different places.")))
    text = gettext_noop("By hand, %(source)s to %(target)s: %(count)d")
    words = {"count": count, "source": Message(ZONES[source]), "target": Message(ZONES[target])}
    return state.moved(source, target, count), Message(text, words)


def _concede(state: State, move: Move, options: Mapping[str, Any]) -> tuple[State, Message]:
    loser = player_of(move, (state.necromancer, state.paladin))
    winner = "paladin" if loser == state.necromancer else "necromancer"
    words = Message(gettext_noop("%(name)s concedes."), {"name": loser})
    return replace(state, winner=winner, by="concession"), words


_MOVES = {
    "cycle_sap": _cycle_sap, "shuffle": _shuffle, "summon": _summon, "advance": _advance, "attack": _attack,
    "smite": _smite, "reveal": _reveal, "pass": _pass, "name": _name, "adjust": _adjust, "concede": _concede,
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
    if act == "advance" and any(place >= state.rested for place in _chosen(state, "crypt", move, "battlefield")):
        text = gettext_noop("A zombie leaves the Crypt a turn after it came.")
        found.append(Mark(Message(text), "DD-CRYPT"))
    return tuple(found)

"""Acts of a Doomtrooper ledger, and how the game stands, in words."""

from collections.abc import Mapping
from typing import Any

from rules_engine.messages import Message, gettext_noop
from scoring.sheets.boards import Move

SAID = {
    "kill": gettext_noop("%(who)s kills %(whose)s's warrior"),
    "own_kill": gettext_noop("%(who)s kills a warrior of their own"),
    "freelancer_kill": gettext_noop("%(who)s kills %(whose)s's warrior with a Freelancer"),
    "sabotage": gettext_noop("%(who)s sabotages %(whose)s"),
    "muster": gettext_noop("%(who)s puts a warrior into play"),
    "cover_muster": gettext_noop("%(who)s puts a warrior into play in cover"),
    "turn": gettext_noop("%(who)s begins a turn"),
    "unfit_turn": gettext_noop("%(who)s begins a turn with no fit warrior"),
    "gain": gettext_noop("A card’s effect for %(who)s"),
    "warriors_in_play": gettext_noop("Warriors in play of %(who)s: %(count)d"),
    "cover": gettext_noop("%(who)s turns up a warrior from cover"),
    "meditate": gettext_noop("%(who)s meditates"),
    "spend": gettext_noop("%(who)s spends Destiny"),
    "attack": gettext_noop("%(who)s attacks"),
    "attack_secondary": gettext_noop("%(who)s pays to attack %(whose)s"),
    "seek": gettext_noop("%(who)s: a warrior seeks cover"),
    "exit": gettext_noop("%(who)s: a warrior leaves cover"),
    "wound": gettext_noop("%(who)s: a warrior is wounded"),
    "heal": gettext_noop("%(who)s: a warrior is healed"),
    "leave": gettext_noop("%(who)s: a warrior leaves play"),
    "enter": gettext_noop("%(who)s puts a card into play"),
    "discard": gettext_noop("%(who)s: a card leaves play"),
    "fit": gettext_noop("%(who)s has a fit warrior"),
    "end_turn": gettext_noop("The turn ends"),
    "draw_pile_out": gettext_noop("%(who)s has drawn the last card"),
    "time_called": gettext_noop("Time is called"),
    "next_game": gettext_noop("The next game begins"),
    "concede": gettext_noop("%(who)s leaves the game"),
    "win": gettext_noop("%(who)s wins by a card"),
}
"""What each kind of act says, and each way in which it differs."""
WITH_VALUE = ("kill", "sabotage", "cover")
HOW_ENDED = {
    "target": gettext_noop("Reached the target of Promotion Points."),
    "draw_piles": gettext_noop("Draw piles empty, most Promotion Points."),
    "no_warrior": gettext_noop("All others left or had no warrior for 3 turns."),
    "time": gettext_noop("Ahead when time was up."),
    "card": gettext_noop("A card’s effect wins the game."),
    "last_one": gettext_noop("All others left the game."),
}
DECIDES = {
    "turn_end": gettext_noop("Time is up. %(names)s: last turn."),
    "warriors": gettext_noop("Tied at time. Enter warriors in play: %(names)s."),
    "last_turns": gettext_noop("Time is up. Full turns left: %(left)s."),
    "turns": gettext_noop("Still equal. Full turns left: %(left)s."),
    "target": gettext_noop("Tied: %(names)s play on to %(points)d (DT97-TIE)."),
    "lead": gettext_noop("Tied: %(names)s play on until one leads."),
}
"""What decides a game that a tie or the call of time took out of its usual course."""


def describe_act(act: Move) -> Message:
    """An act as a sentence: who did what, with which card."""
    whose = act.get("victim", act.get("target"))
    words = Message(SAID[_way(act)], {"who": act.get("player"), "whose": whose, "count": act.get("count")})
    if act["act"] in WITH_VALUE:
        words = Message(gettext_noop("%(words)s, Value %(value)d"), {"words": words, "value": act["value"]})
    if card := act.get("card"):
        return Message(gettext_noop("%(words)s · %(card)s"), {"words": words, "card": card})
    return words


def _way(act: Move) -> str:
    kind = str(act["act"])
    differs = {
        "own_kill": kind == "kill" and act["victim"] == act["player"],
        "freelancer_kill": kind == "kill" and bool(act.get("freelancer")),
        "cover_muster": kind == "muster" and bool(act.get("in_cover")),
        "unfit_turn": kind == "turn" and act.get("warriors") == 0,
    }
    return next((way for way, holds in differs.items() if holds), kind)


def shortfall(act: Move, line: Mapping[str, Any]) -> Message:
    """What became of a warrior that could not be paid for, from its line of the tally."""
    said = gettext_noop("%(paid)d of %(value)d Destiny paid, %(lost)d Promotion lost, warrior discarded")
    return Message(said, {"paid": -line["destiny"], "value": act["value"], "lost": -line["points"]})


def endings(options: Mapping[str, Any], goal: int | None) -> tuple[Message, ...]:
    """Every way in which a game with these options ends."""
    loses = gettext_noop("Three turns without a fit warrior: the player is out.")
    later = gettext_noop("Once a draw pile is empty: three turns without a fit warrior.")
    timed = gettext_noop("Time is up: Promotion Points, then warriors in play, then 3 turns each.")
    if options.get("time") == "one_turn":
        timed = gettext_noop("Time is up: one more turn each; then Promotion Points, warriors in play, 3 turns each.")
    found = {
        gettext_noop("Target reached: %(points)s Promotion Points."): goal is not None,
        gettext_noop("Draw piles empty, one side leads."): options.get("rules_1997", False) is False,
        loses if options.get("sabotage", "off") == "off" else later: True,
        timed: options.get("time") != "none",
        gettext_noop("A card says who wins."): True,
        gettext_noop("All others left: add a “Concede” entry."): True,
    }
    return tuple(Message(text, {"points": goal}) for text, holds in found.items() if holds)


def decides(following: Mapping[str, Any] | None) -> tuple[Message, ...]:
    """What decides a game that is out of its usual course; nothing in usual play."""
    if following is None:
        return ()
    names = ", ".join(name for name in following["players"] if name)
    left = ", ".join(f"{name} {number}" for name, number in following.get("turns", {}).items())
    params = {"names": names, "left": left, "points": following.get("points")}
    return (Message(DECIDES[following["until"]], params),)

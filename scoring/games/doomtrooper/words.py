"""Acts of a Doomtrooper ledger, and how the game stands, in words."""

from collections.abc import Callable, Mapping
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext


def describe_act(act: Mapping[str, Any]) -> str:
    """An act as a sentence: who did what, with which card."""
    words = _SAID[act["act"]](act)
    card = act.get("card")
    return _("%(words)s · %(card)s") % {"words": words, "card": card} if card else words


def shortfall(act: Mapping[str, Any], line: Mapping[str, Any]) -> str:
    """What became of a warrior that could not be paid for, from its line of the tally."""
    said = _("%(paid)d of %(value)d Destiny paid, %(lost)d Promotion lost, warrior discarded")
    return said % {"paid": -line["destiny"], "value": act["value"], "lost": -line["points"]}


def ended_in_words(tally: Mapping[str, Any]) -> tuple[str, str] | None:
    """Who has won and how; None while the game goes on."""
    if not tally["ended_by"]:
        return None
    how = {
        "target": _("Reached the target of Promotion Points."),
        "draw_piles": _("Draw piles empty, most Promotion Points."),
        "no_warrior": _("All others left or had no warrior for 3 turns."),
        "time": _("Ahead when time was up."),
        "card": _("A card’s effect wins the game."),
        "last_one": _("All others left the game."),
    }[tally["ended_by"]]
    return _("%(names)s has won") % {"names": ", ".join(tally["winners"])}, how


def endings(options: Mapping[str, Any], goal: int | None) -> list[str]:
    """Every way in which a game with these options ends."""
    loses = _("Three turns without a fit warrior: the player is out.")
    later = _("Once a draw pile is empty: three turns without a fit warrior.")
    by_book = options.get("rules_1997", False) is False
    timed = _("Time is up: Promotion Points, then warriors in play, then 3 turns each.")
    if options.get("time") == "one_turn":
        timed = _("Time is up: one more turn each; then Promotion Points, warriors in play, 3 turns each.")
    found = {
        _("Target reached: %(points)s Promotion Points.") % {"points": goal}: goal is not None,
        _("Draw piles empty, one side leads."): by_book,
        loses if options.get("sabotage", "off") == "off" else later: True,
        timed: options.get("time") != "none",
        _("A card says who wins."): True,
        _("All others left: add a “Concede” entry."): True,
    }
    return [words for words, holds in found.items() if holds]


def next_in_words(following: Mapping[str, Any] | None) -> str:
    """What decides a game that a tie or the call of time took out of its usual course; "" in usual play."""
    if following is None:
        return ""
    names = ", ".join(name for name in following["players"] if name)
    if following["until"] == "turn_end":
        return _("Time is up. %(names)s: last turn.") % {"names": names}
    if following["until"] == "warriors":
        return _("Tied at time. Enter warriors in play: %(names)s.") % {"names": names}
    if following["until"] in ("last_turns", "turns"):
        left = ", ".join(f"{name} {number}" for name, number in following["turns"].items())
        if following["until"] == "last_turns":
            return _("Time is up. Full turns left: %(left)s.") % {"left": left}
        return _("Still equal. Full turns left: %(left)s.") % {"left": left}
    if following["until"] == "target":
        return _("Tied: %(names)s play on to %(points)d (DT97-TIE).") % {
            "names": names, "points": following["points"]
        }  # fmt: skip
    return _("Tied: %(names)s play on until one leads.") % {"names": names}


def _kill(act: Mapping[str, Any]) -> str:
    words = _("%(who)s kills %(whose)s's warrior")
    if act["victim"] == act["player"]:
        words = _("%(who)s kills a warrior of their own")
    elif act.get("freelancer"):
        words = _("%(who)s kills %(whose)s's warrior with a Freelancer")
    return words % {"who": act["player"], "whose": act["victim"]} + _worth(act)


def _sabotage(act: Mapping[str, Any]) -> str:
    return _("%(who)s sabotages %(whose)s") % {"who": act["player"], "whose": act["target"]} + _worth(act)


def _worth(act: Mapping[str, Any]) -> str:
    return _(", Value %(value)d") % {"value": act["value"]}


def _muster(act: Mapping[str, Any]) -> str:
    if act.get("in_cover"):
        return _("%(who)s puts a warrior into play in cover") % {"who": act["player"]}
    return _("%(who)s puts a warrior into play") % {"who": act["player"]}


def _turn(act: Mapping[str, Any]) -> str:
    if act.get("warriors") == 0:
        return _("%(who)s begins a turn with no fit warrior") % {"who": act["player"]}
    return _("%(who)s begins a turn") % {"who": act["player"]}


def _gain(act: Mapping[str, Any]) -> str:
    return _("A card’s effect for %(who)s") % {"who": act["player"]}


def _count(act: Mapping[str, Any]) -> str:
    said = ngettext("%(who)s has %(count)d warrior in play", "%(who)s has %(count)d warriors in play", act["count"])
    return said % {"who": act["player"], "count": act["count"]}


_SAID: Mapping[str, Callable[[Mapping[str, Any]], str]] = {
    "kill": _kill,
    "sabotage": _sabotage,
    "muster": _muster,
    "turn": _turn,
    "gain": _gain,
    "warriors_in_play": _count,
    "cover": lambda act: _("%(who)s turns up a warrior from cover") % {"who": act["player"]} + _worth(act),
    "meditate": lambda act: _("%(who)s meditates") % {"who": act["player"]},
    "spend": lambda act: _("%(who)s spends Destiny") % {"who": act["player"]},
    "attack": lambda act: _("%(who)s attacks") % {"who": act["player"]},
    "attack_secondary": lambda act: (
        _("%(who)s pays to attack %(whose)s") % {"who": act["player"], "whose": act["target"]}
    ),
    "seek": lambda act: _("%(who)s: a warrior seeks cover") % {"who": act["player"]},
    "exit": lambda act: _("%(who)s: a warrior leaves cover") % {"who": act["player"]},
    "wound": lambda act: _("%(who)s: a warrior is wounded") % {"who": act["player"]},
    "heal": lambda act: _("%(who)s: a warrior is healed") % {"who": act["player"]},
    "leave": lambda act: _("%(who)s: a warrior leaves play") % {"who": act["player"]},
    "enter": lambda act: _("%(who)s puts a card into play") % {"who": act["player"]},
    "discard": lambda act: _("%(who)s: a card leaves play") % {"who": act["player"]},
    "fit": lambda act: _("%(who)s has a fit warrior") % {"who": act["player"]},
    "end_turn": lambda act: _("The turn ends"),
    "draw_pile_out": lambda act: _("%(who)s has drawn the last card") % {"who": act["player"]},
    "time_called": lambda act: _("Time is called"),
    "next_game": lambda act: _("The next game begins"),
    "concede": lambda act: _("%(who)s leaves the game") % {"who": act["player"]},
    "win": lambda act: _("%(who)s wins by a card") % {"who": act["player"]},
}

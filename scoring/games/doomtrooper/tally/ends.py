"""How a Doomtrooper game ends: the target, both draw piles out, no warrior, time, or nobody else left."""

from typing import Any

from scoring.games.doomtrooper.tally.ledger import Ledger
from scoring.games.doomtrooper.tally.sheet import Act

RAISE = 10
EXTRA_TURNS = 3
LAST_TURNS = 3
OF_WARRIORS = {
    "fit", "cover", "kill", "sabotage", "attack", "seek", "exit", "wound", "heal", "leave", "warriors_in_play",
}  # fmt: skip
"""Acts that say of their player that there was a warrior."""


def leave(ledger: Ledger, person: str, how: str) -> None:
    """A person is out of the game."""
    ledger.out.setdefault(person, how)
    ledger.countdown.pop(person, None)
    ledger.turns_left.pop(person, None)


def turns_without_warrior(ledger: Ledger, act: Act) -> int:
    """The turns left to a player who begins one without a warrior, this one included (DT-NOWARRIOR).

    On a ledger that tells of warriors the turns of a player who has never had one are the first of them.
    """
    earlier = [each for each in ledger.sheet.acts if each.number < act.number]
    if ledger.sheet.options.sabotage != "off" or all(each.kind != "muster" for each in earlier):
        return LAST_TURNS
    own = [each for each in earlier if act.member in (each.member, each.facts.get("victim", ("", ""))[1])]
    if any(
        each.kind in OF_WARRIORS or each.facts.get("warriors") or each.facts.get("fights", each.kind == "muster")
        for each in own
    ):
        return LAST_TURNS
    return max(LAST_TURNS - sum(each.kind == "turn" for each in own), 1)


def end_turn(ledger: Ledger, act: Act) -> None:
    """The turn in progress is over: whoever had none of three turns left is out (DT-NOWARRIOR), and time may be up."""
    person, ledger.turn = ledger.turn, None
    if person is None:
        return
    if ledger.countdown.get(person) == 1:
        leave(ledger, person, "no_warrior")
    if person in ledger.turns_left:
        ledger.turns_left[person] = max(ledger.turns_left[person] - 1, 0)
    decide(ledger, act)


def decide(ledger: Ledger, act: Act) -> None:
    """End the game if it is over after this act."""
    for ending in (_last_side, _target, _draw_piles, _time):
        if ledger.ended_by is None:
            ending(ledger, act)


def _last_side(ledger: Ledger, act: Act) -> None:
    """One side alone is left, or one of those that had tied."""
    if len(ledger.sides_playing) == 1:
        last_out = list(ledger.out.values())[-1]
        ledger.finish(ledger.sides_playing, "no_warrior" if last_out == "no_warrior" else "last_one", act)
    elif len(ledger.contenders) == 1:
        ledger.finish(ledger.contenders, "time" if ledger.time else "target", act)


def _target(ledger: Ledger, act: Act) -> None:
    """The target is reached (DT-TARGET); equal points are played off, by the rules of 1997 to 10 more (DT97-TIE)."""
    goal = ledger.goal
    reached = [place for place in ledger.contenders if goal is not None and ledger.promotion[place] >= goal]
    if goal is None or not reached:
        return
    leaders = ledger.leaders(reached)
    if len(leaders) == 1:
        ledger.finish(leaders, "target", act)
    elif ledger.sheet.options.rules_1997:
        while goal <= ledger.promotion[leaders[0]]:
            goal += RAISE
        ledger.goal, ledger.tied = goal, tuple(leaders)


def _draw_piles(ledger: Ledger, act: Act) -> None:
    """Every draw pile is empty: more Promotion Points win, equal ones are played off (DT-OUT, DT97-OUT)."""
    if ledger.sheet.options.rules_1997 or not ledger.piles_out.issuperset(ledger.playing):
        return
    leaders = ledger.leaders(ledger.contenders)
    if len(leaders) == 1:
        ledger.finish(leaders, "draw_piles", act)


def _time(ledger: Ledger, act: Act) -> None:
    """Time was called (DT97-TIME): Promotion Points, then warriors in play, then three more turns each, and so on.

    Where that is agreed on, everybody has one more turn before.
    """
    if ledger.time == "turn" and ledger.turn is None:
        if ledger.sheet.options.time == "one_turn":
            ledger.time, ledger.turns_left = "last_turns", dict.fromkeys(ledger.playing, 1)
        else:
            _compare_points(ledger, act)
    elif ledger.time == "warriors" and not _uncounted(ledger):
        _compare_warriors(ledger, act)
    elif ledger.time in ("last_turns", "turns") and not any(ledger.turns_left.values()):
        _compare_points(ledger, act)


def _compare_points(ledger: Ledger, act: Act) -> None:
    leaders = ledger.leaders(ledger.contenders)
    if len(leaders) == 1:
        ledger.finish(leaders, "time", act)
    else:
        ledger.time, ledger.tied, ledger.counts, ledger.turns_left = "warriors", tuple(leaders), {}, {}


def _compare_warriors(ledger: Ledger, act: Act) -> None:
    counts = {place: sum(ledger.counts[place].values()) for place in ledger.contenders}
    leaders = [place for place, count in counts.items() if count == max(counts.values())]
    if len(leaders) == 1:
        ledger.finish(leaders, "time", act)
        return
    ledger.time, ledger.tied = "turns", tuple(leaders)
    ledger.turns_left = {person: EXTRA_TURNS for person in ledger.playing if ledger.sheet.places[person] in ledger.tied}


def _uncounted(ledger: Ledger) -> list[int]:
    """The tied sides whose warriors in play nobody has counted yet: written for the side, or for all its members."""
    return [
        place for place in ledger.contenders
        if "" not in (counted := ledger.counts.get(place, {}))
        and not all(person in counted or person in ledger.out for person in ledger.sheet.sides[place].members)
    ]  # fmt: skip


def next_of(ledger: Ledger) -> dict[str, Any] | None:
    """What decides a game that a tie or the call of time has taken out of its usual course; None in usual play."""
    if ledger.ended_by is not None:
        return None
    if ledger.time == "turn":
        return {"until": "turn_end", "players": [ledger.turn]}
    if ledger.time == "warriors":
        return {"until": "warriors", "players": _names(ledger, _uncounted(ledger))}
    if ledger.time in ("last_turns", "turns"):
        return {"until": ledger.time, "players": _names(ledger, ledger.contenders), "turns": dict(ledger.turns_left)}
    if ledger.tied:
        return {"until": "target", "players": _names(ledger, ledger.contenders), "points": ledger.goal}
    leaders = ledger.leaders(ledger.contenders)
    at_target = ledger.goal is not None and ledger.promotion[leaders[0]] >= ledger.goal
    if at_target or (not ledger.sheet.options.rules_1997 and ledger.piles_out.issuperset(ledger.playing)):
        return {"until": "lead", "players": _names(ledger, leaders)}
    return None


def _names(ledger: Ledger, places: list[int]) -> list[str]:
    return [ledger.sheet.sides[place].name for place in places]

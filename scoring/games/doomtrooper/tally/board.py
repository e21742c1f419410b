"""The board of a game of Doomtrooper: both totals of each side, whose turn it is, the cards in play, how the game ends.

Its moves are the acts of the ledger (`sheet`); those offered are in `board_moves`.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any
from urllib.parse import urlencode

from rules_engine.messages import Message, gettext_noop
from scoring.games.doomtrooper.tally.board_moves import offers_of
from scoring.games.doomtrooper.tally.board_state import Game, Setting, game_of
from scoring.games.doomtrooper.tally.board_words import HOW_ENDED, decides, describe_act, endings, shortfall
from scoring.games.doomtrooper.tally.ledger import END_RULES
from scoring.games.doomtrooper.tally.table import CardInPlay
from scoring.sheets.boards import Board, BoardCard, Ending, Holder, Mark, Move, Played, Zone

PROMOTION, DESTINY = gettext_noop("Promotion"), gettext_noop("Destiny")
States = tuple[tuple[str, Message], ...]


def play(setting: Setting, plays_on: Callable[[Sequence[Mapping[str, Any]]], bool], acts: Sequence[Move]) -> Board:
    """The board after these acts of the ledger; `plays_on(games)` says whether another game follows those played.

    DomainError "bad_sheet" where the ledger cannot be read.
    """
    game = game_of(setting, acts)
    goal, violations = game.tally["goal"], game.match["violations"]
    has_next = len(game.sides) == 2 and game.is_over and plays_on(game.match["games"])
    aim = Message(gettext_noop("%(target)s Promotion Points win."), {"target": goal})
    return Board(
        turn=game.turn,
        phase=_phase(game),
        zones=tuple(_zones(game)),
        offers=tuple(offers_of(game, has_next=has_next)),
        played=tuple(_played(game)),
        labels={},
        ending=_ending(game),
        cards=tuple(_shown(game, card) for card in game.cards),
        holders=tuple(_holders(game)),
        aim=Message(gettext_noop("No target was agreed on.")) if goal is None else aim,
        endings=endings(setting.options, goal),
        notices=decides(game.tally["next"]),
        wrong=tuple(Mark(Message("%(words)s", {"words": each["message"]}), each["rule"]) for each in violations),
        games=game.match["games"],
    )


def _phase(game: Game) -> Message:
    if game.turn:
        params = {"name": game.turn, "left": game.table.actions_left}
        return Message(gettext_noop("Turn of %(name)s. Actions left: %(left)d"), params)
    if any(act["act"] == "turn" for act in game.acts[game.before :]):
        return Message(gettext_noop("Between two turns"))
    return Message(gettext_noop("Before the first turn"))


def _zones(game: Game) -> Iterator[Zone]:
    goal = game.tally["goal"]
    for side in game.tally["players"]:
        to_go = Message(gettext_noop("%(points)s to go"), {"points": max((goal or 0) - side["promotion"], 0)})
        yield Zone(PROMOTION, side["promotion"], side["name"], () if goal is None or game.is_over else (to_go,))
        yield Zone(DESTINY, side["destiny"], side["name"])
        for member in side.get("members", ()):
            if member["destiny"] is not None:
                yield Zone(DESTINY, member["destiny"], member["name"])


def _holders(game: Game) -> Iterator[Holder]:
    """Every side, a team with its members behind it."""
    for place, side in enumerate(game.sheet.sides):
        own: States = (("done", Message(gettext_noop("won"))),) if side.name in game.tally["winners"] else ()
        if prey := game.prey(place):
            own = (*own, ("plain", Message(gettext_noop("primary target: %(name)s"), {"name": prey})))
        if side.members == (side.name,):
            yield Holder(side.name, (*own, *_states(game, side.name)))
            continue
        yield Holder(side.name, own)
        for member in side.members:
            yield Holder(member, _states(game, member), side.name)


def _states(game: Game, name: str) -> States:
    """Whether a player is out, or how many turns without a warrior are left."""
    out, left = game.tally["out"].get(name), game.tally["countdown"].get(name)
    if out:
        text = gettext_noop("left") if out == "concede" else gettext_noop("out: no warrior")
        return (("plain", Message(text)),)
    if left:
        text = gettext_noop("no warrior: last turn") if left == 1 else gettext_noop("no warrior: %(turns)d turns")
        return (("wrong", Message(text, {"turns": left})),)
    return ()


def _shown(game: Game, card: CardInPlay) -> BoardCard:
    name = card.name or Message(gettext_noop("A warrior"))
    links = ((_combat(game, card), Message(gettext_noop("Combat"))),) if card.is_warrior and card.name else ()
    zone = "" if card.is_warrior else card.type
    states = tuple(_card_states(game, card))
    return BoardCard(game.id_of(card), name, card.owner, zone, states=states, links=links)


def _card_states(game: Game, card: CardInPlay) -> Iterator[tuple[str, Message]]:
    printed = {key: game.table.printed(card.name, key) for key in ("fight", "shoot", "armor")}
    ratings = Message(gettext_noop("F %(fight)s · S %(shoot)s · A %(armor)s"), printed)
    found = (
        ("wait", Message(gettext_noop("wounded")), card.is_wounded),
        ("plain", Message(gettext_noop("in cover")), card.in_cover),
        ("plain", Message(gettext_noop("not paid yet")), card.is_unpaid),
        ("plain", Message(gettext_noop("no part in combat")), card.is_warrior and not card.fights),
        ("plain", ratings, card.is_warrior and bool(printed["fight"])),
        ("plain", Message(gettext_noop("Value %(value)d"), {"value": card.value or 0}), card.value is not None),
    )
    return ((look, words) for look, words, holds in found if holds)


def _combat(game: Game, card: CardInPlay) -> str:
    """The calculator with what is known: whose turn it is attacks, with the warrior that can where there is one."""
    facts: dict[str, Any] = {"defender": card.name, "wounded": card.is_wounded, "cover": card.in_cover}
    able = [
        each
        for each in game.table.of(game.table.turn or "")
        if each.is_warrior and each.name and each.fights and not each.in_cover
    ]
    if card.owner == game.table.turn:
        facts, able = {}, [card]
    if len(able) == 1:
        facts |= {"attacker": able[0].name, "attacker_wounded": able[0].is_wounded}
    return f"{game.setting.combat}?{urlencode(facts)}"


def _played(game: Game) -> Iterator[Played]:
    """Every act in words, with the points it brought and what speaks against it."""
    gains: dict[int, list[str]] = {}
    unpaid: dict[int, Mapping[str, Any]] = {}
    for side in game.match["players"]:
        for line in side["lines"]:
            points = ((line["points"], "P"), (line["destiny"], "D"))
            gains.setdefault(line["act"], []).extend(f"{number:+d} {pool}" for number, pool in points if number)
            unpaid |= {line["act"]: line} if line.get("discarded") else {}
    wrong = {each["act"] for each in game.match["violations"]}
    against = (Mark(Message(gettext_noop("against a rule"))),)
    for number, act in enumerate(game.acts, 1):
        marks = against if number in wrong else tuple(game.table.marks.get(number, ()))
        note = shortfall(act, unpaid[number]) if number in unpaid else None
        yield Played(describe_act(act), marks, tuple(gains.get(number, ())), note)


def _ending(game: Game) -> Ending | None:
    how = game.tally["ended_by"]
    if not how:
        return None
    names = ", ".join(game.tally["winners"])
    said = Message(gettext_noop("%(names)s has won"), {"names": names})
    return Ending(said, END_RULES[how], how=Message(HOW_ENDED[how]))

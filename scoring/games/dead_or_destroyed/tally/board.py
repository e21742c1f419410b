"""The board of a game of Dead or Destroyed: what lies where, the moves offered, and either side's win at once.

The moves and what they do are those of `board_moves`; the costs of summons are said before, and so is a summon that
loses at once.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from rules_engine.messages import Message, gettext_noop
from scoring.games.dead_or_destroyed.tally.board_moves import (
    CARDS,
    MAX_REVEALED,
    MINOR,
    OTHER,
    RANK,
    ZONES,
    State,
    apply,
    cost_of,
    ended,
    marks_of,
)
from scoring.games.dead_or_destroyed.tally.rules import CARDS_A_ZOMBIE, MAX_SUMMONS, REVEALS, Summon
from scoring.sheets.boards import Board, Ending, Move, MoveField, Offer, Zone, replay

LABELS = {
    "start": gettext_noop("Begin the game"),
    "pass": gettext_noop("End the turn"),
    "adjust": gettext_noop("Move cards by hand"),
    "concede": gettext_noop("Concede"),
    "cycle_sap": gettext_noop("Cycle and Sap"),
    "shuffle": gettext_noop("Shuffle"),
    "advance": gettext_noop("Leave the Crypt"),
    "attack": gettext_noop("Attack and end the turn"),
    "smite": gettext_noop("Smite"),
    "reveal": gettext_noop("Reveal"),
    "summon": gettext_noop("Raise Dead: summon"),
}
"""What each kind of move is called."""


def play(names: Sequence[str], first: str, options: Mapping[str, Any], moves: Sequence[Move]) -> Board:
    """The board after these moves (`scoring.sheets.boards.Play`)."""

    def moved(before: State | None, move: Move) -> tuple[State | None, Message]:
        after, words = apply(before, move, names, options)
        return ended(after), words

    begun: State | None = None
    state, played = replay(begun, moves, moved, lambda before, move: marks_of(before, move) if before else ())
    if state is None:
        start = MoveField(
            "necromancer", gettext_noop("Necromancer"), usual=first, choices=tuple((name, name) for name in names)
        )
        offer = Offer("start", LABELS["start"], (start,))
        return Board("", Message(gettext_noop("Before the game")), (), (offer,), tuple(played), LABELS)
    return Board(
        turn="" if state.winner else state.turn,
        phase=_phase(state),
        zones=_zones(state),
        offers=_offers(state, options),
        played=tuple(played),
        labels=LABELS,
        ending=_ending(state, names),
    )


def _phase(state: State) -> Message:
    params = {"round": state.round, "name": state.turn}
    if state.winner:
        return Message(gettext_noop("The game is over"))
    if state.is_paladins:
        return Message(gettext_noop("Turn %(round)d: %(name)s, paladin"), params)
    return Message(gettext_noop("Turn %(round)d: %(name)s, necromancer"), params)


def _zones(state: State) -> tuple[Zone, ...]:
    holders = {"crypt": state.necromancer, "battlefield": state.necromancer, "hand": state.paladin}
    wins_with = Message(
        gettext_noop("Unanswered zombies that win: %(count)d"), {"count": state.deck // CARDS_A_ZOMBIE + 1}
    )
    rested = Message(gettext_noop("May leave now: %(count)d"), {"count": state.rested})
    notes = {"deck": (wins_with,), "crypt": (rested,) if state.crypt else ()}
    return tuple(
        Zone(label, state.count(key), holders.get(key, ""), notes.get(key, ())) for key, label in ZONES.items()
    )


def _offers(state: State, options: Mapping[str, Any]) -> tuple[Offer, ...]:
    """The moves that the rules allow now, then those by hand."""
    if state.winner:
        return ()
    offers = _paladins_offers(state) if state.is_paladins else _necromancers_offers(state, options)
    zones = tuple(ZONES.items())
    players = tuple((name, name) for name in (state.necromancer, state.paladin))
    by_hand = (
        MoveField("from", gettext_noop("From"), choices=zones, usual="graveyard"),
        MoveField("to", gettext_noop("To"), choices=zones, usual="outside"),
        MoveField("count", gettext_noop("Cards"), 1, CARDS, 1),
    )
    concede = MoveField("player", gettext_noop("Who concedes"), choices=players, usual=state.turn)
    return (
        *offers,
        Offer("pass", LABELS["pass"], is_usual=bool(state.option) or not offers),
        Offer("adjust", LABELS["adjust"], by_hand, is_usual=False),
        Offer("concede", LABELS["concede"], (concede,), is_usual=False),
    )


def _necromancers_offers(state: State, options: Mapping[str, Any]) -> list[Offer]:
    offers = []
    if state.option in ("", "raise") and len(state.summons) < MAX_SUMMONS and state.graveyard:
        offers.append(_summon_offer(state, options))
    if not state.option:
        offers.append(Offer("cycle_sap", LABELS["cycle_sap"]))
        offers.append(Offer("shuffle", LABELS["shuffle"]))
    if state.rested:
        count = MoveField("count", gettext_noop("Zombies to the Battlefield"), 1, state.rested, 1)
        offers.append(Offer("advance", LABELS["advance"], (count,)))
    if state.battlefield:
        offers.append(Offer("attack", LABELS["attack"], _fight_fields(state)))
    return offers


def _paladins_offers(state: State) -> list[Offer]:
    if state.option:
        return []
    most = min(MAX_REVEALED, state.hand)
    top = (("no", gettext_noop("no")), ("yes", gettext_noop("yes")))
    graveyard = MoveField("graveyard", gettext_noop("Top of the Graveyard destroyed"), choices=top, usual="no")
    offers = [Offer("smite", LABELS["smite"], (*_fight_fields(state), graveyard))] if state.hand else []
    if most:
        cards = MoveField("cards", gettext_noop("Cards revealed"), 1, most, 1)
        notes = tuple(
            Message(gettext_noop("%(count)d: %(effect)s"), {"count": count, "effect": Message(text)})
            for count, text in REVEALS.items()
            if count <= most
        )
        offers.append(Offer("reveal", LABELS["reveal"], (cards,), notes))
    return offers


def _fight_fields(state: State) -> tuple[MoveField, ...]:
    most = min(state.battlefield, state.hand)
    return (
        MoveField("killed", gettext_noop("Zombies killed"), 0, most, 0),
        MoveField("destroyed", gettext_noop("Zombies destroyed"), 0, most, 0),
    )


def _summon_offer(state: State, options: Mapping[str, Any]) -> Offer:
    """One summon more, with what each way costs, and which would lose the game at once (DD-WIN-PALADIN)."""
    fields = (
        MoveField("card", gettext_noop("Card"), usual=OTHER, choices=(
            (OTHER, gettext_noop("5 or higher")), (MINOR, gettext_noop("2, 3 or 4")))),
        MoveField("from", gettext_noop("From"), usual="top", choices=(
            ("top", gettext_noop("top of the Graveyard")), ("below", gettext_noop("below the top")))),
        MoveField("to", gettext_noop("To"), usual="crypt", choices=(
            ("crypt", ZONES["crypt"]), ("battlefield", ZONES["battlefield"]))),
    )  # fmt: skip
    top, below = (
        {"crypt": cost_of(state, Summon(RANK[OTHER], is_top), options),
         "battlefield": cost_of(state, Summon(RANK[OTHER], is_top, True), options)}
        for is_top in (True, False)
    )  # fmt: skip
    notes = [
        Message(gettext_noop("Cost from the top: Crypt %(crypt)d, Battlefield %(battlefield)d"), top),
        Message(gettext_noop("Cost from below: Crypt %(crypt)d, Battlefield %(battlefield)d"), below),
    ]
    minor = {
        "crypt": cost_of(state, Summon(RANK[MINOR]), options),
        "battlefield": cost_of(state, Summon(RANK[MINOR], True, True), options),
    }
    notes.append(
        Message(gettext_noop("Cost of a 2, 3 or 4 on top: Crypt %(crypt)d, Battlefield %(battlefield)d"), minor)
    )
    return Offer("summon", LABELS["summon"], fields, tuple(notes), tuple(_losing(state, options)))


def _losing(state: State, options: Mapping[str, Any]) -> list[Message]:
    """What is said before a summon to the Crypt that leaves no zombie in Graveyard and Battlefield."""
    if state.battlefield:
        return []
    ways = {is_top: 1 + cost_of(state, Summon(RANK[OTHER], is_top), options) for is_top in (True, False)}
    if ways[True] == state.graveyard:
        text = gettext_noop("To the Crypt from the top: Graveyard and Battlefield are empty, the paladin wins at once.")
        return [Message(text)]
    if ways[False] == state.graveyard:
        text = gettext_noop("To the Crypt from below: Graveyard and Battlefield are empty, the paladin wins at once.")
        return [Message(text)]
    return []


def _ending(state: State, names: Sequence[str]) -> Ending | None:
    if not state.winner:
        return None
    name = state.paladin if state.winner == "paladin" else state.necromancer
    words = {
        "DD-WIN-NECRO": gettext_noop("%(name)s wins: the Deck has too few cards."),
        "DD-WIN-PALADIN": gettext_noop("%(name)s wins: no zombie in Graveyard and Battlefield."),
        "concession": gettext_noop("%(name)s wins by concession."),
    }[state.by]
    is_conceded = state.by == "concession"
    outcome = f"concession{names.index(name)}" if is_conceded else state.winner
    result = {"necromancer": state.necromancer, "outcome": outcome}
    return Ending(Message(words, {"name": name}), "" if is_conceded else state.by, result)

"""The board of a game of Dead or Destroyed: what lies where, the moves offered, and either side's win at once.

The moves and what they do are those of `board_moves`; the costs of summons are said before, and so is a summon that
loses at once.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from rules_engine.messages import Message, gettext_noop
from scoring.games.dead_or_destroyed.tally.board_moves import apply, cost_of, ended, marks_of
from scoring.games.dead_or_destroyed.tally.board_state import (
    CARDS,
    MAX_REVEALED,
    MINOR,
    OPEN,
    OTHER,
    RANK,
    ZONES,
    State,
    rank_of,
)
from scoring.games.dead_or_destroyed.tally.rules import CARDS_A_ZOMBIE, MAX_SUMMONS, REVEALS, Summon
from scoring.sheets.boards import Board, Ending, Move, MoveField, Offer, Zone, before_game, player_field, replay

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
    "name": gettext_noop("Name cards"),
}
"""What each kind of move is called."""
MAX_TYPED = 200


def play(names: Sequence[str], first: str, options: Mapping[str, Any], moves: Sequence[Move]) -> Board:
    """The board after these moves (`scoring.sheets.boards.Play`)."""

    def moved(before: State | None, move: Move) -> tuple[State | None, Message]:
        after, words = apply(before, move, names, options)
        return ended(after), words

    begun: State | None = None
    state, played = replay(begun, moves, moved, lambda before, move: marks_of(before, move) if before else ())
    if state is None:
        return before_game(player_field("necromancer", gettext_noop("Necromancer"), names, first), played, LABELS)
    return Board(
        turn="" if state.winner else state.turn,
        phase=_phase(state),
        zones=_zones(state),
        offers=_offers(state, options),
        played=tuple(played),
        labels=LABELS,
        ending=_ending(state, names),
        hands=() if state.winner else (state.paladin,),
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
    notes = {"deck": [wins_with], "crypt": [rested] if state.crypt else []}
    for key in OPEN:
        if any(getattr(state, key)):
            named = [card for card in _numbered(state, key).values() if not card.endswith("?")]
            notes.setdefault(key, []).append(Message("%(cards)s", {"cards": ", ".join(named)}))
    return tuple(
        Zone(label, state.count(key), holders.get(key, ""), tuple(notes.get(key, ()))) for key, label in ZONES.items()
    )


def _numbered(state: State, zone: str) -> dict[str, str]:
    """The cards of an open zone by their number, top first, as people read them."""
    return {
        str(place): f"{place}.\N{NO-BREAK SPACE}{name or '?'}" for place, name in enumerate(getattr(state, zone), 1)
    }


def _offers(state: State, options: Mapping[str, Any]) -> tuple[Offer, ...]:
    """The moves that the rules allow now, then those by hand."""
    if state.winner:
        return ()
    offers = _paladins_offers(state) if state.is_paladins else _necromancers_offers(state, options)
    zones = tuple(ZONES.items())
    by_hand = (
        MoveField("from", gettext_noop("From"), choices=zones, usual="graveyard"),
        MoveField("to", gettext_noop("To"), choices=zones, usual="outside"),
        MoveField("count", gettext_noop("Cards"), 1, CARDS, 1),
    )
    players = (state.necromancer, state.paladin)
    concede = player_field("player", gettext_noop("Who concedes"), players, state.turn)
    return (
        *offers,
        Offer("pass", LABELS["pass"], is_usual=bool(state.option) or not offers),
        *_naming(state),
        Offer("adjust", LABELS["adjust"], by_hand, is_usual=False),
        Offer("concede", LABELS["concede"], (concede,), is_usual=False),
    )


def _naming(state: State) -> list[Offer]:
    zones = tuple((key, ZONES[key]) for key in OPEN if state.count(key))
    cards = MoveField("cards", gettext_noop("Cards, top first, as 7s Kh ? 10d"), longest=MAX_TYPED)
    zone = MoveField("zone", gettext_noop("Where"), usual=OPEN[0], choices=zones)
    return [Offer("name", LABELS["name"], (zone, cards), is_usual=False)] if zones else []


def _necromancers_offers(state: State, options: Mapping[str, Any]) -> list[Offer]:
    offers = []
    if state.option in ("", "raise") and len(state.summons) < MAX_SUMMONS and state.graveyard:
        offers.append(_summon_offer(state, options))
    if not state.option:
        offers.append(Offer("cycle_sap", LABELS["cycle_sap"]))
        offers.append(Offer("shuffle", LABELS["shuffle"]))
    if state.rested:
        fates = (("crypt", gettext_noop("stays")), ("battlefield", ZONES["battlefield"]))
        fields = _fates(state, "crypt", state.rested, fates, "battlefield")
        offers.append(Offer("advance", LABELS["advance"], fields))
    if state.battlefield:
        offers.append(
            Offer("attack", LABELS["attack"], _fight_fields(state, ("waits", gettext_noop("doesn't attack"))))
        )
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


def _fight_fields(state: State, *more: tuple[str, str]) -> tuple[MoveField, ...]:
    """What becomes of each zombie on the Battlefield: an empty hand kills none; `more` is open in any case."""
    answers = (("killed", gettext_noop("killed")), ("destroyed", gettext_noop("destroyed"))) if state.hand else ()
    fates = (("stays", gettext_noop("stays")), *answers, *more)
    return _fates(state, "battlefield", len(state.battlefield) if len(fates) > 1 else 0, fates, "stays")


def _fates(
    state: State, zone: str, count: int, fates: tuple[tuple[str, str], ...], usual: str
) -> tuple[MoveField, ...]:
    """What is asked of each of the first so many zombies of a zone."""
    labels = list(_numbered(state, zone).items())[:count]
    return tuple(MoveField(f"z{key}", label, usual=usual, choices=fates) for key, label in labels)


def _summon_offer(state: State, options: Mapping[str, Any]) -> Offer:
    """One summon more, with what each way costs, and which would lose the game at once (DD-WIN-PALADIN)."""
    kind = MoveField("card", gettext_noop("Its rank, where it has no name"), usual=OTHER, choices=(
        (OTHER, gettext_noop("5 or higher")), (MINOR, gettext_noop("2, 3 or 4"))))  # fmt: skip
    fields = (
        MoveField("at", gettext_noop("Card, from the top"), usual="1",
                  choices=tuple(_numbered(state, "graveyard").items())),
        *([] if all(state.graveyard) else [kind]),
        MoveField("to", gettext_noop("To"), usual="crypt", choices=(
            ("crypt", ZONES["crypt"]), ("battlefield", ZONES["battlefield"]))),
        MoveField("pay", gettext_noop("Destroyed for it, by number (empty: from the bottom)"), longest=MAX_TYPED,
                  may_lack=True),
    )  # fmt: skip
    top = rank_of(state.graveyard[0])
    ways = [
        (gettext_noop("Cost from the top: Crypt %(crypt)d, Battlefield %(battlefield)d"), top, True),
        (gettext_noop("Cost from below: Crypt %(crypt)d, Battlefield %(battlefield)d"), RANK[OTHER], False),
    ]
    if not state.graveyard[0]:
        text = gettext_noop("Cost of a 2, 3 or 4 on top: Crypt %(crypt)d, Battlefield %(battlefield)d")
        ways.append((text, RANK[MINOR], True))
    notes = tuple(
        Message(text, {
            "crypt": cost_of(state, Summon(rank, is_top), options),
            "battlefield": cost_of(state, Summon(rank, is_top, True), options),
        })
        for text, rank, is_top in ways
    )  # fmt: skip
    return Offer("summon", LABELS["summon"], fields, notes, _losing(state, ways, options))


def _losing(state: State, ways: Sequence[tuple[str, str, bool]], options: Mapping[str, Any]) -> tuple[Message, ...]:
    """What is said before a summon to the Crypt that leaves no zombie in Graveyard and Battlefield."""
    count = len(state.graveyard)
    losing = {
        is_top for _text, rank, is_top in ways
        if not state.battlefield and 1 + cost_of(state, Summon(rank, is_top), options) == count
    }  # fmt: skip
    if True in losing:
        text = gettext_noop("To the Crypt from the top: Graveyard and Battlefield are empty, the paladin wins at once.")
        return (Message(text),)
    if False in losing and count > 1:
        text = gettext_noop("To the Crypt from below: Graveyard and Battlefield are empty, the paladin wins at once.")
        return (Message(text),)
    return ()


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

"""How the cards of a game of Doom Pile lie, and what each move does to them.

The cards themselves lie on the table. Decks, hands and discard piles are counted; cards in countdown and on the field
go by name. A move is {"act": name} with, by name:

    start      player: who goes first
    play       player, name, start: a card into countdown, from "hand", "deck" or "discard"; kind, strength, health
               where they are known
    resolve    card: out of countdown; kind, strength, health where nobody said them yet
    less, more card: its count goes down or up by 1, as an effect says
    leave      card; to: "discard", "hand", "deck", "interred"
    attack     card, target: both hit each other, an Artifice does not hit back
    burn       card, count: that much damage
    draw       player, count
    adjust     player; from, to (names of zones), count: cards moved by hand
    plan       player, count: the progress of a Master Plan, as players count it
    end        the turn is over
    win        player, how: "master_plan" or "card_effect"
    concede    player: who gives up

"card" and "target" are ids of cards on the board: the "id" of the move that played them, which stays when an earlier
move is struck out, or its number from 1 where moves have none.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from rules_engine.messages import Message, gettext_noop
from scoring.games.doom_pile.tally.board_state import ARTIFICE, DECK, HAND, KINDS, MINION, PILES, Card, State
from scoring.sheets.boards import Impossible, Mark, Move, number, player_of


def apply(state: State, move: Move) -> tuple[State, Message]:
    """The state after a move, and the move in words; Impossible."""
    act = str(move.get("act"))
    numbered = replace(state, made=number(move, "id") or state.made + 1)
    if act == "start" and state.turn < 0 and move.get("player") in state.names:
        return _started(numbered, str(move["player"]))
    if state.turn < 0 or state.winner or act not in _MOVES:
        raise Impossible(Message(gettext_noop("The game has not begun, or it is over.")))
    after, words = _MOVES[act](numbered, move)
    return _settled(after), words


def _started(state: State, first: str) -> tuple[State, Message]:
    piles = {name: {"deck": DECK - HAND, "hand": HAND, "discard": 0, "interred": 0} for name in state.names}
    begun = replace(state, piles=piles, plans=dict.fromkeys(state.names, 0), turn=state.names.index(first), turns=1)
    return begun, Message(gettext_noop("%(name)s goes first. Everybody has 5 cards in hand."), {"name": first})


def _settled(state: State) -> State:
    """The dead leave the field; the turn's card is drawn once all that is ready has resolved (DP-TURN-DRAW)."""
    for card in state.cards:
        if card.left is None and card.is_dead:
            state = state.with_card(card, None).moved(card.owner, "", "discard")
    if not state.has_drawn and not state.ready:
        state = replace(state, has_drawn=True)
        state = state.moved(state.player, "deck", "hand", min(1, state.piles[state.player]["deck"]))
    return state


def _kind(move: Move) -> dict[str, Any]:
    """What a move says of a card that stays on the field."""
    kind = str(move.get("kind") or "")
    health = number(move, "health") if move.get("health") is not None else None
    return {"kind": kind if kind in KINDS else "", "strength": number(move, "strength"), "health": health}


def _play(state: State, move: Move) -> tuple[State, Message]:
    owner, source = player_of(move, state.playing, state.player), str(move.get("from", "hand"))
    if source not in ("hand", "deck", "discard"):
        raise Impossible(Message(gettext_noop("Choose two different places.")))
    name = str(move.get("name") or "")[:80]
    unnamed = state.unnamed + (not name)
    card = Card(state.made, owner, name, number(move, "start"), 0 if name else unnamed, **_kind(move))
    after = replace(state.moved(owner, source, ""), cards=(*state.cards, card), unnamed=unnamed)
    text = gettext_noop("%(name)s plays %(card)s: countdown %(count)d")
    return after, Message(text, {"name": owner, "card": card.called, "count": card.left})


def _resolve(state: State, move: Move) -> tuple[State, Message]:
    card = state.card(move)
    resolved = card if card.kind else replace(card, **_kind(move))
    words = Message(gettext_noop("%(card)s resolves."), {"card": card.called})
    if card.left is None:
        raise Impossible(Message(gettext_noop("This card is no longer in countdown.")))
    if resolved.kind in (MINION, ARTIFICE):
        return state.with_card(card, replace(resolved, left=None)), words
    return state.with_card(card, None).moved(card.owner, "", "discard"), words


def _count(by: int) -> Callable[[State, Move], tuple[State, Message]]:
    def counted(state: State, move: Move) -> tuple[State, Message]:
        card = state.card(move)
        if card.left is None:
            raise Impossible(Message(gettext_noop("This card is no longer in countdown.")))
        after = replace(card, left=max(card.left + by, 0))
        words = Message(gettext_noop("%(card)s: countdown %(count)d"), {"card": card.called, "count": after.left})
        return state.with_card(card, after), words

    return counted


def _leave(state: State, move: Move) -> tuple[State, Message]:
    card, target = state.card(move), str(move.get("to"))
    if target not in PILES:
        raise Impossible(Message(gettext_noop("Choose two different places.")))
    words = {"card": card.called, "zone": Message(PILES[target])}
    after = state.with_card(card, None).moved(card.owner, "", target)
    return after, Message(gettext_noop("%(card)s goes to: %(zone)s"), words)


def _hit(state: State, card: Card, damage: int) -> State:
    return state.with_card(card, replace(card, damage=card.damage + damage)) if damage else state


def _attack(state: State, move: Move) -> tuple[State, Message]:
    card, target = state.card(move), state.card(move, "target")
    if card.left is not None or target.left is not None or card == target:
        raise Impossible(Message(gettext_noop("Only cards on the field attack and are attacked.")))
    after = state.with_card(card, replace(card, has_attacked=True))
    after = _hit(after, target, card.strength)
    if target.kind == MINION:
        after = _hit(after, next(each for each in after.cards if each.id == card.id), target.strength)
    text = gettext_noop("%(card)s attacks %(target)s.")
    return after, Message(text, {"card": card.called, "target": target.called})


def _burn(state: State, move: Move) -> tuple[State, Message]:
    card, count = state.card(move), number(move, "count")
    words = Message(gettext_noop("%(card)s takes %(count)d damage."), {"card": card.called, "count": count})
    return _hit(state, card, count), words


def _draw(state: State, move: Move) -> tuple[State, Message]:
    name, count = player_of(move, state.playing, state.player), number(move, "count")
    drawn = min(count, state.piles[name]["deck"])
    words = Message(gettext_noop("%(name)s draws %(count)d."), {"name": name, "count": drawn})
    return state.moved(name, "deck", "hand", drawn), words


def _adjust(state: State, move: Move) -> tuple[State, Message]:
    name, count = player_of(move, state.playing, state.player), number(move, "count")
    source, target = str(move.get("from")), str(move.get("to"))
    if source not in PILES or target not in PILES or source == target:
        raise Impossible(Message(gettext_noop("Choose two different places.")))
    text = gettext_noop("%(name)s, by hand, %(source)s to %(target)s: %(count)d")
    params = {"name": name, "count": count, "source": Message(PILES[source]), "target": Message(PILES[target])}
    return state.moved(name, source, target, count), Message(text, params)


def _plan(state: State, move: Move) -> tuple[State, Message]:
    name, count = player_of(move, state.playing, state.player), number(move, "count")
    words = Message(gettext_noop("Master Plan of %(name)s: progress %(count)d"), {"name": name, "count": count})
    return replace(state, plans={**state.plans, name: count}), words


def _end(state: State, move: Move) -> tuple[State, Message]:
    """Everything is whole again (DP-TURN-END); no card left and none counting wins (DP-WIN-EMPTY); the next begins."""
    name = state.player
    words = Message(gettext_noop("%(name)s ends the turn."), {"name": name})
    if not state.piles[name]["deck"] and not state.of(name, counting=True):
        return replace(state, winner=name, how="empty_deck"), words
    return _next_turn(state), words


def _next_turn(state: State) -> State:
    """The next who still plays begins a turn; a turn of who gave up counts, though nobody takes it (DP-MULTI)."""
    count = len(state.names)
    steps = next(step for step in range(1, count + 1) if state.names[(state.turn + step) % count] in state.playing)
    place, turns = (state.turn + steps) % count, state.turns + steps
    cards = tuple(_at_the_next_turn(card, state.names[place]) for card in state.cards)
    return replace(state, cards=cards, turn=place, turns=turns, has_drawn=turns <= count)


def _at_the_next_turn(card: Card, player: str) -> Card:
    left = max(card.left - 1, 0) if card.left is not None and card.owner == player else card.left
    return replace(card, left=left, damage=0, has_attacked=False)


def _win(state: State, move: Move) -> tuple[State, Message]:
    name, how = player_of(move, state.playing, state.player), str(move.get("how"))
    if how not in ("master_plan", "card_effect"):
        raise Impossible(Message(gettext_noop("Choose how the game was won.")))
    return replace(state, winner=name, how=how), Message(gettext_noop("%(name)s wins."), {"name": name})


def _concede(state: State, move: Move) -> tuple[State, Message]:
    """The last one left wins; of several the others play on, without the cards of who gave up."""
    name = player_of(move, state.playing, state.player)
    words = Message(gettext_noop("%(name)s concedes."), {"name": name})
    is_turn = name == state.player
    after = replace(state, gone=state.gone | {name}, cards=tuple(card for card in state.cards if card.owner != name))
    if len(after.playing) == 1:
        return replace(after, winner=after.playing[0], how="concession"), words
    return _next_turn(after) if is_turn else after, words


_MOVES = {
    "play": _play, "resolve": _resolve, "less": _count(-1), "more": _count(1), "leave": _leave, "attack": _attack,
    "burn": _burn, "draw": _draw, "adjust": _adjust, "plan": _plan, "end": _end, "win": _win, "concede": _concede,
}  # fmt: skip


def marks_of(state: State, move: Move) -> Sequence[Mark]:
    """Which rules a move breaks that the cards allow."""
    act, found = str(move.get("act")), []
    if state.turn < 0 or state.winner:
        return ()
    cards = {str(card.id): card for card in state.cards}
    card, target = cards.get(str(move.get("card"))), cards.get(str(move.get("target")))
    if state.ready and act in ("play", "attack", "end"):
        found.append(Mark(Message(gettext_noop("Cards at 0 resolve first.")), "DP-ZERO"))
    if act == "resolve" and card and card.left:
        found.append(Mark(Message(gettext_noop("Its countdown is not over.")), "DP-RESOLVE"))
    if act == "attack" and card and target:
        found += _against_attack(state, card, target)
    return found


def _against_attack(state: State, card: Card, target: Card) -> list[Mark]:
    found = []
    if card.owner != state.player or card.kind == ARTIFICE:
        text = gettext_noop("Only Minions of the player whose turn it is can attack.")
        found.append(Mark(Message(text), "DP-TURN-ATTACK"))
    elif card.has_attacked:
        found.append(Mark(Message(gettext_noop("Each Minion attacks once a turn.")), "DP-TURN-ATTACK"))
    guards = [each for each in state.of(target.owner, counting=False) if each.kind == MINION]
    if target.kind == ARTIFICE and guards:
        text = gettext_noop("An Artifice can't be attacked while its player has a Minion.")
        found.append(Mark(Message(text), "DP-TURN-ATTACK"))
    return found

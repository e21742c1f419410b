"""What each move does to a table of Doomlings.

The cards themselves lie on the table. Trait piles go by name, hands and the discard pile are counted. A move is {"act":
name} with, by name:

    start   player: the 1st player
    flip    name, kind: the next "age", a "catastrophe", or the "last" one with the deck out; a known card says itself
            whether it is an age; own: what a sheet says of a catastrophe that does not ship
    play    player, name: a trait from the hand to the player's pile; own: what a sheet says of one that does not ship
    move    card; to: the name of a player, whose pile takes it, "hand" of its owner, or "discard"
    end     the turn is over: the hand is drawn or discarded to the size of the Gene Pool
    skip    the turn is passed over without that; how: "five" draws 5 to an empty hand, "three" draws 3 for the hand
    gene    player, count: the Gene Pool as it stands
    hand    player, count: the cards held
    discard count: the cards of the discard pile

"card" is the id of a trait in a pile: the "id" of the move that played it, which stays when an earlier move is struck
out, or its number from 1 where moves have none. Cards that do not ship bring their "gene_pool_change" and
"gene_pool_target" with the move.
"""

from collections.abc import Mapping
from dataclasses import replace

from rules_engine.messages import Message, gettext_noop
from scoring.games.doomlings.tally.board_state import (
    AGE,
    CATASTROPHE,
    LAST,
    MAX_NAME,
    WHEN_DISCARDED,
    State,
    card_of,
    change_of,
    facts_of,
)
from scoring.games.doomlings.tally.limits import GENE_POOLS
from scoring.games.doomlings.tally.sheet import USUAL_GENE_POOL
from scoring.sheets.boards import Impossible, Move, number, player_of

SKIPPED = {
    "none": gettext_noop("%(name)s ends the turn without stabilizing."),
    "five": gettext_noop("%(name)s draws 5 and skips the turn."),
    "three": gettext_noop("%(name)s discards the hand, draws 3 and skips the turn."),
}


def apply(state: State, move: Move) -> tuple[State, Message]:
    """The table after a move, and the move in words; Impossible."""
    act = str(move.get("act"))
    numbered = replace(state, made=number(move, "id") or state.made + 1)
    if act == "start" and state.first < 0 and move.get("player") in state.names:
        return _started(numbered, str(move["player"]))
    if state.first < 0 or act not in _MOVES:
        raise Impossible(Message(gettext_noop("The game has not begun, or it is over.")))
    return _MOVES[act](numbered, move)


def _started(state: State, first: str) -> tuple[State, Message]:
    """Everybody has a Gene Pool and a hand of 5; the Birth of Life is flipped at once (DL-SETUP)."""
    five = dict.fromkeys(state.names, USUAL_GENE_POOL)
    place = state.names.index(first)
    begun = replace(state, first=place, turn=place, genes=five, hands=five, ages=("The Birth of Life",))
    return begun, Message(gettext_noop("%(name)s is the 1st player. Everybody has 5 cards in hand."), {"name": first})


def _flip(state: State, move: Move) -> tuple[State, Message]:
    """The next age (DL-AGE); a catastrophe moves the 1st player on, unless it ends the world (DL-CATASTROPHE)."""
    typed = str(move.get("name") or "")[:MAX_NAME]
    card = facts_of(typed)
    name = card.name if card else typed
    kind = move.get("kind") if card is None else card.type.lower()
    is_out = move.get("kind") == LAST and kind != AGE
    flipped = replace(state, ages=(*state.ages, name), taken=0, is_out=is_out or state.is_out)
    if kind not in (CATASTROPHE, LAST):
        after = replace(flipped, turn=state.first, era=min(len(state.catastrophes) + 1, state.ends_with))
        return after, Message(gettext_noop("Age: %(name)s"), {"name": name or Message(gettext_noop("not named"))})
    own = move.get("own")
    described = own if isinstance(own, Mapping) else {"name": name}
    after = replace(flipped, catastrophes=(*state.catastrophes, name), described=described)
    text = (
        gettext_noop("The last catastrophe: %(name)s") if is_out else gettext_noop("Catastrophe %(number)d: %(name)s")
    )
    words = Message(text, {"number": len(after.catastrophes), "name": name or Message(gettext_noop("not named"))})
    if after.is_over:
        return after, words
    first = (state.first + 1) % len(state.names)
    change = change_of(card.fields if card else move)
    taken = len(state.names) if state.is_stunted else 0
    return replace(after, first=first, turn=first, taken=taken).changed(state.exposed, change), words


def _play(state: State, move: Move) -> tuple[State, Message]:
    owner = player_of(move, state.names, state.player)
    card = card_of(state, owner, move)
    if not card.name:
        raise Impossible(Message(gettext_noop("Name the trait.")))
    hands = {**state.hands, owner: max(state.hands[owner] - 1, 0)}
    words = Message(gettext_noop("%(name)s plays %(card)s."), {"name": owner, "card": card.name})
    has_played = state.has_played or owner == state.player
    return replace(state, hands=hands, has_played=has_played).with_card(card), words


def _move(state: State, move: Move) -> tuple[State, Message]:
    """A trait goes to another pile, back to a hand or away; what it did to Gene Pools goes with it (DL-GENES-TRAIT)."""
    card = next((each for each in state.cards if str(each.id) == str(move.get("card"))), None)
    target = str(move.get("to"))
    if card is None or target not in (*state.names, "hand", "discard"):
        raise Impossible(Message(gettext_noop("This card is no longer there.")))
    without = state.without(card)
    if target in state.names:
        after = without.with_card(replace(card, owner=target))
        words = Message(gettext_noop("%(card)s goes to the pile of %(name)s."), {"card": card.name, "name": target})
        return after, words
    if target == "hand":
        hands = {**without.hands, card.owner: without.hands[card.owner] + 1}
        words = Message(gettext_noop("%(card)s goes back to %(name)s's hand."), {"card": card.name, "name": card.owner})
        return replace(without, hands=hands), words
    grows = [card.owner] if card.target == WHEN_DISCARDED else []
    after = replace(without, discarded=without.discarded + 1).changed(grows, card.change)
    return after, Message(gettext_noop("%(card)s is discarded."), {"card": card.name})


def _end(state: State, move: Move) -> tuple[State, Message]:
    """The turn ends with stabilizing (DL-STABILIZE)."""
    name = state.player
    pool, held = state.genes[name], state.hands[name]
    after = replace(
        state,
        hands={**state.hands, name: pool},
        discarded=state.discarded + max(held - pool, 0),
        turn=(state.turn + 1) % len(state.names),
        taken=state.taken + 1,
        has_played=False,
    )
    if pool >= held:
        text = gettext_noop("%(name)s ends the turn and draws %(count)d.")
    else:
        text = gettext_noop("%(name)s ends the turn and discards %(count)d.")
    return after, Message(text, {"name": name, "count": abs(pool - held)})


def _skip(state: State, move: Move) -> tuple[State, Message]:
    """A turn without a trait, or with the deck out, stabilizes nothing (DL-NO-PLAY, DL-EMPTY)."""
    name, how = state.player, str(move.get("how"))
    held = state.hands[name]
    hand, away = {"five": (held + 5, 0), "three": (3, held)}.get(how, (held, 0))
    after = replace(
        state,
        hands={**state.hands, name: hand},
        discarded=state.discarded + away,
        turn=(state.turn + 1) % len(state.names),
        taken=state.taken + 1,
        has_played=False,
    )
    return after, Message(SKIPPED.get(how, SKIPPED["none"]), {"name": name})


def _gene(state: State, move: Move) -> tuple[State, Message]:
    name, count = player_of(move, state.names, state.player), number(move, "count")
    if count not in GENE_POOLS:
        raise Impossible(Message(gettext_noop("A Gene Pool is 1 to 8.")))
    words = Message(gettext_noop("Gene Pool of %(name)s: %(count)d"), {"name": name, "count": count})
    return replace(state, genes={**state.genes, name: count}), words


def _hand(state: State, move: Move) -> tuple[State, Message]:
    name, count = player_of(move, state.names, state.player), number(move, "count")
    words = Message(gettext_noop("%(name)s holds %(count)d cards."), {"name": name, "count": count})
    return replace(state, hands={**state.hands, name: count}), words


def _discard(state: State, move: Move) -> tuple[State, Message]:
    count = number(move, "count")
    return replace(state, discarded=count), Message(gettext_noop("Discard pile: %(count)d"), {"count": count})


_MOVES = {
    "flip": _flip, "play": _play, "move": _move, "end": _end, "skip": _skip, "gene": _gene, "hand": _hand,
    "discard": _discard,
}  # fmt: skip

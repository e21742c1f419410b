"""The board of a game of Doom Pile: countdowns, fields, decks and hands, Master Plans, and a win by ending a turn.

The moves and what they do are those of `board_moves`.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rules_engine.messages import Message, gettext_noop
from scoring.games.doom_pile.tally import WIN_CLAUSES
from scoring.games.doom_pile.tally.board_moves import apply, marks_of
from scoring.games.doom_pile.tally.board_state import ARTIFICE, KINDS, MINION, PILES, Card, State
from scoring.games.doom_pile.tally.countdown import MAX_COUNT, MAX_NAME
from scoring.sheets.boards import (
    Board,
    BoardCard,
    Ending,
    Move,
    MoveField,
    Offer,
    Zone,
    before_game,
    player_field,
    replay,
)

LABELS = {
    "start": gettext_noop("Begin the game"),
    "play": gettext_noop("Play a card"),
    "resolve": gettext_noop("Resolve"),
    "less": gettext_noop("One less"),
    "more": gettext_noop("One more"),
    "leave": gettext_noop("Goes elsewhere"),
    "attack": gettext_noop("Attack"),
    "burn": gettext_noop("Damage"),
    "draw": gettext_noop("Draw cards"),
    "adjust": gettext_noop("Move cards by hand"),
    "plan": gettext_noop("Progress of a Master Plan"),
    "end": gettext_noop("End the turn"),
    "win": gettext_noop("A player has won"),
    "concede": gettext_noop("Concede"),
}
"""What each kind of move is called."""
COUNTDOWN, FIELD, PLAN = gettext_noop("Countdown"), gettext_noop("Field"), gettext_noop("Master Plan")
MOST = 99


def play(names: Sequence[str], first: str, options: Mapping[str, Any], moves: Sequence[Move]) -> Board:
    """The board after these moves (`scoring.sheets.boards.Play`)."""
    state, played = replay(State(tuple(names)), moves, apply, marks_of)
    if state.turn < 0:
        return before_game(player_field("player", gettext_noop("Who goes first"), names, first), played, LABELS)
    return Board(
        turn="" if state.winner else state.player,
        phase=_phase(state),
        zones=tuple(_zones(state)),
        offers=()
        if state.winner
        else (*_of_table(state), *(each for card in state.cards for each in _of(state, card))),
        played=tuple(played),
        labels=LABELS,
        ending=_ending(state),
        cards=tuple(_shown(card) for card in state.cards),
        hands=() if state.winner else state.playing,
    )


def _phase(state: State) -> Message:
    if state.winner:
        return Message(gettext_noop("The game is over"))
    params = {"round": state.round, "name": state.player}
    if state.ready:
        return Message(gettext_noop("Turn %(round)d: %(name)s. Cards at 0 resolve first."), params)
    return Message(gettext_noop("Turn %(round)d: %(name)s"), params)


def _zones(state: State) -> Iterator[Zone]:
    for name in state.playing:
        for pile, label in PILES.items():
            count = state.piles[name][pile]
            if count or pile != "interred":
                yield Zone(label, count, name)
        reached = state.plans[name]
        note = gettext_noop("reached so far") if reached else gettext_noop("nothing done yet")
        yield Zone(PLAN, reached, name, (Message(note),))


def _shown(card: Card) -> BoardCard:
    states = [("plain", Message(KINDS[card.kind]))] if card.kind else []
    if card.left is None:
        if card.kind != ARTIFICE:
            states.append(("plain", Message(gettext_noop("Strength %(count)d"), {"count": card.strength})))
        left = Message(gettext_noop("Health %(left)d of %(health)d"), _health(card))
        states += [("wait" if card.damage else "plain", left)] if card.health is not None else []
        states += [("open", Message(gettext_noop("has attacked")))] if card.has_attacked else []
    return BoardCard(
        card.id,
        card.name,
        card.owner,
        FIELD if card.left is None else COUNTDOWN,
        card.left,
        tuple(states),
        card.is_ready,
        card.number,
    )


def _health(card: Card) -> dict[str, int]:
    health = card.health or 0
    return {"left": health - card.damage, "health": health}


def _of_table(state: State) -> Iterator[Offer]:
    """The moves that are not about one card on the board."""
    player = player_field("player", gettext_noop("Who"), state.playing, state.player)
    cards = MoveField("count", gettext_noop("Cards"), 1, MOST, 1)
    piles = tuple(PILES.items())
    sources = tuple((key, PILES[key]) for key in ("hand", "deck", "discard"))
    name = MoveField("name", gettext_noop("Card"), longest=MAX_NAME, may_lack=True)
    start = MoveField(
        "start", gettext_noop("Starting countdown"), 0, MAX_COUNT, may_lack=True,
        help=gettext_noop("Empty: as printed."), is_printed=True,
    )  # fmt: skip
    yield Offer(
        "play",
        LABELS["play"],
        (name, start, player, MoveField("from", gettext_noop("From"), usual="hand", choices=sources)),
        is_usual=not state.ready,
    )
    wins = not state.piles[state.player]["deck"] and not state.of(state.player, counting=True)
    text = gettext_noop("%(name)s wins by it: no card in the deck, none in countdown.")
    notes = (Message(text, {"name": state.player}),) if wins else ()
    yield Offer("end", LABELS["end"], notes=notes, is_usual=not state.ready)
    yield Offer("draw", LABELS["draw"], (player, cards), is_usual=False)
    progress = MoveField("count", gettext_noop("Reached so far"), 0, MOST, state.plans[state.player])
    yield Offer("plan", LABELS["plan"], (player, progress), is_usual=False)
    by_hand = (
        MoveField("from", gettext_noop("From"), usual="hand", choices=piles),
        MoveField("to", gettext_noop("To"), usual="discard", choices=piles),
    )
    yield Offer("adjust", LABELS["adjust"], (player, *by_hand, cards), is_usual=False)
    how = (("master_plan", gettext_noop("Master Plan completed")), ("card_effect", gettext_noop("A card's effect")))
    yield Offer(
        "win",
        LABELS["win"],
        (player, MoveField("how", gettext_noop("How"), usual="master_plan", choices=how)),
        is_usual=False,
    )
    yield Offer("concede", LABELS["concede"], (player,), is_usual=False)


def _of(state: State, card: Card) -> Iterator[Offer]:
    """The moves of a card on the board."""
    if card.left is not None:
        if card.is_ready:
            yield Offer("resolve", LABELS["resolve"], () if card.kind else _stays(), card=card.id)
        else:
            yield Offer("less", LABELS["less"], card=card.id)
        yield Offer("more", LABELS["more"], card=card.id)
    else:
        targets = tuple(
            (str(each.id), Message(gettext_noop("%(card)s (%(owner)s)"), {"card": each.called, "owner": each.owner}))
            for each in state.cards
            if each.left is None and each.owner != card.owner
        )
        if targets and card.kind == MINION and card.owner == state.player and not card.has_attacked:
            target = MoveField("target", gettext_noop("Whom"), usual=targets[0][0], choices=targets)
            yield Offer("attack", LABELS["attack"], (target,), card=card.id)
        yield Offer("burn", LABELS["burn"], (MoveField("count", gettext_noop("Damage"), 1, MOST, 1),), card=card.id)
    to = MoveField("to", gettext_noop("To"), usual="discard", choices=tuple(PILES.items()))
    yield Offer("leave", LABELS["leave"], (to,), card=card.id)


def _stays() -> tuple[MoveField, ...]:
    """What is asked of a card that resolves and that nobody described."""
    return (
        MoveField("kind", gettext_noop("Card type"), usual="Plot", choices=tuple(KINDS.items())),
        MoveField("strength", gettext_noop("Strength"), 0, MOST, may_lack=True),
        MoveField("health", gettext_noop("Health"), 1, MOST, may_lack=True),
    )


def _ending(state: State) -> Ending | None:
    if not state.winner:
        return None
    words = {
        "empty_deck": gettext_noop("%(name)s wins: deck and countdown are empty."),
        "master_plan": gettext_noop("%(name)s wins: the Master Plan is completed."),
        "card_effect": gettext_noop("%(name)s wins by a card's effect."),
        "concession": gettext_noop("%(name)s wins by concession."),
    }[state.how]
    return Ending(
        Message(words, {"name": state.winner}),
        WIN_CLAUSES.get(state.how, ""),
        {"winner": state.winner, "how": state.how},
    )

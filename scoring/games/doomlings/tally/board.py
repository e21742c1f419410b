"""The board of a table of Doomlings: ages and catastrophes, the 1st player, Gene Pools, hands, piles with their points.

The moves and what they do are those of `board_moves`. Points are those of the tally as if the world ended now, without
what is asked only then.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rules_engine.errors import DomainError
from rules_engine.messages import Message, gettext_noop
from scoring.games.doomlings.tally import questions, tally
from scoring.games.doomlings.tally.board_marks import marks_of
from scoring.games.doomlings.tally.board_moves import apply
from scoring.games.doomlings.tally.board_state import (
    AGE,
    CATASTROPHE,
    LAST,
    LATE_END,
    MAX_NAME,
    USUAL_END,
    Card,
    State,
)
from scoring.games.doomlings.tally.cards import COLORS, find_catastrophe, find_trait
from scoring.games.doomlings.tally.limits import DOMINANTS_MOST, GENE_POOLS
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
    "flip": gettext_noop("Flip the next age"),
    "play": gettext_noop("Play a trait"),
    "move": gettext_noop("Goes elsewhere"),
    "end": gettext_noop("Stabilize and end the turn"),
    "skip": gettext_noop("End the turn without stabilizing"),
    "gene": gettext_noop("Set a Gene Pool"),
    "hand": gettext_noop("Set a hand"),
    "discard": gettext_noop("Set the discard pile"),
}
"""What each kind of move is called."""
SKIPS = (
    ("none", gettext_noop("stays as it is")),
    ("five", gettext_noop("is empty: draw 5")),
    ("three", gettext_noop("cannot be played: discard it, draw 3")),
)
COLOR_WORDS = {
    "blue": gettext_noop("blue"),
    "green": gettext_noop("green"),
    "purple": gettext_noop("purple"),
    "red": gettext_noop("red"),
}
AGE_DECKS = {"3x4": 3 * (4 + 1), "4x3_third": 4 * (3 + 1), "4x3_fourth": 4 * (3 + 1)}
"""Cards of the age deck where a Prosperous World was agreed on; the Birth of Life on top is not among them."""
USUAL_AGE_DECK = 3 * (3 + 1)
MOST = 200
PILE = gettext_noop("Trait pile")


def play(names: Sequence[str], first: str, options: Mapping[str, Any], moves: Sequence[Move]) -> Board:
    """The board after these moves (`scoring.sheets.boards.Play`)."""
    late = options.get("prosperous_world") == "4x3_fourth"
    begun = State(tuple(names), LATE_END if late else USUAL_END, is_stunted=bool(options.get("stunted_growth")))
    state, played = replay(begun, moves, apply, marks_of)
    if state.first < 0:
        return before_game(player_field("player", gettext_noop("1st player"), names, first), played, LABELS)
    return Board(
        turn="" if state.is_over or state.flips else state.player,
        phase=_phase(state),
        zones=tuple(_zones(state, options)),
        offers=(*_of_table(state), *(_of(state, card) for card in state.cards)),
        played=tuple(played),
        labels=LABELS,
        ending=_ending(state),
        cards=tuple(_shown(card) for card in _by_owner(state)),
        hands=() if state.is_over else state.names,
        parts=_parts(state, options),
    )


def sheet_of(state: State, options: Mapping[str, Any]) -> dict[str, Any]:
    """The sheet as if the world ended now; traits that the catalogue lacks are described by their names alone."""
    own = {card.name: {"name": card.name, **card.own} for card in state.cards if find_trait(card.name) is None}
    return {
        "players": [
            {
                "name": name,
                "traits": state.pile(name),
                "gene_pool": state.genes[name],
                "hand_size": state.hands[name],
            }
            for name in state.names
        ],
        **(_world_end(state) if state.is_over else {}),
        "own_cards": [own[name] for name in sorted(own)],
        "options": {**options, "check_limits": False},
    }


def _world_end(state: State) -> dict[str, Any]:
    """The catastrophe that ended the world, described where the catalogue lacks it; None where nobody named it."""
    name = state.catastrophes[-1]
    if not name or find_catastrophe(name):
        return {"catastrophe": name or None}
    return {"catastrophe": name, "own_catastrophe": dict(state.described)}


def _parts(state: State, options: Mapping[str, Any]) -> dict[int, dict[str, Any]]:
    """What each part of the sheet takes over: the table's catastrophe, and everybody's pile, hand and Gene Pool."""
    sheet = sheet_of(state, options)
    kept = ("traits", "gene_pool", "hand_size")
    players = {
        place: {**{key: player[key] for key in kept}, "sums": None, **_described(state, player["name"])}
        for place, player in enumerate(sheet["players"], 1)
    }
    return {0: _world_end(state), **players} if state.is_over else players


def _described(state: State, owner: str) -> dict[str, Any]:
    """The cards of a pile that the sheet has to describe, as a person described them or as they were imported."""
    own = {card.name: card.own for card in state.cards if card.owner == owner and card.own}
    return {"own_cards": list(own.values())} if own else {}


def _phase(state: State) -> Message:
    if state.is_over:
        return Message(gettext_noop("World's End: effects in turn order, then the gold text"))
    age = state.ages[-1] or Message(gettext_noop("not named"))
    params = {"number": len(state.ages), "age": age, "name": state.player}
    if state.flips:
        return Message(gettext_noop("Age %(number)d is over: flip the next one"), params)
    return Message(gettext_noop("Age %(number)d, %(age)s: %(name)s's turn"), params)


def _zones(state: State, options: Mapping[str, Any]) -> Iterator[Zone]:
    scores, asked = _scores(state, options)
    known = ", ".join(each for each in state.catastrophes if each)
    yield Zone(
        gettext_noop("Catastrophes"),
        len(state.catastrophes),
        notes=(Message("%(names)s", {"names": known}),) if known else (),
    )
    deck = AGE_DECKS.get(str(options.get("prosperous_world")), USUAL_AGE_DECK)
    left = max(deck + 1 - len(state.ages), 0)
    era = Message(gettext_noop("Era %(number)d"), {"number": state.era})
    in_deck = Message(gettext_noop("Left in the age deck: %(count)d"), {"count": left})
    yield Zone(gettext_noop("Ages flipped"), len(state.ages), notes=(era, in_deck))
    yield Zone(gettext_noop("Discard pile"), state.discarded)
    for place, name in enumerate(state.names):
        is_first = (Message(gettext_noop("1st player")),) if place == state.first else ()
        asks = (
            (Message(gettext_noop("Asked at the end: %(cards)s"), {"cards": ", ".join(asked[name])}),)
            if asked[name]
            else ()
        )
        yield Zone(gettext_noop("Points so far"), scores[name], name, (*is_first, *asks))
        yield Zone(gettext_noop("Gene Pool"), state.genes[name], name)
        held = Message(
            gettext_noop("Dominants: %(count)d of %(most)d"), {"count": state.dominants(name), "most": DOMINANTS_MOST}
        )
        yield Zone(gettext_noop("Hand"), state.hands[name], name, (held,))


def _scores(state: State, options: Mapping[str, Any]) -> tuple[dict[str, int], dict[str, list[str]]]:
    """Points by player as they stand, and the cards that ask something of each at the end."""
    sheet = sheet_of(state, options)
    try:
        scores = {player["name"]: player["score"] for player in tally(sheet)["players"]}
        found = questions(sheet)
    except DomainError:
        return dict.fromkeys(state.names, 0), {name: [] for name in state.names}
    asked: dict[str, list[str]] = {name: [] for name in state.names}
    for each in found:
        if each["place"] and each["card"] and not each["answered"]:
            asked[state.names[each["place"] - 1]].append(each["card"])
    return scores, {name: sorted(set(cards)) for name, cards in asked.items()}


def _by_owner(state: State) -> list[Card]:
    return sorted(state.cards, key=lambda card: state.names.index(card.owner))


def _shown(card: Card) -> BoardCard:
    trait = find_trait(card.name)
    states = [("open", Message(gettext_noop("dominant")))] if card.is_dominant else []
    face = trait.face if trait else card.own.get("face")
    held = trait.colors if trait else card.own.get("colors", ())
    colors = [("plain", Message(COLOR_WORDS[color])) for color in COLORS if color in held]
    return BoardCard(card.id, card.name, card.owner, PILE, face, (*colors, *states))


def _of_table(state: State) -> Iterator[Offer]:
    """The moves that are not about one trait on the table."""
    player = player_field("player", gettext_noop("Who"), state.names, state.player)
    name = MoveField("name", gettext_noop("Card"), longest=MAX_NAME, may_lack=True)
    kinds = (
        (AGE, gettext_noop("an age")),
        (CATASTROPHE, gettext_noop("a catastrophe")),
        (LAST, gettext_noop("deck out: the last catastrophe")),
    )
    kind = MoveField("kind", gettext_noop("What it is"), usual=AGE, choices=kinds)
    turn = not state.is_over and not state.flips
    if not state.is_over:
        yield Offer(
            "play", LABELS["play"], (MoveField("name", gettext_noop("Trait"), longest=MAX_NAME), player), is_usual=turn
        )
        yield Offer("end", LABELS["end"], is_usual=turn)
        hand = MoveField("how", gettext_noop("The hand"), usual="none", choices=SKIPS)
        yield Offer("skip", LABELS["skip"], (hand,), is_usual=False)
        yield Offer("flip", LABELS["flip"], (name, kind), is_usual=state.flips)
    pool = MoveField("count", gettext_noop("Gene Pool"), GENE_POOLS[0], GENE_POOLS[-1], state.genes[state.player])
    yield Offer("gene", LABELS["gene"], (player, pool), is_usual=False)
    cards = MoveField("count", gettext_noop("Cards"), 0, MOST, state.hands[state.player])
    yield Offer("hand", LABELS["hand"], (player, cards), is_usual=False)
    pile = MoveField("count", gettext_noop("Cards"), 0, MOST, state.discarded)
    yield Offer("discard", LABELS["discard"], (pile,), is_usual=False)


def _of(state: State, card: Card) -> Offer:
    """Where a trait can go."""
    others = tuple((name, name) for name in state.names if name != card.owner)
    ways = (("discard", gettext_noop("the discard pile")), ("hand", gettext_noop("the hand")), *others)
    to = MoveField("to", gettext_noop("To"), usual="discard", choices=ways)
    return Offer("move", LABELS["move"], (to,), card=card.id)


def _ending(state: State) -> Ending | None:
    if not state.is_over:
        return None
    name = state.catastrophes[-1]
    named, unnamed = gettext_noop("The world ends: %(name)s"), gettext_noop("The world ends")
    return Ending(Message(named, {"name": name}) if name else Message(unnamed), "DL-END", {"catastrophe": name})

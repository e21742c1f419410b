"""A game on the board: what lies where, whose turn it is, which moves are offered; every move stays, struck out or not.

A game that has a board describes it as one function (`Play`) in its folder. It plays the moves written down from the
beginning and tells how the game stands. It never decides instead of the players: a move against a rule is marked and
counts; one that the cards on the board do not allow is marked and left out; any card can be moved by hand.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from rules_engine.messages import Message, gettext_noop

BOARD = "board"
"""Where the table's part of a sheet keeps the board; it is not filed, as the sheet tells what counts."""
State = TypeVar("State")
"""What a game keeps of how it stands."""
Move = Mapping[str, Any]
"""A move as it is kept: its name as "act", and the values of its fields."""


@dataclass(frozen=True, slots=True)
class MoveField:
    """What a move asks for: a number from `least` to `most`, or one of the `choices`, each a value and its words.

    `longest` makes it a text of so many characters. What `may_lack` can be left out: None, or "". `is_printed` is the
    number that is printed on the card named beside it. What is `is_rare` folds away.
    """

    name: str
    label: str
    least: int = 0
    most: int = 0
    usual: int | str = 0
    choices: tuple[tuple[str, str | Message], ...] = ()
    longest: int = 0
    may_lack: bool = False
    help: str = ""
    is_printed: bool = False
    is_rare: bool = False


@dataclass(frozen=True, slots=True)
class Offer:
    """A move that can be made now. `notes` say what it costs or does, `warnings` what it would bring about at once.

    `is_usual` puts it in front; the others fold away. One of a `card` on the board stands with that card. `preset` are
    values that nobody types: without fields they are those of one press, which another offer of the act may ask for.
    """

    act: str
    label: str | Message
    fields: tuple[MoveField, ...] = ()
    notes: tuple[Message, ...] = ()
    warnings: tuple[Message, ...] = ()
    is_usual: bool = True
    card: int = 0
    preset: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Zone:
    """A place on the board with so many cards; `holder` is the player whose it is, "" for the table."""

    label: str
    count: int
    holder: str = ""
    notes: tuple[Message, ...] = ()


@dataclass(frozen=True, slots=True)
class BoardCard:
    """A card on the board: its name, "" where nobody said it, the zone of `holder`, its number where one counts.

    `id` is its own for the whole game, `number` counts the cards without a name from 1. `states` are a style and words
    each; `is_due` where something has to be done. `links` lead to what helps with the card: an address and words each.
    """

    id: int
    name: str | Message
    holder: str
    zone: str
    count: int | None = None
    states: tuple[tuple[str, Message], ...] = ()
    is_due: bool = False
    number: int = 0
    links: tuple[tuple[str, Message], ...] = ()


@dataclass(frozen=True, slots=True)
class Holder:
    """Who holds zones or cards, in the order of the board; `states` are a style and words each beside the name.

    A member follows the `team` whose name it says, which is a holder too.
    """

    name: str
    states: tuple[tuple[str, Message], ...] = ()
    team: str = ""


@dataclass(frozen=True, slots=True)
class Mark:
    """What speaks against a move: the clause it breaks, "" where the cards do not allow it."""

    words: Message
    clause: str = ""


@dataclass(frozen=True, slots=True)
class Played:
    """A move in words, with what speaks against it, the points it brought, and what came of it otherwise."""

    words: Message
    marks: tuple[Mark, ...] = ()
    gains: tuple[str, ...] = ()
    note: Message | None = None


@dataclass(frozen=True, slots=True)
class Ending:
    """The game is over by a clause, or as `how` says; `result` is what the form of the sheet takes to write it down."""

    words: Message
    clause: str
    result: Mapping[str, str] = field(default_factory=dict)
    how: Message | None = None


@dataclass(frozen=True, slots=True)
class Board:
    """How a game stands after its moves: `turn` is a player's name, "" before the game begins.

    `parts` are what the sheet can take over by place, where its parts are of one game. `labels` are the words for each
    kind of move, also for one that does not count any more. `hands` are the players who may note the cards they hold,
    each on their own phone only. `holders` need not name who has no state. `aim` says what wins, `endings` every way in
    which the game ends, `notices` what is out of the usual course. `wrong` is what a sheet that is filed must not hold
    unless cards allow it. `games` are those of the match, for the game's own part of the page.
    """

    turn: str
    phase: Message
    zones: tuple[Zone, ...]
    offers: tuple[Offer, ...]
    played: tuple[Played, ...]
    labels: Mapping[str, str]
    ending: Ending | None = None
    cards: tuple[BoardCard, ...] = ()
    hands: tuple[str, ...] = ()
    parts: Mapping[int, Mapping[str, Any]] = field(default_factory=dict)
    holders: tuple[Holder, ...] = ()
    aim: Message | None = None
    endings: tuple[Message, ...] = ()
    notices: tuple[Message, ...] = ()
    wrong: tuple[Mark, ...] = ()
    games: Sequence[Mapping[str, Any]] = ()


Play = Callable[[Sequence[str], str, Mapping[str, Any], Sequence[Move]], Board]
"""Plays the moves of these players, in the order of the sheet, with the sheet's options; one name is who is to go
first, "" where that is open."""


class Impossible(Exception):
    """The cards on the board do not allow a move; says why as a `Message`."""

    def __init__(self, words: Message) -> None:
        super().__init__(words)
        self.words = words


def replay(
    begun: State, moves: Sequence[Move], apply: Callable[[State, Move], tuple[State, Message]],
    marks: Callable[[State, Move], Sequence[Mark]],
) -> tuple[State, list[Played]]:  # fmt: skip
    """The state after these moves, and each of them in words; what the cards do not allow is marked and left out."""
    state, played = begun, []
    for move in moves:
        against = tuple(marks(state, move))
        try:
            state, words = apply(state, move)
        except Impossible as refusal:
            words, against = Message(gettext_noop("A move that the cards do not allow")), (Mark(refusal.words),)
        played.append(Played(words, against))
    return state, played


def before_game(start: MoveField, played: Sequence[Played], labels: Mapping[str, str]) -> Board:
    """A board on which nothing lies yet; `start` is asked for."""
    offer = Offer("start", labels["start"], (start,))
    return Board("", Message(gettext_noop("Before the game")), (), (offer,), tuple(played), labels)


def player_field(name: str, label: str, names: Sequence[str], usual: str) -> MoveField:
    """Which of these players a move is about."""
    return MoveField(name, label, usual=usual, choices=tuple((each, each) for each in names))


def player_of(move: Move, names: Sequence[str], usual: str = "") -> str:
    """The player whom a move names; `usual` where it names none. Impossible for anybody else."""
    name = move.get("player", usual)
    if name not in names:
        raise Impossible(Message(gettext_noop("Choose a player.")))
    return str(name)


def number(move: Move, name: str) -> int:
    """A number of a move as it was stored by whatever wrote it; 0 for anything else."""
    value = move.get(name)
    return value if type(value) is int and value >= 0 else 0

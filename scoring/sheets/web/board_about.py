"""What the board of a game is about, where its moves are kept, and what a page has seen of it.

Moves stand in the table's part of the sheet as {"board": {"game": its number in the match, "acts": […], "struck": […]}}
(`scoring.sheets.ledgers`); the board of the next game takes its place. Of a board with a `Ledger` they are the acts of
the sheet itself.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from accounts.http.numbers import read_number
from journal.clock import database_now
from rules_engine.errors import Conflict, TooMany
from rules_engine.messages import Message, gettext_noop
from scoring.sheets.boards import BOARD, Board, Move
from scoring.sheets.ledgers import MAX_ID, live_acts, struck_acts
from scoring.sheets.web.clock import Clock, clock_of
from scoring.sheets.web.frames import Progress, SheetFrame, progress_of

MOST_MOVES = 600
"""So many entries a game, struck out or not: far more than any game has."""


@dataclass(frozen=True, slots=True)
class Ledger:
    """That a board is the sheet itself: its moves are the acts of the sheet, and it is filed from there.

    `describe` tells an act in words, None for one that nobody can read. Several phones may write at once: `clash(act,
    newer, is_press)` is which of the acts that a page had not seen speaks against one more, None for none of them.
    """

    describe: Callable[[Move], Message | None]
    clash: Callable[[Move, Sequence[Move], bool], Move | None]


@dataclass(frozen=True, slots=True)
class About:
    """The game that a board is about: how it is played from its moves, and its number in the match.

    `is_over` once no further game is played. Without a `ledger` the game is written down at `<root>play/add/`.
    """

    play: Callable[[Sequence[Move]], Board]
    number: int
    is_over: bool = False
    ledger: Ledger | None = None

    def held(self, content: Mapping[str, Any]) -> dict[str, Any]:
        """The moves in the table's part; of another game's board none."""
        if self.ledger:
            return dict(content)
        held = content.get(BOARD)
        return dict(held) if isinstance(held, Mapping) and held.get("game") == self.number else {"game": self.number}

    def kept(self, content: Mapping[str, Any], held: Mapping[str, Any]) -> dict[str, Any]:
        """The table's part with these moves."""
        return dict(held) if self.ledger else {**content, BOARD: held}

    def stands(self, content: Mapping[str, Any]) -> Board:
        """The game as it stands; DomainError "bad_sheet" where nobody can read the moves."""
        return self.play(live_acts(self.held(content)))

    def mark(self, held: Mapping[str, Any]) -> str:
        """What a page has seen of the moves: another one whenever one was added or struck out."""
        return f"{self.number}-{len(live_acts(held))}-{len(struck_acts(held))}"

    def check_seen(self, held: Mapping[str, Any], seen: str, act: Move, *, is_press: bool) -> None:
        """Whether a move comes after what its page had `seen`: Conflict "board_moved", or of a ledger "entry_since".

        Who says nothing of what was seen writes on a ledger all the same. TooMany "too_many_moves".
        """
        live = live_acts(held)
        if self.ledger is None:
            if seen.split("-")[:3] != self.mark(held).split("-"):
                raise Conflict(
                    "board_moved", Message(gettext_noop("The board has changed. Look at it, then move again."))
                )
            if len(live) + len(struck_acts(held)) >= MOST_MOVES:
                raise TooMany("too_many_moves", Message(gettext_noop("This board is full: write the game down.")))
            return
        newest = read_number("".join(seen.split("-")[3:4]), MAX_ID)
        newer = [each for each in live if newest is not None and each["id"] > newest]
        if other := self.ledger.clash(act, newer, is_press):
            words = {"refused": self.ledger.describe(act), "entry": self.ledger.describe(other)}
            said = gettext_noop(
                "Not written down: “%(refused)s”. Another phone has just written “%(entry)s”. "
                "Enter yours again if it is another one."
            )
            raise Conflict("entry_since", Message(said, words))


@dataclass(frozen=True, slots=True)
class Seen:
    """What stands on the page of a board besides the game: its moves, its clock, and of a ledger what became of it."""

    held: Mapping[str, Any]
    mark: str
    clock: Clock | None = None
    progress: Progress | None = None


def look_at(frame: SheetFrame, subject: About, content: Mapping[str, Any]) -> Seen:
    """What a page shows now; its `mark` is another one whenever any of it changed."""
    held = subject.held(content)
    clock = clock_of(held, database_now()) if subject.ledger else None
    progress = progress_of(frame) if subject.ledger else None
    filed = progress and progress.revision and (progress.revision.pk, progress.is_waiting, progress.returned)
    rest = (held, filed, clock and (clock.until, clock.is_up, clock.warning), sorted(frame.places), frame.note)
    digest = int.from_bytes(sha256(repr(rest).encode()).digest()[:4])
    newest = max((act["id"] for act in (*live_acts(held), *struck_acts(held))), default=0)
    return Seen(held, f"{subject.mark(held)}-{newest}-{digest}", clock, progress)

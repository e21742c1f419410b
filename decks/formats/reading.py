"""What any decklist format is read into: the deck, and what became of every line."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from rapidfuzz import fuzz, process

from rules_engine.cards import CardFacts, normalise_name
from rules_engine.decklist import DeckEntry, Decklist, Section
from rules_engine.messages import Message

SUGGESTIONS = 3
LINES_WITH_SUGGESTIONS = 60
LIKENESS = 60


class LineKind(StrEnum):
    """What a line turned out to be."""

    CARD = "card"
    SECTION = "section"
    COMMENT = "comment"
    BLANK = "blank"
    PROBLEM = "problem"


@dataclass(frozen=True, slots=True)
class LineProblem:
    """A line that is not in the deck: its number from 1, its text, why, and official names that come near."""

    line: int
    text: str
    reason: Message
    suggestions: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Notice:
    """Something assumed about a line that the player should know."""

    line: int
    message: Message


@dataclass(frozen=True, slots=True)
class CardLine:
    """What one line puts into the deck: its number from 1, the official name, how many copies, into which section."""

    line: int
    name: str
    count: int
    section: Section


@dataclass(frozen=True, slots=True)
class Reading:
    """A decklist as read; `lines` tells the kind of each line of the text in turn. Save it only without problems.

    `name` is the name of the deck if the text states one; `format` the key of the format that the text was taken for.
    `card_lines` tells which line holds which card.
    """

    decklist: Decklist
    problems: tuple[LineProblem, ...] = ()
    notices: tuple[Notice, ...] = ()
    lines: tuple[LineKind, ...] = ()
    name: str = ""
    format: str = ""
    card_lines: tuple[CardLine, ...] = field(default=(), compare=False)

    @property
    def entries(self) -> tuple[DeckEntry, ...]:
        """The cards read, added up per section."""
        return self.decklist.entries


class Suggester:
    """Names that come near a misspelt one, for the first lines that need it (so that a bad paste costs little)."""

    def __init__(self, cards: Mapping[str, CardFacts]) -> None:
        """Suggest from `cards`, which are given by normalised name."""
        self._cards = cards
        self._left = LINES_WITH_SUGGESTIONS

    def suggest(self, name: str) -> tuple[str, ...]:
        """Up to three official names, the likeliest first; never used without being asked."""
        key = normalise_name(name)
        if not key or self._left <= 0:
            return ()
        self._left -= 1
        found = process.extract(key, self._cards.keys(), scorer=fuzz.ratio, score_cutoff=LIKENESS, limit=SUGGESTIONS)
        return tuple(self._cards[near].name for near, _score, _index in found)

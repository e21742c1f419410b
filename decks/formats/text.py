"""Pasted decklists: counts in all usual spellings, headings, comments; and the writer that this reader reads."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from decks.formats.lines import (
    MAX_COUNT,
    Counted,
    best_guess,
    find_reading,
    is_comment,
    split_heading,
    tidy,
    without_count,
)
from decks.formats.reading import LineKind, LineProblem, Notice, Reading, Suggester
from rules_engine.cards import CardFacts, normalise_name
from rules_engine.catalogue import CardSchema
from rules_engine.decklist import DeckEntry, Decklist, Section
from rules_engine.game import GameFormat
from rules_engine.messages import Message, gettext_noop

MAX_BYTES = 256 * 1024
MAX_LINES = 2000
MAX_LINE_LENGTH = 300


@dataclass(frozen=True, slots=True)
class _Found:
    """A card line as read: `placed` says that a heading in force, not our default, put it into its section."""

    line: int
    count: int
    card: CardFacts
    section: Section
    placed: bool


@dataclass(slots=True)
class _Reader:
    game_format: GameFormat
    cards: Mapping[str, CardFacts]
    suggester: Suggester
    headings: Mapping[str, Section]
    section: Section
    placed: bool = False
    filled: bool = False
    opened: set[Section] = field(default_factory=set)
    found: list[_Found] = field(default_factory=list)
    problems: list[LineProblem] = field(default_factory=list)
    notices: list[Notice] = field(default_factory=list)

    def read_line(self, number: int, raw: str) -> LineKind:
        if len(raw) > MAX_LINE_LENGTH:
            message = Message(gettext_noop("A line has at most %(limit)s characters."), {"limit": MAX_LINE_LENGTH})
            return self.refuse(number, raw[:MAX_LINE_LENGTH], message)
        line = tidy(raw)
        if not line:
            self.loosen()
            return LineKind.BLANK
        if is_comment(line):
            return LineKind.COMMENT
        if self.open_section(line):
            return LineKind.SECTION
        return self.read_card(number, line)

    def loosen(self) -> None:
        """After its cards, a blank line ends the hold of a heading, unless it is that of the first section."""
        if self.filled and self.section != self.game_format.sections[0].key:
            self.placed = False

    def open_section(self, line: str) -> bool:
        head, rest = split_heading(line)
        section = self.headings.get(normalise_name(without_count(head)))
        if section is None or (rest and not rest.isdigit()):
            return False
        self.section, self.placed, self.filled = section, True, False
        self.opened.add(section)
        return True

    def read_card(self, number: int, line: str) -> LineKind:
        counted = find_reading(line, self.is_name)
        section, placed = self.section, self.placed
        if counted is None:
            head, rest = split_heading(line)
            inline = self.headings.get(normalise_name(head))
            if inline is not None and rest:
                line, section, placed = rest, inline, True
                self.opened.add(inline)
                counted = find_reading(line, self.is_name)
        if counted is None:
            return self.refuse_name(number, line) if any(map(str.isalnum, line)) else LineKind.COMMENT
        return self.keep(number, line, counted, section, placed)

    def keep(self, number: int, line: str, counted: Counted, section: Section, placed: bool) -> LineKind:
        if not 1 <= counted.count <= MAX_COUNT:
            message = Message(gettext_noop("A count is a number from 1 to %(limit)s."), {"limit": MAX_COUNT})
            return self.refuse(number, line, message)
        self.filled = True
        self.found.append(_Found(number, counted.count, self.cards[normalise_name(counted.name)], section, placed))
        return LineKind.CARD

    def refuse_name(self, number: int, line: str) -> LineKind:
        name = best_guess(line).name
        message = Message(gettext_noop("No card is called “%(name)s”."), {"name": name})
        return self.refuse(number, line, message, self.suggester.suggest(name))

    def refuse(self, number: int, text: str, reason: Message, suggestions: tuple[str, ...] = ()) -> LineKind:
        self.problems.append(LineProblem(number, text, reason, suggestions))
        return LineKind.PROBLEM

    def is_name(self, name: str) -> bool:
        return normalise_name(name) in self.cards

    def entries(self) -> Iterator[DeckEntry]:
        """The cards in their sections; those that no heading placed go where their type belongs, with a notice."""
        moved: dict[Section, list[_Found]] = {}
        for each in self.found:
            section = self.home(each)
            if section != each.section:
                moved.setdefault(section, []).append(each)
            yield DeckEntry(each.card.name, each.count, section)
        for section, found in moved.items():
            params = {"names": ", ".join(each.card.name for each in found), "section": self.title(section)}
            message = Message(gettext_noop("Put under “%(section)s” because of the card type: %(names)s."), params)
            self.notices.append(Notice(found[0].line, message))

    def home(self, found: _Found) -> Section:
        homes = self.game_format.sections_for(found.card.type)
        if found.placed or found.section in homes or len(homes) != 1 or homes[0] in self.opened:
            return found.section
        return homes[0]

    def title(self, key: Section) -> str:
        return next(section.title for section in self.game_format.sections if section.key == key)


def read_text(text: str, game_format: GameFormat, schema: CardSchema, cards: Mapping[str, CardFacts]) -> Reading:
    """Read a pasted decklist; `cards` are the game's cards by normalised name.

    A name must be exact but for case, accents, dashes and the like; anything else is a problem with suggestions, never
    a guess. Time grows linearly with the text; what goes beyond 256 KiB or 2,000 lines is not read but reported.
    """
    if len(text.encode("utf-8", "surrogatepass")) > MAX_BYTES:
        message = Message(
            gettext_noop("A decklist has at most %(limit)s KiB; nothing was read."), {"limit": MAX_BYTES // 1024}
        )
        return Reading(Decklist(), (LineProblem(1, "", message),))
    reader = _start(game_format, schema, cards)
    lines = text.splitlines()
    kinds = tuple(reader.read_line(number, line) for number, line in enumerate(lines[:MAX_LINES], 1))
    if len(lines) > MAX_LINES:
        message = Message(
            gettext_noop("A decklist has at most %(limit)s lines; from here on nothing was read."), {"limit": MAX_LINES}
        )
        reader.refuse(MAX_LINES + 1, lines[MAX_LINES][:MAX_LINE_LENGTH], message)
        kinds += (LineKind.PROBLEM,) * (len(lines) - MAX_LINES)
    decklist = Decklist(tuple(reader.entries()))
    return Reading(decklist, tuple(reader.problems), tuple(reader.notices), kinds)


def write_text(decklist: Decklist, game_format: GameFormat) -> str:
    """The decklist as text that `read_text` reads back to the same: each section under its title, `N Name` a line."""
    parts = []
    for section in game_format.sections:
        entries = (entry for entry in decklist.entries if entry.section == section.key)
        lines = [f"{count} {entry.name}\n" for entry in entries for count in _portions(entry.count)]
        if lines:
            parts.append(f"{section.title}:\n{''.join(lines)}")
    return "\n".join(parts)


def _portions(count: int) -> Iterator[int]:
    """A count as the reader takes it: in lines of at most 999."""
    for taken in range(0, count, MAX_COUNT):
        yield min(MAX_COUNT, count - taken)


def _start(game_format: GameFormat, schema: CardSchema, cards: Mapping[str, CardFacts]) -> _Reader:
    suggester = Suggester(card.name for card in cards.values())
    headings = dict(_headings(game_format, schema))
    return _Reader(game_format, cards, suggester, headings, game_format.sections[0].key)


def _headings(game_format: GameFormat, schema: CardSchema) -> Iterator[tuple[str, Section]]:
    """Headings by normalised spelling: a type opens the first section that may hold it; sections come last and win."""
    for card_type in schema.types:
        for section in game_format.sections_for(card_type.name)[:1]:
            yield normalise_name(card_type.name), section
            yield normalise_name(card_type.plural), section
    for rule in game_format.sections:
        for spelling in (rule.title, *rule.headings):
            yield normalise_name(spelling), rule.key

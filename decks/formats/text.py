"""Pasted decklists: counts in all usual spellings, headings, comments; and the writer that this reader reads.

One long module, since a list is read line by line by one reader, which keeps in mind what came before.
"""

from dataclasses import dataclass, field, replace

from decks.formats.collecting import Collector, start
from decks.formats.guards import refuse_lines_beyond
from decks.formats.headings import SIDE_WORDS, Setting, is_side_deck
from decks.formats.limits import MAX_BYTES, MAX_LINE_LENGTH, MAX_LINES
from decks.formats.lines import (
    Counted,
    find_reading,
    framed_title,
    is_comment,
    name_span,
    split_heading,
    tidy,
    unclear_number_span,
    without_count,
)
from decks.formats.reading import LineKind, Reading
from decks.formats.writing import portions, sections_of
from rules_engine.cards import normalise_name
from rules_engine.constraints import SectionSize
from rules_engine.decklist import Decklist, Section
from rules_engine.messages import Message, gettext_noop

__all__ = ["MAX_BYTES", "MAX_LINES", "read_text_lines", "write_text"]

KEY = "text"
NAME_WORDS = ("name", "deck name", "title", "deck title")
TOTAL_WORDS = ("total cards", "total", "cards total", "deck size")
FACT_WORDS = (
    *("author", "creator", "created by", "by", "player", "players", "player name", "winner", "event", "tournament"),
    *("place", "location", "date", "format", "game", "variant", "version", "source", "link", "url", "http", "https"),
    *("description", "notes", "note", "comment", "comments", "tags", "affiliation", "affiliations", "faction"),
    *("expansion", "expansions", "set", "sets", "pack", "packs", "last updated", "decklist", "total price"),
)
EXPANSION_WORDS = ("expansion", "expansions", "pack", "packs")


@dataclass(slots=True)
class _Reader:
    """The state between lines: `header` lines open the list, `about` says that a line "Name …" may follow.

    `held` is the section that a heading of its own, not one of a card type, has opened last. `closed`: the last such
    heading opens no section of the format, so that what stands below it is in no part of the deck.
    """

    collector: Collector
    lines: list[str]
    header: int = 0
    about: bool = False
    headed: bool = False
    held: Section = ""
    closed: bool = False
    blocks: list[int] = field(default_factory=lambda: [0])

    def read_line(self, number: int, raw: str) -> None:
        if len(raw) > MAX_LINE_LENGTH:
            message = Message(gettext_noop("A line has at most %(limit)s characters."), {"limit": MAX_LINE_LENGTH})
            self.collector.refuse(number, raw, message)
            return
        line = tidy(raw)
        if not line:
            self.collector.kinds[number - 1] = LineKind.BLANK
            self.pass_blank()
        elif self.about and line.casefold().startswith("name "):
            self.collector.name_deck(line[5:])
        elif not (self.read_header(number, line) or self.read_comment(number, line)) and not (
            self.read_heading(number, line) or self.skip_closed(number) or self.read_card(number, line)
        ):
            self.read_other(number, line)

    def pass_blank(self) -> None:
        """After its cards, a blank line ends the hold of a heading, unless it is that of the first section."""
        collector = self.collector
        self.about = False
        if collector.filled and collector.section != collector.setting.first_section:
            collector.placed = False
        if self.blocks[-1] < len(collector.found):
            self.blocks.append(len(collector.found))

    def read_header(self, number: int, line: str) -> bool:
        """The name of the deck above its expansions, unless the line says what it is or has a card in it."""
        if number > self.header:
            return False
        text = line.lstrip("/# ")
        word, rest = split_heading(text)
        placed = self.collector.section_called(word) is not None and find_reading(rest, self.collector.knows)
        if normalise_name(word) in NAME_WORDS or placed or any(map(self.counted_card, (text, rest))):
            return False
        self.name_deck(number, line, silent=not self.is_near_card(line))
        return True

    def read_comment(self, number: int, line: str) -> bool:
        """A comment, which may name the deck; a card in it is left out, and the player is warned."""
        if not is_comment(line):
            return False
        text = line.lstrip("/# ")
        word, rest = split_heading(text)
        if normalise_name(word) in NAME_WORDS:
            self.collector.name_deck(rest)
        elif card := self.counted_card(text) or self.counted_card(rest):
            self.collector.notice(number, gettext_noop("Left out, as a comment: %(name)s."), name=card)
        return True

    def read_heading(self, number: int, line: str) -> bool:
        """A line that opens a section, or parts the list in another way ("About", "---- Inquisition ----")."""
        title = framed_title(line)
        head, rest = split_heading(title or line)
        section = self.section_opened(without_count(head))
        is_type = normalise_name(without_count(head)) in self.collector.type_headings
        if self.closed and is_type and (not rest or rest.isdigit()):
            return False
        if section is not None and (not rest or rest.isdigit()):
            self.closed = False
            self.held = self.held if is_type else section
            self.collector.open_section(number, section)
            self.headed, self.about = True, False
            return True
        word = normalise_name(without_count(head))
        if word == "about" and not rest:
            self.about = True
            return True
        if title is not None and word in self.collector.set_slugs:
            self.collector.mark(number, LineKind.SECTION)
            return True
        if title is not None or (word in SIDE_WORDS and (not rest or rest.isdigit())):
            self.closed = is_side_deck(title or without_count(head))
            self.collector.refuse_section(number, line, title or head, left_out=self.closed)
            return True
        return False

    def skip_closed(self, number: int) -> bool:
        """What stands below a heading without a section: the heading's own problem tells of it."""
        if self.closed:
            self.collector.mark(number, LineKind.PROBLEM)
        return self.closed

    def section_opened(self, word: str) -> Section | None:
        """The section that `word` opens here: below a section's own heading, types part that section if they can."""
        section = self.collector.section_called(word)
        homes = self.collector.type_headings.get(normalise_name(word), ()) if section is not None else ()
        return self.held if self.held in homes else section

    def read_card(self, number: int, line: str) -> bool:
        if line.endswith(":") and normalise_name(line) in EXPANSION_WORDS:
            return False  # of a list without sets, whatever cards are called
        counted = find_reading(line, self.collector.knows)
        if counted is None:
            return self.read_card_after_heading(number, line)
        self.collector.keep(number, line, counted, self.collector.section, self.collector.placed)
        self.tell_bare_name(number, line, counted)
        return True

    def read_card_after_heading(self, number: int, line: str) -> bool:
        """ "Sideboard: 2 Name" or "SB: 2 Name": the heading holds for this line only."""
        head, rest = split_heading(line)
        section = self.section_opened(head)
        if section is None or not rest:
            return False
        self.headed = True
        self.collector.opened.add(section)
        counted = find_reading(rest, self.collector.knows)
        if counted is None:
            self.refuse_name(number, line, rest)
        else:
            self.collector.keep(number, line, counted, section, placed=True)
        return True

    def read_other(self, number: int, line: str) -> None:
        """A fact about the deck, or a rule of dashes; anything else is a problem."""
        if not self.read_fact(number, line) and any(map(str.isalnum, line)):
            head, rest = split_heading(line)
            if normalise_name(head) in SIDE_WORDS and rest:
                self.collector.refuse_section(number, line, head)
            elif not self.is_title(number, line):
                self.refuse_name(number, line, line)

    def read_fact(self, number: int, line: str) -> bool:
        """ "Players: 12"; with a card behind the colon it is unclear, and what is like a card is reported."""
        head, rest = split_heading(line)
        word = normalise_name(head)
        if line == head or word not in (*NAME_WORDS, *TOTAL_WORDS, *FACT_WORDS):
            return False
        card = self.counted_card(rest)
        if word in NAME_WORDS:
            self.name_deck(number, rest, silent=not card)
        elif card:
            template = gettext_noop("Is this a card or a remark? Write a card without “%(word)s:” before it.")
            self.collector.refuse(number, line, Message(template, {"word": head}), (card,))
        elif self.is_card_in_remark(word, rest):
            self.collector.notice(number, gettext_noop("Left out, as a remark: %(text)s."), text=line)
        return True

    def is_card_in_remark(self, word: str, rest: str) -> bool:
        """Whether a remark is called like a card, or states a count of something near one; sets may be."""
        if normalise_name(rest) in self.collector.setting.cards:
            return word not in EXPANSION_WORDS and normalise_name(rest) not in self.collector.set_slugs
        return rest[name_span(rest)] != rest and word not in EXPANSION_WORDS and self.is_near_card(rest)

    def counted_card(self, text: str) -> str:
        """The name of the card of which `text` states a count; "" if it states none, or is a set of that name."""

        def accepts(counted: Counted) -> bool:
            is_set = normalise_name(counted.name) in self.collector.set_slugs
            return counted.stated and not is_set and self.collector.knows(counted)

        counted = find_reading(text, accepts)
        return self.collector.setting.cards[normalise_name(counted.name)].name if counted else ""

    def is_near_card(self, text: str) -> bool:
        """Whether `text` has a number, or what else may stand around a name, and a card is called like the rest."""
        name = text[name_span(text)]
        name = name[unclear_number_span(name)]
        return name != text and bool(self.collector.suggester.suggest(name))

    def name_deck(self, number: int, name: str, silent: bool) -> None:
        """Keep the name of the deck; unless `silent`, say so."""
        self.collector.name_deck(name)
        if not silent:
            self.collector.notice(number, gettext_noop("Taken as the name of the deck: %(name)s."), name=name)

    def is_title(self, number: int, line: str) -> bool:
        """Whether the first line, set apart and like no card, names the deck; the player is warned."""
        alone = number == len(self.lines) or not tidy(self.lines[number]) or self.is_section(self.lines[number])
        first = not any(map(tidy, self.lines[: number - 1]))
        bare = name_span(line) == slice(0, len(line))
        if not (first and alone and bare) or self.collector.suggester.suggest(line):
            return False
        self.name_deck(number, line, silent=False)
        return True

    def is_section(self, raw: str) -> bool:
        head, _rest = split_heading(tidy(raw[:MAX_LINE_LENGTH]))
        return self.collector.section_called(without_count(head)) is not None

    def refuse_name(self, number: int, line: str, part: str) -> None:
        """Say that no card has the name in `part` of the line, or that only its number is in the way."""
        name = part[name_span(part)]
        span = unclear_number_span(name)
        bare = name[span]
        if bare != name and self.collector.knows(Counted(1, bare)):
            count = "".join(filter(str.isdigit, name[: span.start] + name[span.stop :]))
            template = gettext_noop("If the number is a count, write “%(count)s %(name)s”.")
            self.collector.refuse(number, line, Message(template, {"count": count, "name": bare}))
        else:
            self.collector.refuse_name(number, line, name)

    def tell_bare_name(self, number: int, line: str, counted: Counted) -> None:
        """Some cards are called like a faction: without a count, above counted cards, that may have been a heading."""
        opens_block = number == 1 or not self.lines[number - 2].strip()
        below = tidy(self.lines[number][:MAX_LINE_LENGTH]) if number < len(self.lines) else ""
        card_type = self.collector.found[-1].card.type if self.collector.found else ""
        at_home = self.collector.section in self.collector.setting.game_format.sections_for(card_type)
        if opens_block and counted.name == line and below[:1].isdigit() and at_home:
            template = gettext_noop("No count; read as one card, not a heading: %(name)s.")
            self.collector.notice(number, template, name=line)

    def assume_side_deck(self) -> None:
        """Without any heading, a second and last block below a whole deck is the side deck, if the format has one."""
        side = self.collector.setting.side_section
        found = self.collector.found
        starts = [each for each in self.blocks if each < len(found)]
        if side is None or self.headed or len(starts) != 2:
            return
        begin, title = starts[1], self.collector.title(side)
        first, second = (sum(each.count for each in part) for part in (found[:begin], found[begin:]))
        if second < first and self.is_size(self.collector.setting.first_section, first):
            found[begin:] = [replace(each, section=side, placed=True) for each in found[begin:]]
            template = gettext_noop("Put under “%(section)s” because it follows a blank line and there is no heading.")
            self.collector.notice(found[begin].line, template, section=title)
        elif self.is_size(side, second):
            template = gettext_noop("Read as one deck despite the blank line; “%(section)s” needs its heading.")
            self.collector.notice(found[begin].line, template, section=title)

    def is_size(self, section: Section, size: int) -> bool:
        """Whether the format lets a section hold that many cards."""
        sizes = (each for each in self.collector.setting.game_format.constraints if isinstance(each, SectionSize))
        return all(each.allows(size) for each in sizes if each.section == section)


def read_text_lines(text: str, setting: Setting, key: str = KEY) -> Reading:
    """Read a pasted decklist that is not too large; `key` is what the reading is to say of its format.

    A name must be exact but for case, accents, dashes and the like; anything else is a problem with suggestions, never
    a guess. Time grows linearly with the text; what goes beyond 2,000 lines is not read but reported.
    """
    lines = text.splitlines()
    collector = start(setting, lines)
    reader = _Reader(collector, lines[:MAX_LINES], header=_header_length(lines[:MAX_LINES]))
    for number, line in enumerate(reader.lines, 1):
        reader.read_line(number, line)
    refuse_lines_beyond(collector, lines)
    reader.assume_side_deck()
    return collector.finish(key)


def write_text(decklist: Decklist, setting: Setting, name: str = "") -> str:
    """The decklist as text that `read_text_lines` reads back to the same: a title for each section, `N Name` a line."""
    parts = [f"// Name: {name}\n"] if name else []
    for section, entries in sections_of(decklist, setting.game_format):
        lines = [f"{each.count} {each.name}\n" for each in portions(entries)]
        parts.append(f"{section.title}:\n{''.join(lines)}")
    return "\n".join(parts)


def _header_length(lines: list[str]) -> int:
    """The lines before an "Expansions:" line that follows the first line: they hold name and version of the deck."""
    filled = [(number, line) for number, line in enumerate(lines[:12]) if tidy(line[:MAX_LINE_LENGTH])][:2]
    if len(filled) == 2 and normalise_name(split_heading(tidy(filled[1][1][:MAX_LINE_LENGTH]))[0]) in EXPANSION_WORDS:
        return filled[1][0]
    return 0

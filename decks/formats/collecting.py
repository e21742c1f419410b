"""A decklist while it is read: cards found, lines refused, sections opened, things assumed."""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from decks.formats.headings import Setting
from decks.formats.limits import MAX_COUNT, MAX_LINE_LENGTH
from decks.formats.lines import Counted, read_number, tidy
from decks.formats.reading import CardLine, LineKind, LineProblem, Notice, Reading, Suggester
from rules_engine.cards import MAX_NAME_LENGTH, CardFacts, normalise_name
from rules_engine.decklist import DeckEntry, Decklist, Section
from rules_engine.messages import Message, gettext_noop

NAMES_IN_A_NOTICE = 5
_RANKS = (LineKind.BLANK, LineKind.COMMENT, LineKind.SECTION, LineKind.CARD, LineKind.PROBLEM)


@dataclass(frozen=True, slots=True)
class Found:
    """A card as read: `placed` says that a heading in force, not our default, put it into its section."""

    line: int
    count: int
    card: CardFacts
    section: Section
    placed: bool
    set_text: str = ""


@dataclass(slots=True)
class Collector:
    """What has been read so far; the readers of all formats fill one and `finish` it."""

    setting: Setting
    kinds: list[LineKind]
    headings: dict[str, Section] = field(init=False)
    type_headings: dict[str, tuple[Section, ...]] = field(init=False)
    suggester: Suggester = field(init=False)
    set_slugs: dict[str, str] = field(init=False)
    longest_name: int = field(init=False)
    section: Section = field(init=False)
    placed: bool = False
    filled: bool = False
    opened: set[Section] = field(default_factory=set)
    found: list[Found] = field(default_factory=list)
    problems: list[LineProblem] = field(default_factory=list)
    notices: list[Notice] = field(default_factory=list)
    name: str = ""

    def __post_init__(self) -> None:
        """Look up once what every line needs."""
        self.headings = self.setting.headings()
        self.type_headings = self.setting.type_headings()
        self.suggester = Suggester(self.setting.cards)
        self.set_slugs = self.setting.set_slugs()
        self.longest_name = 2 * max((len(card.name) for card in self.setting.cards.values()), default=0) + 16
        self.section = self.setting.first_section

    def mark(self, line: int, kind: LineKind) -> None:
        """Say what the line is; what matters more wins when several things stand on one line."""
        if _RANKS.index(kind) > _RANKS.index(self.kinds[line - 1]):
            self.kinds[line - 1] = kind

    def knows(self, counted: Counted) -> bool:
        """Whether this way to read a line gives a card."""
        if len(counted.name) > self.longest_name:
            return False
        if counted.bare_code and normalise_name(counted.set_text) not in self.set_slugs:
            return False
        return normalise_name(counted.name) in self.setting.cards

    def section_called(self, word: str) -> Section | None:
        """The section that `word` opens."""
        return self.headings.get(normalise_name(word)) if len(word) <= MAX_NAME_LENGTH else None

    def open_section(self, line: int, section: Section) -> None:
        """Put the cards that follow into `section`."""
        self.section, self.placed, self.filled = section, True, False
        self.opened.add(section)
        self.mark(line, LineKind.SECTION)

    def name_deck(self, name: str) -> None:
        """Keep the name of the deck; the first one counts."""
        self.name = self.name or name[:MAX_NAME_LENGTH].strip()

    def keep(self, line: int, text: str, counted: Counted, section: Section, placed: bool) -> None:
        """Take a known card into the deck unless its count is absurd."""
        if not 1 <= counted.count <= MAX_COUNT:
            message = Message(gettext_noop("A count is a number from 1 to %(limit)s."), {"limit": MAX_COUNT})
            self.refuse(line, text, message)
            return
        self.filled = True
        card = self.setting.cards[normalise_name(counted.name)]
        self.found.append(Found(line, counted.count, card, section, placed, counted.set_text))
        self.mark(line, LineKind.CARD)

    def take(self, line: int, text: str, count: str, name: str, set_text: str = "") -> None:
        """Take what a file states into the section in force, or say why that cannot be."""
        if not (count.isascii() and count.isdigit()):
            message = Message(gettext_noop("The count is missing or not a whole number."))
            self.refuse(line, text, message)
            return
        counted = Counted(read_number(count), tidy(name), tidy(set_text))
        if self.knows(counted):
            self.keep(line, text, counted, self.section, self.placed)
        else:
            self.refuse_name(line, text, counted.name)

    def refuse_name(self, line: int, text: str, name: str) -> None:
        """Report a name that no card has, with names that come near."""
        name = name[:MAX_LINE_LENGTH]
        message = Message(gettext_noop("No card is called “%(name)s”."), {"name": name})
        self.refuse(line, text, message, self.suggester.suggest(name))

    def refuse_section(self, line: int, text: str, title: str, *, left_out: bool = False) -> None:
        """Report a heading that opens no section of this format; `left_out`: what stands below it is not read."""
        params = {"title": title[:MAX_NAME_LENGTH], "format": self.setting.game_format.name}
        if left_out:
            template = gettext_noop("%(format)s has no section “%(title)s”: its cards are left out.")
        else:
            template = gettext_noop("%(format)s has no section “%(title)s”.")
        self.refuse(line, text, Message(template, params))

    def refuse(self, line: int, text: str, reason: Message, suggestions: tuple[str, ...] = ()) -> None:
        """Report a line that is not in the deck."""
        self.problems.append(LineProblem(line, text[:MAX_LINE_LENGTH], reason, suggestions))
        self.mark(line, LineKind.PROBLEM)

    def give_up(self, line: int) -> None:
        """Say of every line from `line` on that it was not read."""
        unread = self.kinds[line - 1 :]
        self.kinds[line - 1 :] = [LineKind.BLANK if kind is LineKind.BLANK else LineKind.PROBLEM for kind in unread]

    def notice(self, line: int, template: str, **params: object) -> None:
        """Tell the player what was assumed."""
        self.notices.append(Notice(line, Message(template, params)))

    def finish(self, format_key: str) -> Reading:
        """The reading, its problems and notices in the order of lines."""
        placed = [replace(each, section=self._home(each)) for each in self.found]
        self._tell_moved(placed)
        self._tell_sets()
        decklist = Decklist(tuple(DeckEntry(each.card.name, each.count, each.section) for each in placed))
        problems = tuple(sorted(self.problems, key=lambda each: each.line))
        notices = tuple(sorted(self.notices, key=lambda each: each.line))
        lines = tuple(CardLine(each.line, each.card.name, each.count, each.section) for each in placed)
        return Reading(decklist, problems, notices, tuple(self.kinds), self.name, format_key, lines)

    def title(self, key: Section) -> str:
        return next(section.title for section in self.setting.game_format.sections if section.key == key)

    def _home(self, found: Found) -> Section:
        """Where a card goes: a card that no heading placed goes where its type belongs."""
        homes = self.setting.game_format.sections_for(found.card.type)
        if found.placed or found.section in homes or len(homes) != 1 or homes[0] in self.opened:
            return found.section
        return homes[0]

    def _tell_moved(self, placed: list[Found]) -> None:
        moved: dict[Section, list[Found]] = {}
        for before, after in zip(self.found, placed, strict=True):
            if before.section != after.section:
                moved.setdefault(after.section, []).append(after)
        template = gettext_noop("Put in “%(section)s” by card type: %(names)s.")
        for section, cards in moved.items():
            self.notice(cards[0].line, template, section=self.title(section), names=_names(cards))

    def _tell_sets(self) -> None:
        """Names alone decide which card is meant; where the set says otherwise, the player is warned."""
        unknown: dict[str, list[Found]] = {}
        other: dict[str, list[Found]] = {}
        for each in self.found:
            slug = self.set_slugs.get(normalise_name(each.set_text), "")
            if each.set_text and not slug:
                unknown.setdefault(each.set_text, []).append(each)
            elif slug and slug != each.card.set_slug:
                other.setdefault(each.set_text, []).append(each)
        no_such_set = gettext_noop("No set is called “%(set)s” here; found by name only: %(names)s.")
        wrong_set = gettext_noop("Not in the set “%(set)s” here; found by name only: %(names)s.")
        for template, by_set in ((no_such_set, unknown), (wrong_set, other)):
            for set_text, cards in by_set.items():
                self.notice(cards[0].line, template, set=set_text, names=_names(cards))


def start(setting: Setting, lines: Iterable[str]) -> Collector:
    """A collector for a text of `lines`, each blank or, until it is marked otherwise, a comment."""
    return Collector(setting, [LineKind.COMMENT if line.strip() else LineKind.BLANK for line in lines])


def _names(cards: list[Found]) -> str:
    names = list(dict.fromkeys(each.card.name for each in cards))
    return ", ".join(names[:NAMES_IN_A_NOTICE]) + (" …" if len(names) > NAMES_IN_A_NOTICE else "")

"""Reading decks from XML files: the formats differ in words only."""

from collections.abc import Callable
from dataclasses import dataclass, field

from decks.formats.collecting import Collector, start
from decks.formats.elements import Element, parse_elements
from decks.formats.headings import Setting
from decks.formats.lines import physical_lines, tidy
from decks.formats.reading import Reading
from rules_engine.cards import normalise_name
from rules_engine.messages import Message, gettext_noop


@dataclass(frozen=True, slots=True)
class XmlFormat:
    """The words of one format: its root, the elements that are sections, where a card keeps count and name.

    Elements in `remarks` are known and hold no cards; sections in `left_out` hold cards that are not in the deck.
    """

    key: str
    root: str
    section: str
    count: str
    name: Callable[[Element], str]
    deck_name: str = ""
    remarks: frozenset[str] = field(default_factory=frozenset)
    left_out: frozenset[str] = field(default_factory=frozenset)


@dataclass(slots=True)
class _Reader:
    words: XmlFormat
    collector: Collector
    lines: list[str]
    skipping: bool = False

    def read(self, element: Element) -> None:
        """Sort one element by its place: root, section, card, remark; anything else is reported."""
        if element.path and element.path[-1] in self.words.remarks:
            return
        if element.path == (self.words.root,) and element.tag == self.words.section:
            self.open_section(element)
        elif element.path == (self.words.root, self.words.section) and element.tag == "card":
            self.read_card(element)
        elif element.tag == self.words.deck_name and element.path == (self.words.root,):
            self.collector.name_deck(tidy(element.text))
        elif element.path and element.tag not in self.words.remarks:
            message = Message(gettext_noop("The element “%(tag)s” is not known here."), {"tag": element.tag[:40]})
            self.collector.refuse(element.line, self.text_of(element), message)

    def open_section(self, element: Element) -> None:
        title = element.attributes.get("name", "")
        section = self.collector.section_called(title)
        self.skipping = section is None and normalise_name(title) in self.words.left_out
        if section is not None:
            self.collector.open_section(element.line, section)
        elif self.skipping:
            template = gettext_noop("“%(title)s” isn't a section here; left out.")
            self.collector.notice(element.line, template, title=title)
        else:
            self.collector.section, self.collector.placed = self.collector.setting.first_section, False
            self.collector.refuse_section(element.line, self.text_of(element), title)

    def text_of(self, element: Element) -> str:
        return self.lines[element.line - 1].strip()

    def refuse_root(self, root: Element) -> None:
        template = gettext_noop("Nothing read: XML starting with “%(tag)s” isn't a known deck type.")
        self.collector.refuse(root.line, self.text_of(root), Message(template, {"tag": root.tag[:40]}))

    def read_card(self, element: Element) -> None:
        if self.skipping:
            return
        count = element.attributes.get(self.words.count, "")
        self.collector.take(element.line, self.text_of(element), count, self.words.name(element))


def read_xml(text: str, setting: Setting, words: XmlFormat) -> Reading:
    """Read a deck from XML that is not trusted; what is not understood is reported with its line."""
    lines = physical_lines(text)
    collector = start(setting, lines)
    reader = _Reader(words, collector, lines)
    elements, fault = parse_elements("\n".join(lines))
    if elements and elements[0].tag != words.root:
        reader.refuse_root(elements[0])
        collector.give_up(1)
        elements = []
    for element in elements:
        reader.read(element)
    if fault is not None:
        line = min(fault.line, len(lines))
        collector.refuse(line, lines[line - 1].strip(), fault.reason)
        collector.give_up(line)
    return collector.finish(words.key)

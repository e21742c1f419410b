"""Our own format: JSON that names its version, the deck, its format, and the cards of each section.

`{"doomdesk_decklist": 1, "name": "…", "format": "…", "sections": {"main": [{"name": "…", "count": 3}]}}`. Lists of
cards as other programs write them are read too: `[{"name": "…", "count": 3, "section": "main"}]`.
"""

import json
from dataclasses import dataclass

from decks.formats.collecting import Collector, start
from decks.formats.headings import Setting
from decks.formats.jsontree import Node, NotJson, parse_json
from decks.formats.limits import MAX_LINES
from decks.formats.lines import physical_lines, tidy
from decks.formats.reading import Reading
from decks.formats.writing import portions, sections_of
from rules_engine.decklist import Decklist
from rules_engine.messages import Message, gettext_noop

KEY = "json"
VERSION = 1
VERSION_KEY = "doomdesk_decklist"
LIST_KEYS = ("entries", "cards")
NAME_KEYS = ("name", "card_name", "card")
COUNT_KEYS = ("count", "quantity", "qty", "amount")
SECTION_KEYS = ("section", "board", "zone")
SET_KEYS = ("set", "set_code", "set_name")


@dataclass(slots=True)
class _Reader:
    collector: Collector
    lines: list[str]
    cards: int = 0

    def read_deck(self, deck: Node) -> None:
        """The whole text: an object as ours, or a plain list of cards."""
        for item in deck.items:
            self.read_card(item)
        for key, value in deck.members:
            self.read_fact(key, value)
        if not deck.items and not deck.members:
            self.refuse(deck, gettext_noop("No list of cards is here."))

    def read_fact(self, key: str, value: Node) -> None:
        if key == "sections":
            self.read_sections(value)
        elif key in LIST_KEYS:
            for item in value.items:
                self.read_card(item)
        elif key == "name":
            self.collector.name_deck(tidy(value.text))
        elif key == VERSION_KEY and value.text != str(VERSION):
            self.refuse(value, gettext_noop("This version of the format is not known here."))
        elif key == "format" and value.text != self.collector.setting.game_format.slug:
            template = gettext_noop("Written for “%(format)s”; read for the format chosen here.")
            self.collector.notice(value.line, template, format=value.text)
        elif key not in (VERSION_KEY, "format", "game"):
            self.collector.notice(value.line, gettext_noop("Not read: “%(key)s”."), key=key[:40])

    def read_sections(self, sections: Node) -> None:
        if not sections.members and (sections.items or sections.text):
            self.refuse(sections, gettext_noop("The sections must be an object of lists."))
        for title, cards in sections.members:
            section = self.collector.section_called(title)
            if section is None:
                self.collector.refuse_section(cards.line, self.text_of(cards), title)
                continue
            self.collector.open_section(cards.line, section)
            if not cards.items and (cards.members or cards.text):
                self.refuse(cards, gettext_noop("A section must be a list of cards."))
            for card in cards.items:
                self.read_card(card)
        self.collector.section, self.collector.placed = self.collector.setting.first_section, False

    def read_card(self, card: Node) -> None:
        """One card: an object with name and count; a section of its own counts for it alone."""
        self.cards += 1
        facts = dict(card.members)
        name = _first(facts, NAME_KEYS)
        if self.cards > MAX_LINES:
            if self.cards == MAX_LINES + 1:
                self.refuse(card, gettext_noop("At most %(limit)s cards are read."), limit=MAX_LINES)
        elif name is None or not name.text:
            self.refuse(card, gettext_noop("A card needs a name and a count."))
        else:
            self.read_named(card, name.text, facts)

    def read_named(self, card: Node, name: str, facts: dict[str, Node]) -> None:
        collector = self.collector
        count, set_text, title = (_first(facts, keys) for keys in (COUNT_KEYS, SET_KEYS, SECTION_KEYS))
        before = collector.section, collector.placed
        if title is not None and title.text:
            section = collector.section_called(title.text)
            if section is None:
                collector.refuse_section(card.line, self.text_of(card), title.text)
                return
            collector.section, collector.placed = section, True
        collector.take(
            card.line, self.text_of(card), count.text if count else "", name, set_text.text if set_text else ""
        )
        collector.section, collector.placed = before

    def refuse(self, node: Node, template: str, **params: object) -> None:
        self.collector.refuse(node.line, self.text_of(node), Message(template, params))

    def text_of(self, node: Node) -> str:
        return self.lines[node.line - 1].strip()


def read_house(text: str, setting: Setting) -> Reading:
    """Read JSON; what is not understood is reported with its line, unknown keys as notices."""
    lines = physical_lines(text)
    collector = start(setting, lines)
    reader = _Reader(collector, lines)
    try:
        reader.read_deck(parse_json(lines))
    except NotJson as fault:
        collector.refuse(fault.line, lines[fault.line - 1].strip(), fault.reason)
        collector.give_up(1)
    return collector.finish(KEY)


def write_house(decklist: Decklist, setting: Setting, name: str = "") -> str:
    """The decklist as JSON, one card a line."""
    sections = []
    for rule, entries in sections_of(decklist, setting.game_format):
        cards = ",\n".join(f"      {_dump({'name': each.name, 'count': each.count})}" for each in portions(entries))
        sections.append(f"    {_dump(rule.key)}: [\n{cards}\n    ]")
    facts = {VERSION_KEY: VERSION, "name": name, "format": setting.game_format.slug}
    lines = [f"  {_dump(key)}: {_dump(value)}," for key, value in facts.items()]
    return "\n".join(["{", *lines, '  "sections": {', ",\n".join(sections), "  }", "}", ""])


def _first(facts: dict[str, Node], keys: tuple[str, ...]) -> Node | None:
    return next((facts[key] for key in keys if key in facts), None)


def _dump(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)

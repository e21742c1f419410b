"""OCTGN deck files (.o8d): sections of cards; the ids are OCTGN's own, so the text of an element is the name."""

from html import escape

from decks.formats.deckfiles import XmlFormat, read_xml
from decks.formats.headings import Setting
from decks.formats.reading import Reading
from decks.formats.writing import portions, sections_of
from rules_engine.decklist import Decklist

KEY = "octgn"
ROOT = "deck"
WORDS = XmlFormat(
    key=KEY,
    root=ROOT,
    section="section",
    count="qty",
    name=lambda card: card.text,
    remarks=frozenset({"notes"}),
)


def read_octgn(text: str, setting: Setting) -> Reading:
    """Read an .o8d file; its sections may be those of the deck or the card types."""
    return read_xml(text, setting, WORDS)


def write_octgn(decklist: Decklist, setting: Setting, name: str = "") -> str:
    """The decklist as an .o8d file without ids; the format has no place for the name of the deck."""
    lines = ['<?xml version="1.0" encoding="UTF-8" standalone="yes"?>', f"<{ROOT}>"]
    for rule, entries in sections_of(decklist, setting.game_format):
        lines.append(f'  <section name="{escape(rule.title)}" shared="False">')
        lines += [f'    <card qty="{each.count}">{escape(each.name)}</card>' for each in portions(entries)]
        lines.append("  </section>")
    return "\n".join([*lines, "  <notes></notes>", f"</{ROOT}>", ""])

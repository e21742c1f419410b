"""Cockatrice deck files (.cod): zones of cards, by name."""

from html import escape

from decks.formats.deckfiles import XmlFormat, read_xml
from decks.formats.headings import Setting
from decks.formats.reading import Reading
from decks.formats.writing import portions, sections_of
from rules_engine.decklist import Decklist

KEY = "cockatrice"
ROOT = "cockatrice_deck"
WORDS = XmlFormat(
    key=KEY,
    root=ROOT,
    section="zone",
    count="number",
    name=lambda card: card.attributes.get("name", ""),
    deck_name="deckname",
    remarks=frozenset({"comments", "bannerCard", "tags", "tag", "sideboard_plan", "lastLoadedTimestamp"}),
    left_out=frozenset({"tokens"}),
)


def read_cockatrice(text: str, setting: Setting) -> Reading:
    """Read a .cod file; the zones are main, side and tokens, the last of which is left out."""
    return read_xml(text, setting, WORDS)


def write_cockatrice(decklist: Decklist, setting: Setting, name: str = "") -> str:
    """The decklist as a .cod file; sections that Cockatrice does not know are zones called by their keys."""
    lines = ['<?xml version="1.0" encoding="UTF-8"?>', f'<{ROOT} version="1">']
    lines += [f"  <deckname>{escape(name)}</deckname>", "  <comments></comments>"]
    for rule, entries in sections_of(decklist, setting.game_format):
        zone = {setting.first_section: "main", setting.side_section: "side"}.get(rule.key, rule.key)
        lines.append(f'  <zone name="{escape(zone)}">')
        lines += [f'    <card number="{each.count}" name="{escape(each.name)}"/>' for each in portions(entries)]
        lines.append("  </zone>")
    return "\n".join([*lines, f"</{ROOT}>", ""])

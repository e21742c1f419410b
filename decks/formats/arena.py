"""Text as Magic programs write it (Arena, MTGO, Moxfield): sets in brackets, print numbers, "SB:" before a name."""

import re

from decks.formats.headings import Setting
from decks.formats.lines import split_heading, tidy
from decks.formats.writing import portions, sections_of
from rules_engine.cards import normalise_name
from rules_engine.decklist import Decklist

KEY = "arena"
_PRINTED = re.compile(r"[0-9]+ .*[(\[][A-Za-z0-9]{2,6}[)\]] [A-Za-z0-9-]{1,8}(?: \*[A-Za-z]\*| #.*)?")


def recognise(lines: list[str]) -> bool:
    """Whether lines have a set and a print number behind the name, "SB:" before it, or "About" above them."""
    return any(map(_is_typical, map(tidy, lines)))


def write_arena(decklist: Decklist, setting: Setting, name: str = "") -> str:
    """The decklist under "Deck" and "Sideboard" (other sections under their own titles), `N Name` a line."""
    parts = [f"About\nName {name}\n"] if name else []
    for rule, entries in sections_of(decklist, setting.game_format):
        word = {setting.first_section: "Deck", setting.side_section: "Sideboard"}.get(rule.key, rule.title)
        parts.append("".join([f"{word}\n", *(f"{each.count} {each.name}\n" for each in portions(entries))]))
    return "\n".join(parts)


def _is_typical(line: str) -> bool:
    word = normalise_name(split_heading(line)[0])
    return word in ("sb", "about") or _PRINTED.fullmatch(line) is not None

"""Text of LackeyCCG and of spreadsheets: count, tab, name."""

import re

from decks.formats.headings import Setting
from decks.formats.lines import is_comment
from decks.formats.writing import portions, sections_of
from rules_engine.cards import normalise_name
from rules_engine.decklist import DeckEntry, Decklist

KEY = "lackey"
_TABBED = re.compile(r"\s*[0-9]+\t")


def recognise(lines: list[str]) -> bool:
    """Whether most lines that begin with a digit have a tab behind their count."""
    counted = [line for line in lines if line.lstrip()[:1].isdigit() and not is_comment(line)]
    return 2 * sum(_TABBED.match(line) is not None for line in counted) > len(counted)


def write_lackey(decklist: Decklist, setting: Setting, name: str = "") -> str:
    """The first section without a heading where types do not need one, the others below their titles."""
    parts = [f"// Name: {name}\n"] if name else []
    for rule, entries in sections_of(decklist, setting.game_format):
        bare = rule.key == setting.first_section and all(_is_at_home(entry, setting) for entry in entries)
        heading = "" if bare else f"{rule.title}:\n"
        parts.append(heading + "".join(f"{each.count}\t{each.name}\n" for each in portions(entries)))
    return "".join(parts)


def _is_at_home(entry: DeckEntry, setting: Setting) -> bool:
    """Whether a reader leaves the card where it is without a mark."""
    card = setting.cards.get(normalise_name(entry.name))
    return card is not None and entry.section in setting.game_format.sections_for(card.type)

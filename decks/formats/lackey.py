"""Text of LackeyCCG and of spreadsheets: count, tab, name."""

import re

from decks.formats.headings import Setting
from decks.formats.lines import is_comment
from decks.formats.writing import portions, sections_of
from rules_engine.decklist import Decklist

KEY = "lackey"
_TABBED = re.compile(r"\s*[0-9]+\t")


def recognise(lines: list[str]) -> bool:
    """Whether most lines that begin with a digit have a tab behind their count."""
    counted = [line for line in lines if line.lstrip()[:1].isdigit() and not is_comment(line)]
    return 2 * sum(_TABBED.match(line) is not None for line in counted) > len(counted)


def write_lackey(decklist: Decklist, setting: Setting, name: str = "") -> str:
    """The first section without a heading, each other one below its title and a colon; the name as a comment."""
    parts = [f"// Name: {name}\n"] if name else []
    for rule, entries in sections_of(decklist, setting.game_format):
        heading = "" if rule.key == setting.first_section and not name else f"{rule.title}:\n"
        parts.append(heading + "".join(f"{each.count}\t{each.name}\n" for each in portions(entries)))
    return "".join(parts)

"""Putting copies of a card into the text of a decklist, or taking them out, with all else in the text kept."""

from collections.abc import Callable
from dataclasses import dataclass

from decks.formats import arena, lackey, netrunner
from decks.formats import text as plain
from decks.formats.headings import Setting
from decks.formats.limits import MAX_COUNT
from decks.formats.reading import CardLine, LineKind, Reading
from rules_engine.cards import normalise_name
from rules_engine.decklist import DeckEntry, Decklist, Section

LINE_FORMATS = (plain.KEY, arena.KEY, netrunner.KEY, lackey.KEY)
"""The formats in which a card is a line of text, so that lines can be added and changed one by one."""


@dataclass(frozen=True, slots=True)
class CopyChange:
    """Put in `change` copies of the card called `name` in `section`, or take them out (negative)."""

    name: str
    section: Section
    change: int


def change_copies(text: str, wanted: CopyChange, setting: Setting) -> str:
    """The text after the change: a line of the card gets another count, goes, or a new line joins its section.

    Lines that are not understood stay. A text that is no list of lines, or in which the change would move other cards,
    is written anew, with what was not understood on top. Fewer than no copies are none.
    """
    reading = plain.read_text_lines(text, setting)
    target = _changed(reading.decklist, wanted)
    lines = text.splitlines()
    lines = _put_in(lines, reading, wanted, setting) if wanted.change > 0 else _take_out(lines, reading, wanted)
    edited = "\n".join(lines) + "\n" if lines else ""
    again = plain.read_text_lines(edited, setting)
    if again.decklist == target and len(again.problems) == len(reading.problems):
        return edited
    unread = "".join(f"{problem.text}\n" for problem in reading.problems)
    return unread + plain.write_text(target, setting)


def _changed(decklist: Decklist, wanted: CopyChange) -> Decklist:
    is_it = _matcher(wanted)
    held = sum(entry.count for entry in decklist.entries if is_it(entry))
    others = [entry for entry in decklist.entries if not is_it(entry)]
    count = held + wanted.change
    return Decklist((*others, DeckEntry(wanted.name, count, wanted.section)) if count > 0 else tuple(others))


def _matcher(wanted: CopyChange) -> Callable[[DeckEntry | CardLine], bool]:
    key = normalise_name(wanted.name)
    return lambda each: each.section == wanted.section and normalise_name(each.name) == key


def _put_in(lines: list[str], reading: Reading, wanted: CopyChange, setting: Setting) -> list[str]:
    own = [each for each in reading.card_lines if _matcher(wanted)(each)]
    if own and own[-1].count + wanted.change <= MAX_COUNT:
        last = own[-1]
        lines[last.line - 1] = _line_with(lines[last.line - 1], last, last.count + wanted.change)
        return lines
    new = f"{wanted.change} {wanted.name}"
    there = [each.line for each in reading.card_lines if each.section == wanted.section]
    if there:
        return [*lines[: there[-1]], new, *lines[there[-1] :]]
    if wanted.section == setting.first_section:
        heading = next((n for n, kind in enumerate(reading.lines) if kind is LineKind.SECTION), len(lines))
        return [*lines[:heading], new, *([""] if heading < len(lines) else []), *lines[heading:]]
    title = next((each.title for each in setting.game_format.sections if each.key == wanted.section), wanted.section)
    return [*lines, *([""] if lines else []), f"{title}:", new]


def _take_out(lines: list[str], reading: Reading, wanted: CopyChange) -> list[str]:
    left = -wanted.change
    for each in reversed([each for each in reading.card_lines if _matcher(wanted)(each)]):
        taken = min(left, each.count)
        left -= taken
        if taken == each.count:
            lines[each.line - 1 : each.line] = []
        elif taken:
            lines[each.line - 1] = _line_with(lines[each.line - 1], each, each.count - taken)
    return lines


def _line_with(line: str, card: CardLine, count: int) -> str:
    """The line with another count in the place of the one it begins with; a line without one gets one."""
    begin = len(line) - len(line.lstrip())
    digits = line[begin:][: len(line) - begin - len(line.lstrip().lstrip("0123456789"))]
    if digits == str(card.count) and not card.name.startswith(digits):
        return f"{line[:begin]}{count}{line[begin + len(digits) :]}"
    return f"{line[:begin]}{count} {card.name}"

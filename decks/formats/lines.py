"""One line of a pasted decklist: the ways in which players write a count, a name, and what trails behind it."""

import re
import unicodedata
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import accumulate, islice

from decks.formats.limits import MAX_COUNT

READINGS_PER_LINE = 60
SET_CUTS = 3

_INVISIBLE = dict.fromkeys(map(ord, "\u200b\u200c\u200d\u2060\u00ad\ufeff\u200e\u200f"))
_COUNTS_BEFORE = (
    re.compile(r"([0-9]+) (?=.)"),
    re.compile(r"([0-9]+)(?: [xX×*] |[xX×*] ?+)(?=[^-–—])"),
    re.compile(r"[xX×*] ?([0-9]+) (?=.)"),
    re.compile(r"([0-9]+)[,;|:] ?(?=.)"),
    re.compile(r"[(\[](?:[xX×] ?)?([0-9]+)(?: ?[xX×])?[)\]] ?(?=.)"),
)
_ENUMERATION = re.compile(r"[0-9]+[.)] ?(?=.)")
_DIGITS = "0123456789"
_SEPARATORS = " ,;:|-–—"
_COUNT_AFTER = re.compile(r" (?:[xX×*] ?([0-9]+)|\((?:[xX×] ?)?([0-9]+)\)|\[([0-9]+)\])$")
_SIZE_AFTER = re.compile(r" ?[(\[][0-9]+(?: cards?)?[)\]]$")
_FOIL = re.compile(r" \*[A-Za-z]{1,5}\*$")
_PRINT_NUMBER = re.compile(r" ?[A-Za-z]{0,3}-?[0-9]{1,5}[A-Za-z★]?")
_BARE_CODE = re.compile(r" ([A-Za-z0-9-]{2,12}) [0-9]{1,5}[a-z]?$")
_SIZE_ONLY = re.compile(r"[xX×]? ?[0-9]+")
_ITEM_NUMBER = re.compile(r"(?:#[0-9]+ |[0-9]+[.)] |\+ ?)(?=[0-9]+ ?[xX×*]? )")
_BULLETS = ("- ", "* ", "• ", "· ", "– ")
_COMMENTS = ("//", "#")
_FRAMES = ("--", "==")


@dataclass(frozen=True, slots=True)
class Counted:
    """A way to read a line: `count` copies of `name`; whether such a card exists is for the caller to see.

    `set_text` is what it says of the set. With `bare_code` that is no more than a guess ("Name ABC 21"), to be taken
    only if such a set is known. `stated` says that the line states the count.
    """

    count: int
    name: str
    set_text: str = ""
    bare_code: bool = False
    stated: bool = True


def physical_lines(text: str) -> list[str]:
    """The lines as XML, JSON and CSV count them: parted by newlines and carriage returns only, at least one."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    return lines[:-1] if len(lines) > 1 and not lines[-1] else lines


def tidy(line: str) -> str:
    """The line with invisible characters gone and every run of space-like or control characters made one space."""
    visible = line.translate(_INVISIBLE)
    spaced = "".join(" " if unicodedata.category(each)[0] in "ZC" else each for each in visible)
    return " ".join(spaced.split())


def tidy_places(line: str) -> list[int]:
    """For each character of `tidy(line)` its place in `line`."""
    places: list[int] = []
    gap = -1
    for place, each in enumerate(line):
        if ord(each) in _INVISIBLE:
            continue
        if unicodedata.category(each)[0] in "ZC" or each.isspace():
            gap = place
            continue
        if gap >= 0 and places:
            places.append(gap)
        gap = -1
        places.append(place)
    return places


def read_number(digits: str) -> int:
    """The number that ASCII digits write, or one more than is allowed when they are absurdly many."""
    return int(digits) if len(digits) <= 6 else MAX_COUNT + 1


def is_comment(line: str) -> bool:
    """Whether the whole (tidy) line is a comment; "#012 3x Name" is a card with a number."""
    return line.startswith(_COMMENTS) and not _ITEM_NUMBER.match(line)


def framed_title(line: str) -> str | None:
    """The title in "---- Title ----" or "== Title =="; None for any other line."""
    framed = line.startswith(_FRAMES) and line.endswith(_FRAMES)
    return line.strip("-= ") or None if framed else None


def split_heading(line: str) -> tuple[str, str]:
    """The line parted at its first colon: what may be a heading, and the rest ("" without colon or rest)."""
    head, _colon, rest = line.partition(":")
    return head.strip(), rest.strip()


def without_count(heading: str) -> str:
    """ "Minions (12)" as "Minions"."""
    size = _SIZE_AFTER.search(heading)
    return heading[: size.start()] if size else heading


def readings(line: str) -> Iterator[Counted]:
    """Every way to read a tidy line, the safest first: all of it, without what is said of the set, sans comment."""
    for text in _with_and_without_comment(line):
        yield from _counted(text)
        for cut in _without_set(text):
            yield from (
                replace(cut, count=each.count, name=each.name, stated=each.stated) for each in _counted(cut.name)
            )
        if after := _count_after(text):
            yield from (replace(cut, count=after.count) for cut in _without_set(after.name))


def find_reading(line: str, accepts: Callable[[Counted], bool]) -> Counted | None:
    """The first way to read the line that `accepts` a card; only so many are tried."""
    return next((each for each in islice(readings(line), READINGS_PER_LINE) if accepts(each)), None)


def name_span(line: str) -> slice:
    """Where in a tidy line the name of a card probably stands when no card has it: without counts, set and comment."""
    *_longer, body = _with_and_without_comment(line)
    name = _without_bullet(body)
    for before in _counts_before(name):
        name = before.name
    start = len(body) - len(name)
    if after := _count_after(name):
        name = after.name
    shorter = [cut.name for cut in _without_set(name) if not cut.bare_code]
    return slice(start, start + len(shorter[-1] if shorter else name))


def is_plain_title(line: str) -> bool:
    """Whether a tidy line holds no count, colon or mark that could make it anything but a title."""
    whole = slice(0, len(line))
    return name_span(line) == unclear_number_span(line) == whole and ":" not in line and not is_comment(line)


def unclear_number_span(name: str) -> slice:
    """Where the name stands in "3. Name", "Name 3" or "Name - 3", whose number may be a count or not."""
    enumeration = _ENUMERATION.match(name)
    start = enumeration.end() if enumeration else 0
    kept = name.rstrip(_DIGITS)
    numbered = len(kept) < len(name) and kept.endswith(tuple(_SEPARATORS))
    stop = len(kept.rstrip(_SEPARATORS)) if numbered else len(name)
    return slice(start, max(start, stop))


def _with_and_without_comment(line: str) -> Iterator[str]:
    yield line
    for mark in _COMMENTS:
        before, found, _comment = line.partition(f" {mark}")
        if found:
            line = before
            yield line


def _counted(line: str) -> Iterator[Counted]:
    for text in dict.fromkeys((line, _without_bullet(line))):
        yield from _counts_before(text)
        yield Counted(1, text, stated=False)
        if after := _count_after(text):
            yield after


def _without_bullet(line: str) -> str:
    if number := _ITEM_NUMBER.match(line):
        return line[number.end() :]
    return line[2:] if line.startswith(_BULLETS) else line


def _counts_before(line: str) -> Iterator[Counted]:
    """ "3 Name" goes before "3 x Name": a name may begin with an x of its own."""
    for spelling in _COUNTS_BEFORE:
        if match := spelling.match(line):
            yield Counted(read_number(match[1]), line[match.end() :])


def _count_after(line: str) -> Counted | None:
    match = _COUNT_AFTER.search(line)
    if not match or match.start() == 0:
        return None
    return Counted(read_number(match[1] or match[2] or match[3]), line[: match.start()])


def _without_set(text: str) -> Iterator[Counted]:
    """ "Name (Set (Part)) 117 *F*" cut at its last brackets, then further left, so that the caller finds the name."""
    if foil := _FOIL.search(text):
        text = text[: foil.start()]
        yield Counted(1, text)
    cut = len(text)
    for _ in range(SET_CUTS):
        cut = max(text.rfind(" (", 0, cut), text.rfind(" [", 0, cut))
        if cut <= 0:
            break
        set_text = _bracketed(text[cut + 1 :])
        if set_text is not None:
            yield Counted(1, text[:cut], set_text)
    if code := _BARE_CODE.search(text):
        yield Counted(1, text[: code.start()], code[1], bare_code=True)


def _bracketed(tail: str) -> str | None:
    """What the first brackets of `tail` hold when only a number or more brackets follow; the last may be unclosed."""
    depths = accumulate((each in "([") - (each in ")]") for each in tail)
    place = next((place for place, depth in enumerate(depths) if depth == 0), len(tail))
    inside, rest = tail[1:place], tail[place + 1 :]
    closed = not rest or rest.startswith((" (", " [")) or _PRINT_NUMBER.fullmatch(rest)
    return inside if closed and not _SIZE_ONLY.fullmatch(inside) else None

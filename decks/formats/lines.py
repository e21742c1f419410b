"""One line of a pasted decklist: the ways in which players write a count and a name."""

import re
import unicodedata
from collections.abc import Callable, Iterator
from dataclasses import dataclass

MAX_COUNT = 999

_INVISIBLE = dict.fromkeys(map(ord, "\u200b\u200c\u200d\u2060\u00ad\ufeff\u200e\u200f"))
_COUNTS_BEFORE = (
    re.compile(r"([0-9]+) (?=.)"),
    re.compile(r"([0-9]+)(?: [xX×*] |[xX×*] ?+)(?=[^-–—])"),
    re.compile(r"[xX×*] ?([0-9]+) (?=.)"),
)
_COUNT_AFTER = re.compile(r" (?:[xX×*] ?([0-9]+)|\((?:[xX×] ?)?([0-9]+)\)|\[([0-9]+)\])$")
_SIZE_AFTER = re.compile(r" ?[(\[][0-9]+(?: cards?)?[)\]]$")
_BULLETS = ("- ", "* ", "• ", "· ", "– ")
_COMMENTS = ("//", "#")


@dataclass(frozen=True, slots=True)
class Counted:
    """A way to read a line: `count` copies of `name`; whether such a card exists is for the caller to see."""

    count: int
    name: str


def tidy(line: str) -> str:
    """The line with invisible characters gone and every run of space-like or control characters made one space."""
    visible = line.translate(_INVISIBLE)
    spaced = "".join(" " if unicodedata.category(each)[0] in "ZC" else each for each in visible)
    return " ".join(spaced.split())


def is_comment(line: str) -> bool:
    """Whether the whole (tidy) line is a comment."""
    return line.startswith(_COMMENTS)


def split_heading(line: str) -> tuple[str, str]:
    """The line parted at its first colon: what may be a heading, and the rest ("" without colon or rest)."""
    head, _colon, rest = line.partition(":")
    return head.strip(), rest.strip()


def without_count(heading: str) -> str:
    """ "Minions (12)" as "Minions"."""
    size = _SIZE_AFTER.search(heading)
    return heading[: size.start()] if size else heading


def readings(line: str) -> Iterator[Counted]:
    """Every way to read a tidy line, the safest first: count before, bare name, count after; then sans comment."""
    yield from _counted(line)
    for mark in _COMMENTS:
        before, found, _comment = line.partition(f" {mark}")
        if found:
            yield from _counted(before)


def find_reading(line: str, is_name: Callable[[str], bool]) -> Counted | None:
    """The first way to read the line that gives the name of a card."""
    return next((each for each in readings(line) if is_name(each.name)), None)


def best_guess(line: str) -> Counted:
    """How the line was probably meant when no card has that name: with its counts and its comment taken off."""
    for mark in _COMMENTS:
        line = line.partition(f" {mark}")[0]
    guess = Counted(1, _without_bullet(line))
    for before in _counts_before(guess.name):
        guess = before
    return _count_after(guess.name) or guess


def _counted(line: str) -> Iterator[Counted]:
    for text in dict.fromkeys((line, _without_bullet(line))):
        yield from _counts_before(text)
        yield Counted(1, text)
        if after := _count_after(text):
            yield after


def _without_bullet(line: str) -> str:
    return line[2:] if line.startswith(_BULLETS) else line


def _counts_before(line: str) -> Iterator[Counted]:
    """ "3 Name" goes before "3 x Name": a name may begin with an x of its own."""
    for spelling in _COUNTS_BEFORE:
        if match := spelling.match(line):
            yield Counted(_number(match[1]), line[match.end() :])


def _count_after(line: str) -> Counted | None:
    match = _COUNT_AFTER.search(line)
    if not match or match.start() == 0:
        return None
    return Counted(_number(match[1] or match[2] or match[3]), line[: match.start()])


def _number(digits: str) -> int:
    """The number, or one more than is allowed when it has absurdly many digits."""
    return int(digits) if len(digits) <= 6 else MAX_COUNT + 1

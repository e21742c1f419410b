"""A pile of cards as people type it: one card a line, with its number of copies before or behind the name."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from django import forms
from django.utils.translation import gettext

MAX_COPIES = 30
MAX_TEXT = 20_000
MAX_OFFERS = 20
"""For so many lines names are offered at once: looking for a near one takes its time."""
BEFORE = re.compile(r"\+?\s*(\d{1,3})\s*[x×*]?\s+(.+)")
BEHIND = re.compile(r"(.+?)\s*[x×*]\s*(\d{1,3})")

Find = Callable[[str], str | None]
Near = Callable[[str], Sequence[str]]


@dataclass(frozen=True, slots=True)
class PileLine:
    """A line of a pile: how many copies of which card; `name` None where no card is called so."""

    number: int
    text: str
    copies: int
    name: str | None


@dataclass(frozen=True, slots=True)
class Offer:
    """A line that names no card, with the names it may mean."""

    line: PileLine
    names: Sequence[str]


@dataclass(frozen=True, slots=True)
class Pile:
    """The lines of a pile in the order they were typed."""

    lines: tuple[PileLine, ...]

    @property
    def names(self) -> list[str]:
        """Every card that is known, once a copy."""
        return [line.name for line in self.lines if line.name for _copy in range(line.copies)]

    @property
    def unknown(self) -> list[PileLine]:
        return [line for line in self.lines if line.name is None]


def read_pile(text: str, find: Find) -> Pile:
    """The pile in a text: “Kidney”, “3 Kidney”, “3x Kidney” or “Kidney x3” a line; commas and semicolons part too.

    What is longer than `MAX_TEXT`, which `PileField` refuses, is not read to its end.
    """
    typed = [each.strip() for each in re.split(r"[\r\n;,]+", text[:MAX_TEXT])]
    return Pile(tuple(_read_line(number, each, find) for number, each in enumerate(filter(None, typed), 1)))


def _read_line(number: int, text: str, find: Find) -> PileLine:
    if (name := find(text)) is not None:
        return PileLine(number, text, 1, name)
    before, behind = BEFORE.fullmatch(text), BEHIND.fullmatch(text)
    copies, bare = 1, text
    if before:
        copies, bare = int(before[1]), before[2]
    elif behind:
        copies, bare = int(behind[2]), behind[1]
    return PileLine(number, bare, max(1, min(copies, MAX_COPIES)), find(bare))


def write_pile(names: Iterable[str]) -> str:
    """The names as a text that reads the same, alike ones on one line."""
    return "\n".join(_written(name, copies) for name, copies in Counter(names).items())


def _written(name: str, copies: int) -> str:
    return f"{copies} {name}" if copies > 1 else name


def replace_line(text: str, number: int, name: str, find: Find) -> str:
    """The text with the card of that name in place of the n-th line; one that is too long stays as it is."""
    if len(text) > MAX_TEXT:
        return text
    lines = read_pile(text, find).lines
    return "\n".join(_written(name if line.number == number else line.name or line.text, line.copies) for line in lines)


class PileField(forms.CharField):
    """A pile in a text area; `cleaned_data` holds the names. What names no card is refused, and nothing is lost."""

    def __init__(self, find: Find, label: str, help_text: str = "", **attrs: str) -> None:
        widget = forms.Textarea(
            attrs={"rows": 6, "data-pile": "", "autocapitalize": "none", "spellcheck": "false", **attrs}
        )
        super().__init__(required=False, max_length=MAX_TEXT, label=label, help_text=help_text, widget=widget)
        self.find = find

    def clean(self, value: object) -> list[str]:
        """The names, one a copy."""
        pile = read_pile(super().clean(value), self.find)
        if pile.unknown:
            lines = ", ".join(f"“{line.text[:40]}”" for line in pile.unknown[:5])
            raise forms.ValidationError(gettext("No card has this name: %(lines)s.") % {"lines": lines})
        return pile.names


def offers_for(text: str, find: Find, near: Near) -> list[Offer]:
    """For each of the first lines that name no card the names it may mean."""
    return [Offer(line, near(line.text)) for line in read_pile(text, find).unknown[:MAX_OFFERS]]

"""The decklist: how many of which card in which section, whatever the order it was written in."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from rules_engine.cards import normalise_name

Section: TypeAlias = str
MAIN: Section = "main"


@dataclass(frozen=True, slots=True)
class DeckEntry:
    """`count` (1 or more) copies of the card `name` in `section`."""

    name: str
    count: int
    section: Section = MAIN

    def __post_init__(self) -> None:
        if self.count < 1:
            raise ValueError(f"a deck entry counts 1 or more, not {self.count}")


@dataclass(frozen=True, slots=True)
class Decklist:
    """Entries added up per section and card and put in order, so that equal decks compare equal."""

    entries: tuple[DeckEntry, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "entries", tuple(_merge(self.entries)))

    def counts(self) -> dict[Section, int]:
        """Cards per section, only for sections that hold any."""
        counts: dict[Section, int] = {}
        for entry in self.entries:
            counts[entry.section] = counts.get(entry.section, 0) + entry.count
        return counts

    def copies(self, sections: Iterable[Section]) -> Mapping[str, DeckEntry]:
        """Copies of each card over `sections` together, by normalised name."""
        wanted = set(sections)
        copies: dict[str, DeckEntry] = {}
        for entry in self.entries:
            if entry.section in wanted:
                key = normalise_name(entry.name)
                before = copies[key].count if key in copies else 0
                copies[key] = DeckEntry(entry.name, before + entry.count, entry.section)
        return copies


def _merge(entries: Iterable[DeckEntry]) -> Iterator[DeckEntry]:
    merged: dict[tuple[Section, str], DeckEntry] = {}
    for entry in entries:
        key = (entry.section, normalise_name(entry.name))
        known = merged.get(key)
        if known is None:
            merged[key] = entry
        else:
            merged[key] = DeckEntry(min(known.name, entry.name), known.count + entry.count, entry.section)
    return iter(merged[key] for key in sorted(merged))

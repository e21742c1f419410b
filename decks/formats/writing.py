"""What the writers of all formats share: the sections of a deck in order, and counts that the readers take."""

from collections.abc import Iterable, Iterator

from decks.formats.limits import MAX_COUNT
from rules_engine.decklist import DeckEntry, Decklist
from rules_engine.game import GameFormat, SectionRule


def sections_of(decklist: Decklist, game_format: GameFormat) -> Iterator[tuple[SectionRule, list[DeckEntry]]]:
    """The sections that hold cards, in the order of the format, with their entries; unknown sections come last."""
    known = {rule.key for rule in game_format.sections}
    strays = dict.fromkeys(entry.section for entry in decklist.entries if entry.section not in known)
    for rule in (*game_format.sections, *(SectionRule(key, key, ()) for key in strays)):
        entries = [entry for entry in decklist.entries if entry.section == rule.key]
        if entries:
            yield rule, entries


def portions(entries: Iterable[DeckEntry]) -> Iterator[DeckEntry]:
    """The entries, large counts cut into as many of at most 999 as are needed."""
    for entry in entries:
        for taken in range(0, entry.count, MAX_COUNT):
            yield DeckEntry(entry.name, min(MAX_COUNT, entry.count - taken), entry.section)

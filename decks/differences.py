"""What changed between two decklists, card by card."""

from dataclasses import dataclass

from rules_engine.cards import normalise_name
from rules_engine.decklist import DeckEntry, Decklist, Section


@dataclass(frozen=True, slots=True)
class CardDifference:
    """A card of which the new list holds another number of copies in `section` than the old one."""

    section: Section
    name: str
    before: int
    after: int

    @property
    def change(self) -> int:
        """Copies put in, or taken out (negative)."""
        return self.after - self.before

    @property
    def taken(self) -> int:
        """Copies taken out, or put in (negative)."""
        return -self.change


def compare_decklists(old: Decklist, new: Decklist) -> tuple[CardDifference, ...]:
    """Every difference, by section and name; a card that moved is taken out here and put in there."""
    before, after = _by_card(old), _by_card(new)
    found = []
    for key in sorted(before.keys() | after.keys()):
        was, now = before.get(key), after.get(key)
        count_before, count_after = was.count if was else 0, now.count if now else 0
        if count_before != count_after:
            entry = now or was
            found.append(CardDifference(key[0], entry.name if entry else "", count_before, count_after))
    return tuple(found)


def _by_card(decklist: Decklist) -> dict[tuple[Section, str], DeckEntry]:
    return {(entry.section, normalise_name(entry.name)): entry for entry in decklist.entries}

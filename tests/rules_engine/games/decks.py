"""Decks generated from the catalogue (nobody's published lists) and what a verdict says of them, for tests of games."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date

from rules_engine.cards import CardFacts, index_cards, normalise_name
from rules_engine.decklist import DeckEntry, Decklist
from rules_engine.game import GameFormat, GameSystem
from rules_engine.legality import check_decklist
from rules_engine.legality_report import LegalityReport

Copies = tuple[str, int]
Found = tuple[str, str, list[tuple[str, int, int]]]


@dataclass(frozen=True, slots=True)
class Bench:
    """One format on one day, and the cards it judges by."""

    system: GameSystem
    game_format: GameFormat
    day: date

    def judge(
        self,
        entries: Iterable[DeckEntry],
        variant: str = "",
        day: date | None = None,
        strangers: Iterable[CardFacts] = (),
    ) -> LegalityReport:
        """The verdict on `entries`; `strangers` are cards known beyond those that ship."""
        cards = index_cards((*self.system.shipped_cards, *strangers))
        lists = self.game_format.card_lists
        return check_decklist(Decklist(tuple(entries)), self.game_format, cards, day or self.day, lists, variant)

    def ordinary(self, *types: str) -> list[str]:
        """Cards of `types` that no list names and that state no limit of their own, in the order of the file."""
        listed = {name for card_list in self.game_format.card_lists for name in card_list.limits}
        limits = {getattr(rule, "own_text_field", "") for rule in self.game_format.constraints} - {""}
        return [
            card.name
            for card in self.system.shipped_cards
            if card.type in types and normalise_name(card.name) not in listed and not limits & set(card.fields)
        ]


def fill(names: Iterable[str], size: int, copies: int, section: str = "main") -> Iterator[DeckEntry]:
    """`size` cards, so many copies of each name until that is reached."""
    for name in names:
        if size > 0:
            yield DeckEntry(name, min(size, copies), section)
            size -= copies
    assert size <= 0, "too few names"


def breaches(report: LegalityReport) -> list[Found]:
    """Rule, section and cards (name, found, allowed) of each violation, in order."""
    return [
        (each.rule, each.section, [(card.name, card.found, card.allowed) for card in each.cards])
        for each in report.violations
    ]


def rules(report: LegalityReport) -> list[str]:
    """The rules broken, in order."""
    return [violation.rule for violation in report.violations]


def in_lines(entries: Iterable[DeckEntry]) -> list[DeckEntry]:
    """The same deck with each copy on a line of its own, every second one in other letter case."""
    copies = [(each, index) for each in entries for index in range(each.count)]
    return [DeckEntry(each.name.swapcase() if index % 2 else each.name, 1, each.section) for each, index in copies]

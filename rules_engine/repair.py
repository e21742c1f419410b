"""The smallest change of cards that makes a decklist legal."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date

from rules_engine.cards import CardFacts
from rules_engine.constraints import CardList
from rules_engine.decklist import Decklist, Section
from rules_engine.game import GameFormat
from rules_engine.legality import LegalityReport


@dataclass(frozen=True, slots=True)
class Change:
    """Put in `change` copies of `card` (take out when negative) in `section`; `card` None is any legal card."""

    card: str | None
    section: Section
    change: int


@dataclass(frozen=True, slots=True)
class Verdict:
    """The judgement of a decklist: the report, and the smallest repair.

    `repair` is () for a legal deck, None when no change makes it legal or when there was nothing to check.
    """

    report: LegalityReport
    repair: tuple[Change, ...] | None


def repair_decklist(
    decklist: Decklist,
    game_format: GameFormat,
    cards: Mapping[str, CardFacts],
    on_date: date,
    card_lists: Iterable[CardList] = (),
    variant: str = "",
) -> tuple[Change, ...] | None:
    """The smallest set of changes after which `check_decklist` finds the deck legal; None when there is none."""
    raise NotImplementedError

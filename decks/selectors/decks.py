"""Answers about the decks of an actor; who may open which is said in `decks.permissions`."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date

from django.db.models import OuterRef, QuerySet, Subquery
from django.utils.translation import gettext as _

from accounts.actors import Actor
from decks.differences import CardDifference, compare_decklists
from decks.models import Deck, DeckVersion
from decks.permissions import decks_of, may_see_version
from decks.selectors.cards import cards_of
from decks.selectors.legality import Rules, rules_at
from rules_engine.cards import CardFacts
from rules_engine.decklist import Decklist
from rules_engine.errors import NotFound, needed
from rules_engine.game import GameSystem
from rules_engine.legality_report import LegalityReport
from rules_engine.systems import get_system


@dataclass(frozen=True, slots=True)
class DeckRow:
    """An own deck in the list: its newest version, if it has one, and today's verdict on it.

    `report` is None where there is no version or the game or format is not known here any more.
    """

    deck: Deck
    system: GameSystem | None
    format_name: str
    version: DeckVersion | None
    report: LegalityReport | None

    @property
    def size(self) -> int:
        """How many cards the deck has in all its sections."""
        return sum(self.report.counts.values()) if self.report else 0


@dataclass(frozen=True, slots=True)
class VersionRow:
    """A version in the history with what it changed; `earlier` is False for the first one that is shown."""

    version: DeckVersion
    changes: tuple[CardDifference, ...]
    earlier: bool


def list_decks(actor: Actor) -> QuerySet[Deck]:
    """The actor's decks, the one saved last first, each with the id of its `newest` version."""
    newest = DeckVersion.objects.filter(deck=OuterRef("pk")).order_by("-number")
    decks = decks_of(actor).annotate(
        newest=Subquery(newest.values("pk")[:1]), saved_at=Subquery(newest.values("created_at")[:1])
    )
    return decks.order_by("game", "format", "-saved_at", "-created_at", "-pk")


def deck_rows(decks: Iterable[Deck], on_date: date) -> list[DeckRow]:
    """Decks of `list_decks` as they stand on a day; queries grow with the formats among them, not with the decks."""
    decks = list(decks)
    shown = DeckVersion.objects.defer("source_text")
    versions = shown.in_bulk([each.newest for each in decks if each.newest])  # type: ignore[attr-defined]
    formats = {(each.game, each.format) for each in decks}
    rules = {key: found for key in formats if (found := _rules_or_none(*key, on_date))}
    cards = {game: cards_of(game) for game, _slug in rules}
    return [_row(each, versions.get(each.newest), rules, cards, on_date) for each in decks]  # type: ignore[attr-defined]


def _row(
    deck: Deck,
    version: DeckVersion | None,
    rules: Mapping[tuple[str, str], Rules],
    cards: Mapping[str, Mapping[str, CardFacts]],
    on_date: date,
) -> DeckRow:
    known = rules.get((deck.game, deck.format))
    if known is None:
        return DeckRow(deck, None, deck.format, version, None)
    report = None
    if version is not None:
        report = known.judge(version.decklist, cards[deck.game], on_date, repair=False).report
    return DeckRow(deck, get_system(deck.game), known.game_format.name, version, report)


def _rules_or_none(game: str, format_slug: str, on_date: date) -> Rules | None:
    try:
        return rules_at(game, format_slug, on_date)
    except NotFound:
        return None


def find_deck(actor: Actor, public_id: str) -> Deck:
    """An own deck; NotFound "not_found" for any other, whether it exists or not."""
    deck = decks_of(actor).filter(public_id=public_id).first()
    return needed(deck, NotFound("not_found", _("There is nothing here.")))


def newest_version(actor: Actor, deck: Deck) -> DeckVersion | None:
    """The newest version of an own deck; None while it is empty."""
    return next(iter(_shown(actor, deck, deck.versions.order_by("-number")[:1])), None)


def find_version(actor: Actor, deck: Deck, number: int) -> DeckVersion:
    """A version of an own deck; NotFound "not_found" also for one that is older than the actor's link or account."""
    found = next(iter(_shown(actor, deck, deck.versions.filter(number=number))), None)
    return needed(found, NotFound("not_found", _("There is nothing here.")))


def versions_of(actor: Actor, deck: Deck) -> list[DeckVersion]:
    """The versions of an own deck that the actor is shown, the newest first; their texts are not loaded."""
    return list(_shown(actor, deck, deck.versions.order_by("-number").defer("source_text")))


def history_of(versions: Iterable[DeckVersion]) -> list[VersionRow]:
    """Versions, the newest first, each with what it changed against the one after it in the list."""
    versions = list(versions)
    earlier: list[DeckVersion | None] = [*versions[1:], None]
    return [_version_row(each, before) for each, before in zip(versions, earlier, strict=True)]


def _version_row(version: DeckVersion, before: DeckVersion | None) -> VersionRow:
    changes = compare_decklists(before.decklist if before else Decklist(), version.decklist)
    return VersionRow(version, changes, before is not None)


def _shown(actor: Actor, deck: Deck, versions: Iterable[DeckVersion]) -> Iterator[DeckVersion]:
    for version in versions:
        version.deck = deck
        if may_see_version(actor, version):
            yield version

"""Services that fill the catalogue: what ships with each game, and an organiser's own card file."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.utils.text import slugify

from decks.digests import digest_of_cards, digest_of_list
from decks.models import MAX_SLUG_LENGTH, Card, CardList, CardListEntry, CardSet, new_catalogue_version
from journal.transactions import in_transaction
from rules_engine import constraints
from rules_engine.cards import CardFacts, normalise_name
from rules_engine.catalogue import RowProblem, read_cards
from rules_engine.errors import DomainError
from rules_engine.game import GameFormat, GameSystem
from rules_engine.systems import get_system, list_systems


@dataclass(frozen=True, slots=True)
class Change:
    """What storing cards did or would do: numbers of cards."""

    added: int = 0
    changed: int = 0
    removed: int = 0
    unchanged: int = 0


@dataclass(frozen=True, slots=True)
class ImportReport:
    """The outcome of an import: with problems nothing was stored."""

    card_set: str
    change: Change
    problems: tuple[RowProblem, ...]


@dataclass(frozen=True, slots=True)
class CatalogueCounts:
    """What the catalogue holds of one game after loading."""

    game: str
    cards: int
    card_lists: int


@in_transaction
def load_catalogues(now: datetime, systems: Sequence[GameSystem] | None = None) -> tuple[CatalogueCounts, ...]:
    """Bring cards and card lists that ship with the games into the database; safe to run again and again.

    A card that an organiser imported under the same name stays as imported.
    """
    counts = []
    for system in list_systems() if systems is None else systems:
        for shipped in system.shipped:
            card_set = CardSet(game=system.slug, slug=shipped.slug, name=shipped.name, sample=shipped.sample)
            _load_shipped(card_set, shipped.cards, now)
        for game_format in system.formats:
            _load_lists(system, game_format)
        cards, lists = Card.objects.filter(game=system.slug), CardList.objects.filter(game=system.slug)
        counts.append(CatalogueCounts(system.slug, cards.count(), lists.count()))
    return tuple(counts)


@in_transaction
def import_cards(game: str, set_name: str, text: str, now: datetime, dry_run: bool = False) -> ImportReport:
    """Make the CSV `text` the cards of the set `set_name`, or report every bad row and store nothing.

    Cards of that set which the file does not name are removed; a sample card of the same name gives way. DomainError
    `no_cards` for a game without cards, `bad_set_name` for a name without a letter or digit or that of a shipped set.
    """
    system = get_system(game)
    if not system.card_schema.types:
        raise DomainError("no_cards", f"{system.name} has no cards.", game=game)
    card_set = _own_set(system, set_name)
    reading = read_cards(text, system.card_schema, [card_set.slug], _taken_names(card_set))
    if reading.problems:
        return ImportReport(card_set.slug, Change(), reading.problems)
    change = _compare(card_set, reading.cards)
    if not dry_run:
        _store(card_set, reading.cards, now)
    return ImportReport(card_set.slug, change, ())


def _own_set(system: GameSystem, name: str) -> CardSet:
    slug = slugify(name)[:MAX_SLUG_LENGTH]
    if not slug or slug in {shipped.slug for shipped in system.shipped}:
        raise DomainError("bad_set_name", f"“{name}” cannot be the name of a set of your own.", name=name)
    return CardSet(game=system.slug, slug=slug, name=name.strip())


def _taken_names(card_set: CardSet) -> dict[str, str]:
    """Names that another set holds, samples aside, each with the name of that set."""
    others = Card.objects.filter(game=card_set.game, card_set__sample=False).exclude(card_set__slug=card_set.slug)
    return dict(others.values_list("normalised_name", "card_set__name"))


def _compare(card_set: CardSet, cards: Sequence[CardFacts]) -> Change:
    stored = {
        card.normalised_name: card for card in Card.objects.filter(game=card_set.game, card_set__slug=card_set.slug)
    }
    new = {normalise_name(card.name): card for card in cards}
    same = sum(1 for key in new.keys() & stored.keys() if _is_same(stored[key], new[key]))
    return Change(
        added=len(new.keys() - stored.keys()),
        changed=len(new.keys() & stored.keys()) - same,
        removed=len(stored.keys() - new.keys()),
        unchanged=same,
    )


def _is_same(stored: Card, new: CardFacts) -> bool:
    return (stored.name, stored.card_type, stored.facts) == (new.name, new.type, dict(new.fields))


def _load_shipped(card_set: CardSet, cards: Sequence[CardFacts], now: datetime) -> None:
    stored = CardSet.objects.filter(game=card_set.game, slug=card_set.slug).first()
    if stored and stored.digest == digest_of_cards(cards):
        return
    others = Card.objects.filter(game=card_set.game).exclude(card_set__slug=card_set.slug)
    taken = set(others.values_list("normalised_name", flat=True))
    _store(card_set, [card for card in cards if normalise_name(card.name) not in taken], now, digest_of_cards(cards))


def _store(card_set: CardSet, cards: Sequence[CardFacts], now: datetime, digest: str = "") -> None:
    """Write a set and its cards, and renew the version of the game's cards for every process."""
    facts = {
        "name": card_set.name,
        "sample": card_set.sample,
        "digest": digest or digest_of_cards(cards),
        "loaded_at": now,
    }
    stored, _created = CardSet.objects.update_or_create(game=card_set.game, slug=card_set.slug, defaults=facts)
    rows = [_card_row(stored, card) for card in cards]
    stored.cards.exclude(normalised_name__in=[row.normalised_name for row in rows]).delete()
    Card.objects.bulk_create(
        rows,
        batch_size=100,
        update_conflicts=True,
        unique_fields=["game", "normalised_name"],
        update_fields=["card_set", "name", "card_type", "facts"],
    )
    CardSet.objects.filter(game=card_set.game).update(catalogue_version=new_catalogue_version())


def _card_row(card_set: CardSet, card: CardFacts) -> Card:
    return Card(
        card_set=card_set,
        game=card_set.game,
        name=card.name,
        normalised_name=normalise_name(card.name),
        card_type=card.type,
        facts=dict(card.fields),
    )


def _load_lists(system: GameSystem, game_format: GameFormat) -> None:
    names = {normalise_name(card.name): card.name for card in system.shipped_cards}
    for card_list in game_format.card_lists:
        key: dict[str, Any] = {
            "game": system.slug,
            "format": game_format.slug,
            "slug": card_list.slug,
            "valid_from": card_list.valid_from,
        }
        digest = digest_of_list(card_list)
        stored = CardList.objects.filter(**key).first()
        if stored is None or stored.digest != digest:
            facts = {"name": card_list.name, "digest": digest}
            stored, _created = CardList.objects.update_or_create(**key, defaults=facts)
            _store_entries(stored, card_list, names)


def _store_entries(stored: CardList, card_list: constraints.CardList, names: dict[str, str]) -> None:
    stored.entries.all().delete()
    scopes = {"": card_list.limits, **card_list.by_variant}
    CardListEntry.objects.bulk_create(
        CardListEntry(card_list=stored, name=names[key], normalised_name=key, variant=variant, max_copies=copies)
        for variant, limits in scopes.items()
        for key, copies in limits.items()
    )

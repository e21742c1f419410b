"""What ships with each game gets into the catalogue; samples are hidden, sets of the site's own removed."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.utils.translation import gettext as _

from decks.digests import digest_of_cards, digest_of_list
from decks.models import Card, CardList, CardListEntry, CardSet, new_catalogue_version
from journal.ledger.chain import Subject
from journal.ledger.services import record
from journal.transactions import in_transaction
from rules_engine import constraints
from rules_engine.cards import CardFacts, normalise_name
from rules_engine.errors import DomainError, NotFound
from rules_engine.game import GameFormat, GameSystem
from rules_engine.systems import get_system, list_systems

ADMIN = "admin"
MAX_STREAM_LENGTH = 40


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
        _load_sets(system, now)
        for game_format in system.formats:
            _load_lists(system, game_format)
        cards, lists = Card.objects.filter(game=system.slug), CardList.objects.filter(game=system.slug)
        counts.append(CatalogueCounts(system.slug, cards.count(), lists.count()))
    return tuple(counts)


def stream_of(game: str) -> str:
    """The ledger stream of a game's catalogue; games' slugs longer than a stream's name are cut."""
    return f"cards:{game}"[:MAX_STREAM_LENGTH]


@in_transaction
def hide_samples(actor: str, game: str, now: datetime) -> None:
    """Take the sample cards of a game away until `show_samples`; loading what ships does not bring them back.

    DomainError `only_samples` while the game has no other cards.
    """
    if not Card.objects.filter(game=game, card_set__sample=False).exists():
        raise DomainError("only_samples", _("Import your own cards before you hide the samples."))
    samples = CardSet.objects.filter(game=game, sample=True, hidden_at=None)
    Card.objects.filter(card_set__in=samples).delete()
    if samples.update(hidden_at=now):
        _renew_version(game)
        record(stream_of(game), "cards.samples_hidden", actor, ADMIN, now, {"game": game})


@in_transaction
def show_samples(actor: str, game: str, now: datetime) -> None:
    """Bring the sample cards of a game back, but for names that cards of one's own bear."""
    system = get_system(game)
    if CardSet.objects.filter(game=game, sample=True).exclude(hidden_at=None).update(hidden_at=None, digest=""):
        _load_sets(system, now)
        record(stream_of(game), "cards.samples_shown", actor, ADMIN, now, {"game": game})


@in_transaction
def remove_set(actor: str, game: str, slug: str, now: datetime) -> None:
    """Remove a set of the site's own with its cards. NotFound `unknown_set`, also for a set that ships."""
    shipped = {each.slug for each in get_system(game).shipped}
    card_set = CardSet.objects.filter(game=game, slug=slug).exclude(slug__in=shipped).first()
    if card_set is None:
        raise NotFound("unknown_set", _("There is no such set of your own."))
    removed = card_set.cards.count()
    card_set.delete()
    _renew_version(game)
    subjects: dict[str, Subject] = {"game": game, "sets": slug, "removed": removed}
    record(stream_of(game), "cards.set_removed", actor, ADMIN, now, subjects)


def _load_sets(system: GameSystem, now: datetime) -> None:
    for shipped in system.shipped:
        card_set = CardSet(game=system.slug, slug=shipped.slug, name=shipped.name, sample=shipped.sample)
        _load_shipped(card_set, shipped.cards, now)


def _load_shipped(card_set: CardSet, cards: Sequence[CardFacts], now: datetime) -> None:
    stored = CardSet.objects.filter(game=card_set.game, slug=card_set.slug).first()
    if stored and (stored.hidden_at or stored.digest == digest_of_cards(cards)):
        return
    others = Card.objects.filter(game=card_set.game).exclude(card_set__slug=card_set.slug)
    taken = set(others.values_list("normalised_name", flat=True))
    store_cards(
        card_set, [card for card in cards if normalise_name(card.name) not in taken], now, digest_of_cards(cards)
    )


def store_cards(card_set: CardSet, cards: Sequence[CardFacts], now: datetime, digest: str = "") -> None:
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
    _renew_version(card_set.game)


def _renew_version(game: str) -> None:
    CardSet.objects.filter(game=game).update(catalogue_version=new_catalogue_version())


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

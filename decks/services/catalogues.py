"""Services that fill the catalogue: what ships with each game, and the site's own card files."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any

from django.utils.text import slugify
from django.utils.translation import gettext as _

from decks.digests import digest_of, digest_of_cards, digest_of_list
from decks.models import MAX_SLUG_LENGTH, Card, CardList, CardListEntry, CardSet, new_catalogue_version
from decks.selectors.cards import count_naming
from journal.ledger.chain import Subject
from journal.ledger.services import record
from journal.transactions import in_transaction
from rules_engine import constraints
from rules_engine.cardfile import RowProblem, Unit
from rules_engine.cards import MAX_NAME_LENGTH, CardFacts, index_cards, normalise_name
from rules_engine.catalogue import CardSchema, CatalogueReading, Shelf, card_row, read_cards
from rules_engine.errors import Conflict, DomainError, NotFound
from rules_engine.game import GameFormat, GameSystem
from rules_engine.systems import get_system, list_systems

ADMIN = "admin"
MAX_STREAM_LENGTH = 40


@dataclass(frozen=True, slots=True)
class CardChange:
    """A card that is there already and reads otherwise: its name, and what differs as (column, before, after)."""

    name: str
    differences: tuple[tuple[str, str, str], ...]


@dataclass(frozen=True, slots=True)
class Change:
    """What storing cards did or would do, by name; cards that stay as they are count only."""

    added: tuple[str, ...] = ()
    changed: tuple[CardChange, ...] = ()
    removed: tuple[str, ...] = ()
    unchanged: int = 0

    @property
    def is_empty(self) -> bool:
        """Whether everything stays as it is."""
        return not (self.added or self.changed or self.removed)


@dataclass(frozen=True, slots=True)
class ImportReport:
    """The outcome of an import: with problems, counted in `unit`, nothing was stored.

    `card_sets` are the slugs of the sets the file fills; `decks` stored decks and `card_lists` name cards that go.
    `fingerprint` is equal for two imports that do the same.
    """

    card_set: str
    change: Change
    problems: tuple[RowProblem, ...] = ()
    unit: Unit = Unit.LINE
    card_sets: tuple[str, ...] = ()
    decks: int = 0
    card_lists: int = 0
    fingerprint: str = ""


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


@in_transaction
def import_cards(
    actor: str, game: str, set_name: str, text: str, now: datetime, dry_run: bool = False, expected: str = ""
) -> ImportReport:
    """Make the CSV or JSON `text` the cards of the sets it names, or report every bad row and store nothing.

    Rows without a set belong to `set_name`, a set of the site's own. Cards of those sets which the file does not name
    are removed; a sample card of the same name gives way. DomainError `no_cards` for a game without cards,
    `bad_set_name` for a name without a letter or digit or that of a shipped set; Conflict `import_changed` when
    `expected`, the fingerprint of a dry run, is no longer what the import would do.
    """
    system = get_system(game)
    if not system.card_schema.types:
        raise DomainError("no_cards", _("%(game)s has no cards.") % {"game": system.name}, game=game)
    card_set = _own_set(system, set_name)
    held = _held_cards(game)
    reading = read_cards(text, system.card_schema, _shelf(system, card_set, held))
    if reading.problems:
        return ImportReport(card_set.slug, Change(), reading.problems, reading.unit)
    report = _report(card_set, system, reading, held)
    if expected and expected != report.fingerprint:
        raise Conflict("import_changed", _("The import would now change other things. Check it again."))
    if not dry_run and not report.change.is_empty:
        _store_sets(card_set, reading.cards, now)
        _record_import(actor, game, report, now)
    return report


def _own_set(system: GameSystem, name: str) -> CardSet:
    slug = slugify(name)[:MAX_SLUG_LENGTH]
    if not slug or slug in {shipped.slug for shipped in system.shipped} or len(name.strip()) > MAX_NAME_LENGTH:
        template = _("Your own set can't be called “%(name)s”.")
        raise DomainError("bad_set_name", template % {"name": name}, name=name, field="set_name")
    return CardSet(game=system.slug, slug=slug, name=name.strip())


def _held_cards(game: str) -> dict[str, CardFacts]:
    return index_cards(card.as_facts() for card in Card.objects.filter(game=game).select_related("card_set"))


def _shelf(system: GameSystem, card_set: CardSet, held: Mapping[str, CardFacts]) -> Shelf:
    stored = dict(CardSet.objects.filter(game=system.slug).values_list("slug", "name"))
    return Shelf(
        {card_set.slug: card_set.name, **stored},
        held,
        frozenset(each.slug for each in system.shipped),
        frozenset(each.slug for each in system.shipped if each.sample),
    )


def _report(
    card_set: CardSet, system: GameSystem, reading: CatalogueReading, held: Mapping[str, CardFacts]
) -> ImportReport:
    sets = tuple(sorted({card.set_slug for card in reading.cards}))
    change = _compare(reading, {key: card for key, card in held.items() if card.set_slug in sets}, system.card_schema)
    decks, card_lists = count_naming(system.slug, change.removed)
    fingerprint = digest_of([sets, digest_of_cards(reading.cards), asdict(change)])
    return ImportReport(card_set.slug, change, (), reading.unit, sets, decks, card_lists, fingerprint)


def _compare(reading: CatalogueReading, stored: Mapping[str, CardFacts], schema: CardSchema) -> Change:
    new = {normalise_name(card.name): card for card in reading.cards}
    both = [(stored[key], card) for key, card in new.items() if key in stored]
    changed = tuple(_differences(old, card, schema) for old, card in both if old != card)
    return Change(
        added=tuple(card.name for key, card in new.items() if key not in stored),
        changed=changed,
        removed=tuple(card.name for key, card in stored.items() if key not in new),
        unchanged=len(both) - len(changed) + reading.repeated,
    )


def _differences(old: CardFacts, new: CardFacts, schema: CardSchema) -> CardChange:
    before, after = card_row(old, schema), card_row(new, schema)
    pairs = zip(schema.columns, before, after, strict=True)
    return CardChange(new.name, tuple((key, str(was), str(is_)) for key, was, is_ in pairs if was != is_))


def _store_sets(own: CardSet, cards: Sequence[CardFacts], now: datetime) -> None:
    for slug in sorted({card.set_slug for card in cards}):
        stored = CardSet.objects.filter(game=own.game, slug=slug).first() or own
        _store(stored, [card for card in cards if card.set_slug == slug], now)


def _record_import(actor: str, game: str, report: ImportReport, now: datetime) -> None:
    change = report.change
    numbers = {"added": len(change.added), "changed": len(change.changed), "removed": len(change.removed)}
    subjects: dict[str, Subject] = {"game": game, "sets": ", ".join(report.card_sets), **numbers}
    record(stream_of(game), "cards.imported", actor, ADMIN, now, subjects)


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

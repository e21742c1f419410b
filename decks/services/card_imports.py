"""A card file of the site's own, looked at and stored."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime

from django.utils.text import slugify
from django.utils.translation import gettext as _

from decks.digests import digest_of, digest_of_cards
from decks.models import MAX_SLUG_LENGTH, Card, CardSet
from decks.selectors.cards import count_naming
from decks.services.catalogues import ADMIN, store_cards, stream_of
from journal.ledger.chain import Subject
from journal.ledger.services import record
from journal.transactions import in_transaction
from rules_engine.cardfile import RowProblem, Unit
from rules_engine.cards import MAX_NAME_LENGTH, CardFacts, index_cards, normalise_name
from rules_engine.catalogue import CardSchema, CatalogueReading, Shelf, card_row, read_cards
from rules_engine.errors import Conflict, DomainError
from rules_engine.game import GameSystem
from rules_engine.systems import get_system


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
    held = index_cards(card.as_facts() for card in Card.objects.filter(game=game).select_related("card_set"))
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
        store_cards(stored, [card for card in cards if card.set_slug == slug], now)


def _record_import(actor: str, game: str, report: ImportReport, now: datetime) -> None:
    change = report.change
    numbers = {"added": len(change.added), "changed": len(change.changed), "removed": len(change.removed)}
    subjects: dict[str, Subject] = {"game": game, "sets": ", ".join(report.card_sets), **numbers}
    record(stream_of(game), "cards.imported", actor, ADMIN, now, subjects)

"""Decks: read what a player pasted, keep it in versions, judge a version."""

from dataclasses import asdict
from datetime import date, datetime

from django.utils.translation import gettext as _

from accounts.models import Person
from decks.digests import digest_of, digest_of_list
from decks.formats.reading import Reading
from decks.formats.registry import read_any, write
from decks.models import Deck, DeckVersion, LegalityCheck
from decks.selectors.legality import Pinned, judge_decklist, rules_at
from decks.selectors.settings import setting_of
from journal.services import record
from journal.transactions import in_transaction
from rules_engine.cards import MAX_NAME_LENGTH
from rules_engine.decklist import Decklist
from rules_engine.errors import DomainError
from rules_engine.repair import Verdict


def read_decklist(text: str, game: str, format_slug: str, file_name: str = "") -> Reading:
    """Read a decklist in whatever format against the cards of `game`: cards, problems with line numbers, notices.

    `file_name` helps to tell the format where the text alone does not. DomainError `no_decklists` when the format has
    no decks; NotFound for an unknown game or format.
    """
    setting = setting_of(game, format_slug)
    if not setting.game_format.checks_decks:
        raise DomainError("no_decklists", _("This game is played here without decklists."), game=game)
    return read_any(clean_text(text), setting, file_name)


def write_decklist(decklist: Decklist, key: str, game: str, format_slug: str, name: str = "") -> str:
    """The decklist in one of the export formats (`decks.formats.registry.EXPORTS`); NotFound `unknown_export`."""
    return write(decklist, key, setting_of(game, format_slug), name)


def clean_text(text: str) -> str:
    """The text without what no database can store (NUL and lone surrogates)."""
    return text.encode("utf-8", "ignore").decode("utf-8").replace("\x00", "")


@in_transaction
def save_deck_version(
    actor: str, owner: Person, game: str, format_slug: str, name: str, text: str, now: datetime, role: str = "owner"
) -> DeckVersion:
    """Keep what `text` says as the newest version of the owner's deck `name`, which is created on first use.

    `actor` is an `Actor.key`, `role` what the actor is to the deck; the rest as `save_version`.
    """
    key = {"owner": owner, "game": game, "format": format_slug, "name": deck_name(name), "hidden_at": None}
    read_cleanly(text, game, format_slug)
    deck, _created = Deck.objects.get_or_create(**key, defaults={"created_at": now})
    return save_version(actor, deck, text, now, role)


@in_transaction
def save_version(actor: str, deck: Deck, text: str, now: datetime, role: str = "owner") -> DeckVersion:
    """Keep what `text` says as the newest version of a deck.

    The same cards as in the newest version change nothing and give that version. Nothing is stored while a line is
    unread: DomainError `unread_lines`, with the numbers of those lines in `details["lines"]`.
    """
    decklist = read_cleanly(text, deck.game, deck.format).decklist
    deck = Deck.objects.select_for_update(of=("self",)).get(pk=deck.pk)
    newest = deck.versions.order_by("-number").first()
    if newest is not None and newest.decklist == decklist:
        return newest
    version = _add_version(deck, newest.number + 1 if newest else 1, decklist, text, now)
    subjects = {"deck": deck.pk, "version": version.pk, "number": version.number, "person": deck.owner_id}
    record(f"deck:{deck.public_id}", "deck.saved", actor, role, now, subjects)
    return version


def read_cleanly(text: str, game: str, format_slug: str) -> Reading:
    """A reading without problems; DomainError `unread_lines` otherwise."""
    reading = read_decklist(text, game, format_slug)
    if reading.problems:
        lines = [problem.line for problem in reading.problems]
        raise DomainError("unread_lines", _("Some lines of the decklist were not understood."), lines=lines)
    return reading


def deck_name(name: str) -> str:
    """The name a deck gets; DomainError `deck_name_too_long`."""
    name = clean_text(name).strip() or _("My deck")
    if len(name) > MAX_NAME_LENGTH:
        raise DomainError("deck_name_too_long", _("The name of the deck is too long."), limit=MAX_NAME_LENGTH)
    return name


def _add_version(deck: Deck, number: int, decklist: Decklist, text: str, now: datetime) -> DeckVersion:
    entries = [{"name": each.name, "count": each.count, "section": each.section} for each in decklist.entries]
    return DeckVersion.objects.create(
        deck=deck,
        number=number,
        entries=entries,
        digest=digest_of(entries),
        source_text=clean_text(text),
        created_at=now,
    )


@in_transaction
def freeze_version(version: DeckVersion, now: datetime) -> DeckVersion:
    """Mark that an event relies on this version; the first time counts, later ones change nothing."""
    DeckVersion.objects.filter(pk=version.pk, frozen_at=None).update(frozen_at=now)
    version.refresh_from_db(fields=["frozen_at"])
    return version


@in_transaction
def check_version(
    version: DeckVersion, on_date: date, now: datetime, variant: str = "", pinned: Pinned | None = None
) -> Verdict:
    """Judge a version as of `on_date` and keep the verdict with the versions of the lists that were in force."""
    deck = version.deck
    verdict = judge_decklist(version.decklist, deck.game, deck.format, on_date, variant, pinned)
    lists = list_references(deck.game, deck.format, on_date, pinned) if verdict.report.checked else []
    LegalityCheck.objects.create(
        version=version,
        format=deck.format,
        variant=verdict.report.variant,
        on_date=on_date,
        lists=lists,
        legal=verdict.report.legal,
        report=verdict.report.as_data(),
        repair=None if verdict.repair is None else [asdict(change) for change in verdict.repair],
        checked_at=now,
    )
    return verdict


def list_references(game: str, format_slug: str, on_date: date, pinned: Pinned | None = None) -> list[dict[str, str]]:
    """What is in force on that day as plain values to store, so that it can be pinned.

    Of each card list slug, valid_from and digest; of a house format also its slug and the `number` of its version.
    """
    rules = rules_at(game, format_slug, on_date, pinned)
    references = [
        {"slug": each.slug, "valid_from": each.valid_from.isoformat(), "digest": digest_of_list(each)}
        for each in rules.lists
    ]
    if version := rules.house_version:
        house = {"slug": format_slug, "number": str(version.number), "digest": digest_of(version.changes)}
        references.append({**house, "valid_from": version.valid_from.isoformat()})
    return references

"""Card lists that site admins write: drafted, held against the stored decks, announced, never changed afterwards."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime

from django.db import IntegrityError, transaction
from django.utils.text import slugify
from django.utils.translation import gettext as _

from accounts.actors import Actor
from decks.digests import digest_of_list
from decks.models import MAX_SLUG_LENGTH, CardList, CardListEntry
from decks.selectors.card_lists import takes_lists
from decks.selectors.cards import cards_of
from decks.selectors.legality import list_value
from decks.services.rechecks import start_recheck
from journal.ledger.services import record
from journal.transactions import in_transaction
from rules_engine.errors import Conflict, DomainError, NotFound
from rules_engine.systems import get_system

STREAM = "card-lists"
State = CardList.State


@dataclass(frozen=True, slots=True)
class ListDraft:
    """What an admin writes: `limits` by variant ("" is all) and normalised name, as `read_card_list` gives them.

    `slug` names the list of which this is the next version; "" begins a new list.
    """

    game: str
    game_format: str
    name: str
    valid_from: date
    limits: Mapping[str, Mapping[str, int | None]]
    slug: str = ""


@in_transaction
def draft_list(actor: Actor, draft: ListDraft, now: datetime) -> CardList:
    """Keep a new version of a list as a draft; it is in force nowhere.

    NotFound "unknown_game", "unknown_format"; DomainError "no_lists", "bad_list_name", "list_too_early",
    "list_on_that_day".
    """
    game_format = get_system(draft.game).get_format(draft.game_format)
    if not takes_lists(game_format):
        raise DomainError("no_lists", _("No rule of this format asks for card lists."), field="name")
    row = CardList(game=draft.game, format=draft.game_format, slug=_slug_of(draft), state=State.DRAFT)
    _write(row, draft, now)
    _record(actor, "list.drafted", row, now)
    return row


@in_transaction
def change_draft(actor: Actor, card_list: CardList, draft: ListDraft, now: datetime) -> CardList:
    """Write a draft anew; what re-checks found of the former words is dropped. Conflict "list_announced"."""
    row = _lock_draft(card_list)
    row.rechecks.all().delete()
    _write(row, draft, now)
    _record(actor, "list.draft_changed", row, now)
    return row


@in_transaction
def delete_draft(actor: Actor, card_list: CardList, now: datetime) -> None:
    """Throw a draft away. Conflict "list_announced"."""
    row = _lock_draft(card_list)
    _record(actor, "list.draft_deleted", row, now)
    row.delete()


@in_transaction
def announce_list(actor: Actor, card_list: CardList, now: datetime, seen: str) -> CardList:
    """Make a draft final: from its day on it is in force; all stored decks are judged anew in the background.

    `seen` is the digest that the admin looked at. Conflict "list_announced", "list_changed"; DomainError
    "list_too_early": nothing is announced for a day that has begun.
    """
    row = _lock_draft(card_list)
    if row.digest != seen:
        raise Conflict("list_changed", _("This draft has changed. Read it before you announce it."))
    _expect_later(row.valid_from, now)
    row.state, row.announced_at, row.announced_by = State.ANNOUNCED, now, actor.user
    row.save(update_fields=["state", "announced_at", "announced_by"])
    start_recheck(actor, row, now)
    _record(actor, "list.announced", row, now)
    return row


def _lock_draft(card_list: CardList) -> CardList:
    row = CardList.objects.select_for_update(of=("self",)).filter(pk=card_list.pk).prefetch_related("entries").first()
    if row is None:
        raise NotFound("no_list", _("There is no such card list."))
    if row.state != State.DRAFT:
        raise Conflict("list_announced", _("This list is announced and can't be changed."))
    return row


def _slug_of(draft: ListDraft) -> str:
    """The slug of the list continued, or a new one from the name; DomainError "bad_list_name" when it is taken."""
    stored = CardList.objects.filter(game=draft.game, format=draft.game_format)
    if draft.slug and stored.filter(slug=draft.slug).exists():
        return draft.slug
    slug = slugify(draft.name)[:MAX_SLUG_LENGTH]
    if not slug or stored.filter(slug=slug).exists():
        message = _("Choose a name that is new in this format, with a letter or digit.")
        raise DomainError("bad_list_name", message, field="name")
    return slug


def _write(row: CardList, draft: ListDraft, now: datetime) -> None:
    _expect_later(draft.valid_from, now)
    row.name, row.valid_from = draft.name.strip(), draft.valid_from
    try:
        with transaction.atomic():
            row.save()
    except IntegrityError as error:
        message = _("This list already has a version for that day.")
        raise Conflict("list_on_that_day", message, field="valid_from") from error
    names = cards_of(row.game)
    row.entries.all().delete()
    CardListEntry.objects.bulk_create(
        CardListEntry(card_list=row, name=names[key].name, normalised_name=key, variant=variant, max_copies=copies)
        for variant, limits in draft.limits.items()
        for key, copies in limits.items()
    )
    row.digest = digest_of_list(list_value(row))
    row.save(update_fields=["digest"])


def _expect_later(valid_from: date, now: datetime) -> None:
    if valid_from <= now.date():
        message = _("A list takes effect tomorrow at the earliest, so past decks keep their verdicts.")
        raise DomainError("list_too_early", message, field="valid_from")


def _record(actor: Actor, act: str, row: CardList, now: datetime) -> None:
    subjects: dict[str, str | int | None] = {
        "list": row.pk,
        "game": row.game,
        "format": row.format,
        "slug": row.slug,
        "valid_from": row.valid_from.isoformat(),
        "digest": row.digest,
    }
    record(STREAM, act, actor.key, "site_admin", now, subjects)

"""What owners do with their decks beside saving them: begin, rename, copy, go back to an old version, delete."""

from datetime import datetime

from django.db import IntegrityError, transaction
from django.db.models import ProtectedError
from django.utils.translation import gettext as _

from accounts.actors import Actor
from accounts.models import Person
from decks.models import Deck, DeckVersion
from decks.permissions import check_maker_of_link
from decks.selectors.legality import format_at
from decks.services.decks import deck_name, expect_room, save_version
from journal.ledger.services import record
from journal.transactions import in_transaction
from rules_engine.errors import Conflict, DomainError


@in_transaction
def create_deck(actor: Actor, owner: Person, game: str, format_slug: str, name: str, now: datetime) -> Deck:
    """An empty deck; DomainError `no_decklists` for a format without decks, `too_many_decks`, `deck_name_too_long`.

    NotFound for an unknown game or format; Conflict `deck_name_taken` when the owner has such a deck already;
    NotAllowed `issuer_plays` by a link that a rival made, which would not open the deck.
    """
    check_maker_of_link(actor)
    if not format_at(game, format_slug).checks_decks:
        raise DomainError("no_decklists", _("This game is played here without decklists."), game=game)
    expect_room(owner)
    deck = Deck(owner=owner, game=game, format=format_slug, name=deck_name(name), created_at=now)
    _store(deck)
    _record(deck, "deck.created", actor, now)
    return deck


@in_transaction
def rename_deck(actor: Actor, deck: Deck, name: str, now: datetime) -> Deck:
    """Give a deck another name; Conflict `deck_name_taken`, DomainError `deck_name_too_long`."""
    deck = Deck.objects.select_for_update(of=("self",)).get(pk=deck.pk)
    deck.name = deck_name(name)
    _store(deck)
    _record(deck, "deck.renamed", actor, now)
    return deck


@in_transaction
def copy_version(actor: Actor, version: DeckVersion, name: str, now: datetime) -> Deck:
    """A new deck of the same owner that begins with what a version held; errors as `create_deck`."""
    source = version.deck
    deck = create_deck(actor, source.owner, source.game, source.format, name, now)
    save_version(actor.key, deck, version.source_text, now)
    return deck


@in_transaction
def restore_version(actor: Actor, version: DeckVersion, now: datetime) -> DeckVersion:
    """Make what an old version held the newest version again; DomainError `unread_lines` if a card is gone."""
    return save_version(actor.key, version.deck, version.source_text, now)


@in_transaction
def delete_deck(actor: Actor, deck: Deck, now: datetime, *, even_registered: bool = False, role: str = "owner") -> bool:
    """Delete a deck with all its versions; where an event relies on one, only hide the deck. Answers if it is gone.

    `even_registered` of a player who is in no event any more: then only what names a version relies on it. `role` is
    what the actor is to the deck, for its log.
    """
    deck = Deck.objects.select_for_update(of=("self",)).get(pk=deck.pk)
    _record(deck, "deck.deleted", actor, now, role)
    was_registered = deck.versions.exclude(frozen_at=None).exists()
    gone = (even_registered or not was_registered) and _try_to_delete(deck)
    if not gone:
        deck.hidden_at = now
        deck.save(update_fields=["hidden_at"])
    return gone


def _try_to_delete(deck: Deck) -> bool:
    """Whether nothing else held on to it."""
    try:
        with transaction.atomic():
            deck.versions.all().delete()
            deck.delete()
    except ProtectedError:
        return False
    return True


def _store(deck: Deck) -> None:
    try:
        with transaction.atomic():
            deck.save()
    except IntegrityError as error:
        raise Conflict("deck_name_taken", _("You already have a deck of this name in this format.")) from error


def _record(deck: Deck, act: str, actor: Actor, now: datetime, role: str = "owner") -> None:
    subjects = {"deck": deck.pk, "person": deck.owner_id}
    record(f"deck:{deck.public_id}", act, actor.key, role, now, subjects)

"""House formats: what organisers make of shipped formats, in versions that are never changed."""

import secrets
from collections.abc import Mapping
from datetime import date, datetime
from typing import Any

from django.utils.translation import gettext as _

from accounts.actors import Actor
from accounts.http.wording import worded
from decks.models import CardSet, Deck, HouseFormat, HouseFormatVersion
from decks.selectors.cards import cards_of
from decks.selectors.house_formats import HOUSE_PREFIX
from journal.ledger.services import record
from journal.transactions import in_transaction
from rules_engine.cards import MAX_NAME_LENGTH
from rules_engine.errors import DomainError, NotAllowed
from rules_engine.house import changes_as_data, changes_from_data
from rules_engine.systems import get_system

SLUG_BYTES = 10


@in_transaction
def make_house_format(
    actor: Actor, game: str, base: str, name: str, changes: Mapping[str, Any], valid_from: date, now: datetime
) -> HouseFormat:
    """A format of the actor's own, made from the shipped format `base`; its first version holds from `valid_from` on.

    `changes` are values as `rules_engine.house.changes_from_data` reads them.

    NotAllowed "sign_in" without an account; NotFound "unknown_game", "unknown_format"; DomainError "bad_house_format"
    and "bad_format_name" naming the `field`, "too_early" for a day that is over.
    """
    if actor.user is None:
        raise NotAllowed("sign_in", _("Please sign in first."))
    if valid_from < now.date():
        raise DomainError("too_early", _("Choose today or a later day."), field="valid_from")
    data = _checked(game, base, changes)
    slug = f"{HOUSE_PREFIX}{secrets.token_hex(SLUG_BYTES)}"
    house = HouseFormat.objects.create(
        game=game, slug=slug, base=base, name=_name(name), owner=actor.user, created_at=now
    )
    _add_version(actor, house, 1, data, valid_from, now)
    return house


@in_transaction
def change_house_format(
    actor: Actor, house: HouseFormat, name: str, changes: Mapping[str, Any], valid_from: date, now: datetime
) -> HouseFormatVersion:
    """A new version of a house format; earlier ones stay as they are, and so does every verdict under them.

    The same changes from the same day on give the newest version as it is. DomainError "bad_house_format",
    "bad_format_name"; "too_early" for a day that is over, and for today once decks of the format are stored.
    """
    house = HouseFormat.objects.select_for_update(of=("self",)).get(pk=house.pk)
    _expect_later(house, valid_from, now)
    data, newest = _checked(house.game, house.base, changes), house.versions.order_by("-number")[0]
    if house.name != _name(name):
        house.name = _name(name)
        house.save(update_fields=["name"])
        record(house.slug, "house_format.renamed", actor.key, "owner", now, {"house_format": house.pk})
    if (newest.changes, newest.valid_from) == (data, valid_from):
        return newest
    return _add_version(actor, house, newest.number + 1, data, valid_from, now)


def _expect_later(house: HouseFormat, valid_from: date, now: datetime) -> None:
    if valid_from > now.date():
        return
    if valid_from < now.date():
        raise DomainError("too_early", _("Choose today or a later day."), field="valid_from")
    if Deck.objects.filter(game=house.game, format=house.slug).exists():
        message = _("Decks use this format: changes take effect tomorrow at the earliest.")
        raise DomainError("too_early", message, field="valid_from")


def _checked(game: str, base: str, changes: Mapping[str, Any]) -> dict[str, Any]:
    """The changes as stored, once they fit the base format and what the game has today."""
    known_sets = set(CardSet.objects.filter(game=game).values_list("slug", flat=True))
    game_format = get_system(game).get_format(base)
    try:
        return changes_as_data(changes_from_data(changes, game_format, known_sets, cards_of(game)))
    except DomainError as error:
        raise _translated(error) from error


def _translated(error: DomainError) -> DomainError:
    """A refusal of the rules engine in the language of whoever is refused."""
    return DomainError(error.code, worded(error.wording), **error.details)


def _name(name: str) -> str:
    name = name.strip()
    if not name or len(name) > MAX_NAME_LENGTH:
        raise DomainError("bad_format_name", _("Give the format a name."), field="name")
    return name


def _add_version(
    actor: Actor, house: HouseFormat, number: int, data: dict[str, Any], valid_from: date, now: datetime
) -> HouseFormatVersion:
    version = HouseFormatVersion.objects.create(
        house_format=house, number=number, valid_from=valid_from, changes=data, created_at=now
    )
    subjects: dict[str, str | int | None] = {
        "house_format": house.pk,
        "version": version.pk,
        "number": number,
        "valid_from": valid_from.isoformat(),
    }
    record(house.slug, "house_format.version_added", actor.key, "owner", now, subjects)
    return version

"""The decks that a player keeps and can register for an event."""

from dataclasses import dataclass
from datetime import datetime

from django.db.models import OuterRef, Subquery
from django.utils.translation import gettext as _

from accounts.actors import Actor
from accounts.identity.selectors import persons_of
from decks.models import Deck, DeckVersion
from rules_engine.errors import NotFound
from tournaments.models import Tournament
from tournaments.permissions import is_rivals_link


@dataclass(frozen=True, slots=True)
class OwnDeck:
    """A stored deck with its newest version, of which cards and text are not loaded."""

    deck: Deck
    version: DeckVersion


def own_decks(actor: Actor, tournament: Tournament) -> list[OwnDeck]:
    """The actor's decks of the event's game and format, the last changed first; two queries.

    Not the deleted ones. A link or account that came after a version was stored is not shown it, and a link nothing
    once its person has an account, nor one that another player of the event made (`may_see_own_list`).
    """
    if is_rivals_link(actor, tournament):
        return []
    newest = DeckVersion.objects.filter(deck=OuterRef("pk")).order_by("-number").values("pk")[:1]
    decks = Deck.objects.filter(owner__in=persons_of(actor), hidden_at=None)
    found = decks.filter(game=tournament.game, format=tournament.game_format)
    found = found.select_related("owner").annotate(newest=Subquery(newest)).exclude(newest=None)
    versions = DeckVersion.objects.defer("entries", "source_text").in_bulk([deck.newest for deck in found])
    own = [OwnDeck(deck, versions[deck.newest]) for deck in found]
    shown = [each for each in own if _came_before(actor, each)]
    return sorted(shown, key=lambda each: each.version.created_at, reverse=True)


def find_own_version(actor: Actor, tournament: Tournament, public_id: str) -> DeckVersion:
    """The newest version of one of these decks; NotFound "unknown_deck" for every other one."""
    for each in own_decks(actor, tournament):
        if each.deck.public_id == public_id:
            return each.version
    raise NotFound("unknown_deck", _("You have no such deck for this game and format."))


def _came_before(actor: Actor, own: OwnDeck) -> bool:
    access_since: datetime | None = own.deck.owner.linked_at if actor.user is not None else actor.link_issued_at
    return access_since is None or access_since <= own.version.created_at

"""Decks at an event: one's own, and those of players for judges."""

from typing import ClassVar

from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from decks.models import DeckVersion
from rules_engine.errors import NotAllowed, NotFound
from tournaments.api.edge import EventViewSet
from tournaments.api.serializers.decks import (
    DeckSerializer,
    ReadDeckSerializer,
    RegisterDeckSerializer,
    ReplaceDeckSerializer,
    ShownDeck,
)
from tournaments.models import EntryMember
from tournaments.permissions import may_see_own_list
from tournaments.selectors.decks import newest_check
from tournaments.services import deck_checks, decks


class DeckAudience(EventViewSet):
    """A resource whose answers show a deck: none is kept to be repeated to whoever lost the right to see it."""

    def answer_deck(self, deck: ShownDeck) -> Response:
        """The deck, shown this once."""
        response = self.answer(DeckSerializer, deck)
        response.is_secret = True  # type: ignore[attr-defined]
        return response


class OwnDeckViewSet(DeckAudience):
    """The caller's own deck at an event."""

    resource = "my_deck"
    access_rules: ClassVar = dict.fromkeys(("retrieve", "update"), "deck.own")

    @extend_schema(responses=DeckSerializer)
    def retrieve(self, request: Request, slug: str) -> Response:
        """Your registered deck and the newest verdict on it."""
        member = self.own_member()
        if member.deck_version is None:
            raise NotFound("no_deck", _("You have not registered a deck."))
        if not may_see_own_list(self.actor, member):
            raise NotAllowed(
                "later_link",
                _("The deck was registered before: a link or account that came later is not shown its list."),
            )
        return self.answer_deck(shown(member, member.deck_version))

    @extend_schema(request=RegisterDeckSerializer, responses=DeckSerializer)
    def update(self, request: Request, slug: str) -> Response:
        """Register your deck until the deadline; an illegal one is registered too, with its verdict."""
        values, member = self.read(RegisterDeckSerializer), self.own_member()
        deck = decks.register_deck(self.actor, member, values.get("name", ""), values["text"], self.now)
        return self.answer_deck(ShownDeck(deck.version, deck.verdict, self.now))


class EntryDeckViewSet(DeckAudience):
    """The deck of an entry, for judges."""

    resource = "entry_deck"
    access_rules: ClassVar = dict.fromkeys(("look", "update"), "deck.read")

    @extend_schema(request=ReadDeckSerializer, responses=DeckSerializer)
    def look(self, request: Request, slug: str, number: int) -> Response:
        """Read a player's deck as a judge. A POST, because the reading is written into the log.

        A judge who plays in the event too gives a reason.
        """
        reason = self.read(ReadDeckSerializer).get("reason", "")
        member = self.find_member()
        return self.answer_deck(shown(member, deck_checks.read_deck(self.actor, member, self.now, reason)))

    @extend_schema(request=ReplaceDeckSerializer, responses=DeckSerializer)
    def update(self, request: Request, slug: str, number: int) -> Response:
        """Register a deck for a player as a judge, also after the deadline; needs a reason."""
        values = self.read(ReplaceDeckSerializer)
        name, text, reason = values.get("name", ""), values["text"], values["reason"]
        deck = decks.replace_deck(self.actor, self.find_member(), name, text, reason, self.now)
        return self.answer_deck(ShownDeck(deck.version, deck.verdict, self.now))

    def find_member(self) -> EntryMember:
        """The first member of the entry in the address; NotFound "unknown_entry"."""
        members = EntryMember.objects.select_related("entry", "person", "tournament", "deck_version__deck")
        return members.get(entry=self.find_entry(), order=1)


def shown(member: EntryMember, version: DeckVersion) -> ShownDeck:
    """A member's registered deck as it is shown."""
    check = newest_check(member)
    return ShownDeck(version, check.as_verdict() if check else None, member.deck_registered_at)

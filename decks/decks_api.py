"""Own decks by API: the list, one deck, its versions, and what it looks like in other formats."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import Any, ClassVar

from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.exceptions import NotAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.viewsets import GenericViewSet

from accounts.actors import Actor
from accounts.api import actor_of
from accounts.paging import BoundedPagination
from accounts.selectors import persons_of
from accounts.services import person_of
from decks.formats.limits import MAX_BYTES
from decks.formats.registry import EXPORTS
from decks.models import MAX_SLUG_LENGTH, Deck, DeckVersion
from decks.selectors.decks import (
    deck_rows,
    find_deck,
    find_version,
    history_of,
    list_decks,
    newest_version,
    versions_of,
)
from decks.selectors.legality import judge_decklist
from decks.serializers import CardLineSerializer, ChangeSerializer, VerdictSerializer
from decks.services.decks import read_cleanly, save_version, write_decklist
from decks.services.own_decks import create_deck, delete_deck, rename_deck
from journal.clock import database_now
from journal.transactions import in_transaction
from rules_engine.cards import MAX_NAME_LENGTH
from rules_engine.repair import Verdict

EXPORT_KEYS = [each.key for each in EXPORTS]


@dataclass(frozen=True, slots=True)
class OwnDeck:
    """A deck with its newest version, if it has one, and today's verdict on it."""

    deck: Deck
    version: DeckVersion | None
    verdict: Verdict | None


class NewDeckSerializer(serializers.Serializer[Any]):
    """A new deck; without a text it begins empty."""

    game = serializers.CharField(max_length=MAX_SLUG_LENGTH)
    game_format = serializers.CharField(max_length=MAX_SLUG_LENGTH)
    name = serializers.CharField(max_length=MAX_NAME_LENGTH, required=False, allow_blank=True)
    text = serializers.CharField(max_length=MAX_BYTES, required=False, trim_whitespace=False)


class DeckChangesSerializer(serializers.Serializer[Any]):
    """Another name, another list, or both."""

    name = serializers.CharField(max_length=MAX_NAME_LENGTH, required=False)
    text = serializers.CharField(max_length=MAX_BYTES, required=False, trim_whitespace=False)


class DeckLineSerializer(serializers.Serializer[Any]):
    """An own deck in the list; `legal` is today's verdict, null where there is nothing to check."""

    id = serializers.CharField(source="deck.public_id")
    game = serializers.CharField(source="deck.game")
    game_format = serializers.CharField(source="deck.format")
    name = serializers.CharField(source="deck.name")
    version = serializers.IntegerField(source="version.number", default=None, allow_null=True)
    saved_at = serializers.DateTimeField(source="version.created_at", default=None, allow_null=True)
    legal = serializers.BooleanField(source="report.legal", default=None, allow_null=True)


class OwnDeckSerializer(serializers.Serializer[OwnDeck]):
    """An own deck: its newest version, and what is said of it today; all null while the deck is empty."""

    id = serializers.CharField(source="deck.public_id")
    game = serializers.CharField(source="deck.game")
    game_format = serializers.CharField(source="deck.format")
    name = serializers.CharField(source="deck.name")
    version = serializers.IntegerField(source="version.number", default=None, allow_null=True)
    saved_at = serializers.DateTimeField(source="version.created_at", default=None, allow_null=True)
    text = serializers.CharField(source="version.source_text", default=None, allow_null=True)
    cards = CardLineSerializer(source="version.decklist.entries", many=True, default=None, allow_null=True)
    verdict = VerdictSerializer(source="verdict.report", default=None, allow_null=True)
    repair = ChangeSerializer(source="verdict.repair", many=True, default=None, allow_null=True)


class DifferenceSerializer(serializers.Serializer[Any]):
    """A card of which a version holds another number of copies in a section than the one before."""

    section = serializers.CharField()
    name = serializers.CharField()
    before = serializers.IntegerField()
    after = serializers.IntegerField()


class VersionSerializer(serializers.Serializer[Any]):
    """A version of a deck and what it changed; `frozen_at` says since when an event relies on it."""

    version = serializers.IntegerField(source="version.number")
    saved_at = serializers.DateTimeField(source="version.created_at")
    frozen_at = serializers.DateTimeField(source="version.frozen_at", allow_null=True)
    cards = CardLineSerializer(source="version.decklist.entries", many=True)
    changes = DifferenceSerializer(many=True)


class ExportSerializer(serializers.Serializer[Any]):
    """A version of a deck written in one format."""

    format = serializers.ChoiceField(EXPORT_KEYS)
    media_type = serializers.CharField()
    extension = serializers.CharField()
    text = serializers.CharField()


class OwnDecksViewSet(GenericViewSet[Any]):
    """What every resource about own decks does; answers with a list are shown this once."""

    resource = "own_decks"
    pagination_class = BoundedPagination

    @property
    def actor(self) -> Actor:
        """Who calls."""
        return actor_of(self.request)

    @cached_property
    def now(self) -> datetime:
        """The database's time, read once a request."""
        return database_now()

    def read(self, serializer: type[serializers.Serializer[Any]]) -> dict[str, Any]:
        """The checked body of the request."""
        reader = serializer(data=self.request.data)
        reader.is_valid(raise_exception=True)
        return dict(reader.validated_data)

    def answer(self, serializer: type[serializers.Serializer[Any]], value: object) -> Response:
        """The answer that shows one value this once."""
        response = Response(serializer(value).data)
        response.is_secret = True  # type: ignore[attr-defined]
        return response

    def answer_page(self, serializer: type[serializers.Serializer[Any]], values: Iterable[Any]) -> Response:
        """A page of values that is cut already."""
        return self.get_paginated_response(serializer(list(values), many=True).data)

    def shown(self, deck: Deck) -> OwnDeck:
        """A deck as it stands today."""
        version = newest_version(self.actor, deck)
        if version is None:
            return OwnDeck(deck, None, None)
        return OwnDeck(deck, version, judge_decklist(version.decklist, deck.game, deck.format, self.now.date()))


class DecksViewSet(OwnDecksViewSet):
    """All own decks."""

    access_rules: ClassVar = dict.fromkeys(("list", "create"), "known")

    @extend_schema(responses=DeckLineSerializer(many=True))
    def list(self, request: Request) -> Response:
        """Your decks with today's verdict."""
        page = self.paginate_queryset(list_decks(self.actor))
        return self.answer_page(DeckLineSerializer, deck_rows(page or [], self.now.date()))

    @extend_schema(request=NewDeckSerializer, responses={201: DeckLineSerializer})
    def create(self, request: Request) -> Response:
        """Begin a deck; nothing is stored while a line of its text is not understood.

        A repeat with the same idempotency key gets the same deck.
        """
        deck = self._create(self.read(NewDeckSerializer))
        (row,) = deck_rows(list_decks(self.actor).filter(pk=deck.pk), self.now.date())
        return Response(DeckLineSerializer(row).data, status=201)

    @in_transaction
    def _create(self, values: dict[str, Any]) -> Deck:
        game, game_format, text = values["game"], values["game_format"], values.get("text")
        if text is not None:
            read_cleanly(text, game, game_format)
        user = self.actor.user
        owner = person_of(user, self.now) if user is not None else persons_of(self.actor).get()
        deck = create_deck(self.actor, owner, game, game_format, values.get("name", ""), self.now)
        if text is not None:
            save_version(self.actor.key, deck, text, self.now)
        return deck


class DeckViewSet(OwnDecksViewSet):
    """One own deck."""

    access_rules: ClassVar = dict.fromkeys(("retrieve", "update", "destroy", "versions", "export"), "own_deck")

    @cached_property
    def deck(self) -> Deck:
        """The deck of the address; NotFound "not_found" for anybody else's, NotAuthenticated for a visitor."""
        if not self.actor.is_known:
            raise NotAuthenticated(_("Please sign in first."))
        return find_deck(self.actor, self.kwargs["deck_id"])

    def get_access_object(self) -> Deck:
        """What the access rule is asked about."""
        return self.deck

    @extend_schema(responses=OwnDeckSerializer)
    def retrieve(self, request: Request, deck_id: str) -> Response:
        """One of your decks: text, cards, today's verdict and the smallest repair."""
        return self.answer(OwnDeckSerializer, self.shown(self.deck))

    @extend_schema(request=DeckChangesSerializer, responses=OwnDeckSerializer)
    def update(self, request: Request, deck_id: str) -> Response:
        """Rename a deck, or save a list as its newest version."""
        return self.answer(OwnDeckSerializer, self.shown(self._update(self.read(DeckChangesSerializer))))

    @extend_schema(responses={204: None})
    def destroy(self, request: Request, deck_id: str) -> Response:
        """Delete a deck; one that an event relies on only leaves your list."""
        delete_deck(self.actor, self.deck, self.now)
        return Response(status=204)

    @extend_schema(responses=VersionSerializer(many=True))
    def versions(self, request: Request, deck_id: str) -> Response:
        """The versions of a deck, the newest first, each with what it changed."""
        rows = history_of(versions_of(self.actor, self.deck))
        return self.answer_page(VersionSerializer, self.paginate_queryset(rows) or [])

    @extend_schema(parameters=[OpenApiParameter("format", enum=EXPORT_KEYS)], responses=ExportSerializer)
    def export(self, request: Request, deck_id: str, number: int) -> Response:
        """A version of a deck in another format (plain text unless told)."""
        version = find_version(self.actor, self.deck, number)
        key = request.query_params.get("format", "text")
        text = write_decklist(version.decklist, key, self.deck.game, self.deck.format, self.deck.name)
        export = next(each for each in EXPORTS if each.key == key)
        facts = {"format": key, "media_type": export.media_type, "extension": export.extension, "text": text}
        return self.answer(ExportSerializer, facts)

    @in_transaction
    def _update(self, values: dict[str, Any]) -> Deck:
        deck = self.deck
        if "name" in values:
            deck.name = rename_deck(self.actor, deck, values["name"], self.now).name
        if "text" in values:
            save_version(self.actor.key, deck, values["text"], self.now)
        return deck

"""Cards and games to look up, lists to check, and the caller's own decks."""

from functools import cached_property
from typing import Any, ClassVar

from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework.exceptions import NotAuthenticated, ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.http.asked import expect_known
from accounts.http.viewsets import ApiViewSet
from accounts.identity.selectors import persons_of
from accounts.identity.services import person_of
from decks.api.serializers import (
    AskedExportSerializer,
    CardQuerySerializer,
    CardSerializer,
    CheckedDeckSerializer,
    DeckChangesSerializer,
    DeckCheckSerializer,
    DeckLineSerializer,
    ExportSerializer,
    GameSystemSerializer,
    NewDeckSerializer,
    OwnDeck,
    OwnDeckSerializer,
    VersionSerializer,
)
from decks.formats.registry import EXPORTS
from decks.forms.cards import CardSearchForm
from decks.models import Deck, DeckVersion
from decks.selectors.cards import find_cards, sets_of
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
from decks.services.decks import read_cleanly, read_decklist, save_list, save_version, write_decklist
from decks.services.own_decks import create_deck, delete_deck, rename_deck
from journal.transactions import in_transaction
from rules_engine.systems import get_system, list_systems


def export_of(version: DeckVersion, key: str, game: str, game_format: str, name: str) -> dict[str, str]:
    """A version of a deck written in the format called `key`, as `ExportSerializer` shows it."""
    text = write_decklist(version.decklist, key, game, game_format, name)
    export = next(each for each in EXPORTS if each.key == key)
    return {"format": key, "media_type": export.media_type, "extension": export.extension, "text": text}


class DeckCheckViewSet(ApiViewSet):
    """Decklists that nobody keeps."""

    resource = "decks"
    stores_nothing = True
    access_rules: ClassVar = {"check": "public"}
    pagination_class = None

    @extend_schema(request=DeckCheckSerializer, responses=CheckedDeckSerializer)
    def check(self, request: Request) -> Response:
        """Read and judge a pasted decklist; nothing is stored, and a repeat is judged again."""
        values = self.read(DeckCheckSerializer)
        reading = read_decklist(values["text"], values["game"], values["game_format"])
        on_date = values.get("on_date") or self.now.date()
        verdict = judge_decklist(
            reading.decklist, values["game"], values["game_format"], on_date, values.get("variant", "")
        )
        answer = {
            "cards": reading.entries,
            "unread_lines": reading.problems,
            "notices": reading.notices,
            "verdict": verdict.report,
            "repair": verdict.repair,
        }
        return self.answer(CheckedDeckSerializer, answer)


class GamesViewSet(ApiViewSet):
    """The games of this site."""

    resource = "games"
    access_rules: ClassVar = {"list": "public"}

    @extend_schema(responses=GameSystemSerializer(many=True))
    def list(self, request: Request) -> Response:
        """Every game with its formats and the ways to play it, which an event names."""
        return self.answer_page(GameSystemSerializer, list_systems())


class CardsViewSet(ApiViewSet):
    """The cards that the site knows."""

    resource = "cards"
    access_rules: ClassVar = {"list": "public"}
    queries: ClassVar = {"list": CardQuerySerializer}

    @extend_schema(responses=CardSerializer(many=True))
    def list(self, request: Request) -> Response:
        """Cards of a game by name, of one type or set and by the facts it filters by, as on the page of its cards."""
        system = get_system(self.query["game"])
        form = CardSearchForm(request.query_params, system, sets_of(system.slug))
        others = {name for name in self.known_parameters() if not name.startswith("f_")}
        expect_known(request.query_params, others | form.fields.keys())
        if not form.is_valid():
            raise ValidationError({name: [str(each) for each in errors] for name, errors in form.errors.items()})
        return self.answer_page(CardSerializer, find_cards(system.slug, form.query))


class OwnDecksViewSet(ApiViewSet):
    """A resource about own decks."""

    resource = "own_decks"

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
        page = self.paginate_queryset(list_decks(self.actor)) or []
        rows = deck_rows(page, self.now.date())
        return self.get_paginated_response(DeckLineSerializer(rows, many=True).data)

    @extend_schema(request=NewDeckSerializer, responses={201: DeckLineSerializer})
    def create(self, request: Request) -> Response:
        """Begin a deck; nothing is stored while a line of its text is not understood.

        A repeat with the same idempotency key gets the same deck.
        """
        deck = self._create(self.read(NewDeckSerializer))
        (row,) = deck_rows(list_decks(self.actor).filter(pk=deck.pk), self.now.date())
        return self.answer(DeckLineSerializer, row, status=201)

    @in_transaction
    def _create(self, values: dict[str, Any]) -> Deck:
        game, game_format, text = values["game"], values["game_format"], values.get("text")
        clean = None if text is None else read_cleanly(text, game, game_format)
        user = self.actor.user
        owner = person_of(user, self.now) if user is not None else persons_of(self.actor).get()
        deck = create_deck(self.actor, owner, game, game_format, values.get("name", ""), self.now)
        if clean is not None:
            save_list(self.actor.key, deck, clean, self.now)
        return deck


class DeckViewSet(OwnDecksViewSet):
    """One own deck."""

    access_rules: ClassVar = dict.fromkeys(("retrieve", "update", "destroy", "versions", "export"), "own_deck")
    queries: ClassVar = {"export": AskedExportSerializer}
    pages: ClassVar = frozenset({"versions"})

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
        return self.answer_secret(OwnDeckSerializer, self.shown(self.deck))

    @extend_schema(request=DeckChangesSerializer, responses=OwnDeckSerializer)
    def update(self, request: Request, deck_id: str) -> Response:
        """Rename a deck, or save a list as its newest version."""
        return self.answer_secret(OwnDeckSerializer, self.shown(self._update(self.read(DeckChangesSerializer))))

    @extend_schema(responses={204: None})
    def destroy(self, request: Request, deck_id: str) -> Response:
        """Delete a deck; one that an event relies on only leaves your list."""
        delete_deck(self.actor, self.deck, self.now)
        return Response(status=204)

    @extend_schema(responses=VersionSerializer(many=True))
    def versions(self, request: Request, deck_id: str) -> Response:
        """The versions of a deck, the newest first, each with what it changed."""
        return self.answer_page(VersionSerializer, history_of(versions_of(self.actor, self.deck)))

    @extend_schema(responses=ExportSerializer)
    def export(self, request: Request, deck_id: str, number: int) -> Response:
        """A version of a deck in another format (plain text by default)."""
        version = find_version(self.actor, self.deck, number)
        deck = self.deck
        return self.answer_secret(
            ExportSerializer, export_of(version, self.query["format"], deck.game, deck.format, deck.name)
        )

    @in_transaction
    def _update(self, values: dict[str, Any]) -> Deck:
        deck = self.deck
        if "name" in values:
            deck.name = rename_deck(self.actor, deck, values["name"], self.now).name
        if "text" in values:
            save_version(self.actor.key, deck, values["text"], self.now)
        return deck

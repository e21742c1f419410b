"""Addresses of cards and decklists in the API."""

from django.urls import path

from decks.api.card_imports import CardImportsViewSet
from decks.api.card_lists import CardListsViewSet, RecheckViewSet
from decks.api.cards import CardViewSet
from decks.api.house_formats import HouseFormatsViewSet, HouseFormatViewSet
from decks.api.rules import RulesViewSet
from decks.api.views import CardsViewSet, DeckCheckViewSet, DecksViewSet, DeckViewSet, GamesViewSet

DECK = "decks/<slug:deck_id>/"
CARDS = "cards/<slug:game>/"
CARD_LIST = "card-lists/<int:list_id>/"
RECHECK = "rechecks/<slug:recheck_id>/"

urlpatterns = [
    path("games/", GamesViewSet.as_view({"get": "list"}), name="games"),
    path("cards/", CardsViewSet.as_view({"get": "list"}), name="cards"),
    path(f"{CARDS}import/", CardImportsViewSet.as_view({"post": "create"})),
    path(f"{CARDS}import/preview/", CardImportsViewSet.as_view({"post": "preview"})),
    path(f"{CARDS}samples/", CardImportsViewSet.as_view({"put": "samples"})),
    path(f"{CARDS}sets/<slug:card_set>/", CardImportsViewSet.as_view({"delete": "remove_set"})),
    path(f"{CARDS}names/", CardViewSet.as_view({"get": "names"}), name="card_suggestions"),
    path(f"{CARDS}card/<path:key>/", CardViewSet.as_view({"get": "retrieve"}), name="card"),
    path("rules/<slug:game>/", RulesViewSet.as_view({"get": "retrieve"}), name="game_rules"),
    path("rules/<slug:game>/search/", RulesViewSet.as_view({"get": "search"}), name="rules_search"),
    path(
        "rules/<slug:game>/formats/<slug:game_format>/",
        RulesViewSet.as_view({"get": "format_rules"}),
        name="format_rules",
    ),
    path("house-formats/", HouseFormatsViewSet.as_view({"get": "list", "post": "create"}), name="own_house_formats"),
    path(
        "house-formats/<slug:house_format>/",
        HouseFormatViewSet.as_view({"get": "retrieve", "put": "update"}),
        name="own_house_format",
    ),
    path("card-lists/", CardListsViewSet.as_view({"get": "list", "post": "create"})),
    path(CARD_LIST, CardListsViewSet.as_view({"get": "retrieve", "put": "update", "delete": "destroy"})),
    path(f"{CARD_LIST}announce/", CardListsViewSet.as_view({"post": "announce"})),
    path(f"{CARD_LIST}recheck/", CardListsViewSet.as_view({"post": "recheck"})),
    path(RECHECK, RecheckViewSet.as_view({"get": "retrieve"})),
    path(f"{RECHECK}resume/", RecheckViewSet.as_view({"post": "resume"})),
    path(f"{RECHECK}cancel/", RecheckViewSet.as_view({"post": "cancel"})),
    path("decks/check/", DeckCheckViewSet.as_view({"post": "check"}), name="deck_check"),
    path("decks/", DecksViewSet.as_view({"get": "list", "post": "create"}), name="own_decks"),
    path(DECK, DeckViewSet.as_view({"get": "retrieve", "put": "update", "delete": "destroy"}), name="own_deck"),
    path(f"{DECK}versions/", DeckViewSet.as_view({"get": "versions"}), name="own_deck_versions"),
    path(f"{DECK}versions/<int:number>/export/", DeckViewSet.as_view({"get": "export"}), name="own_deck_export"),
]

"""Addresses of cards and decklists in the API."""

from django.urls import path

from decks.api.views import CardsViewSet, DeckCheckViewSet, DecksViewSet, DeckViewSet, GamesViewSet

DECK = "decks/<slug:deck_id>/"

urlpatterns = [
    path("games/", GamesViewSet.as_view({"get": "list"}), name="games"),
    path("cards/", CardsViewSet.as_view({"get": "list"}), name="cards"),
    path("decks/check/", DeckCheckViewSet.as_view({"post": "check"}), name="deck_check"),
    path("decks/", DecksViewSet.as_view({"get": "list", "post": "create"}), name="own_decks"),
    path(DECK, DeckViewSet.as_view({"get": "retrieve", "put": "update", "delete": "destroy"}), name="own_deck"),
    path(f"{DECK}versions/", DeckViewSet.as_view({"get": "versions"}), name="own_deck_versions"),
    path(f"{DECK}versions/<int:number>/export/", DeckViewSet.as_view({"get": "export"}), name="own_deck_export"),
]

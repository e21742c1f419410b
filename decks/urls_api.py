"""Addresses of cards and decklists in the API."""

from django.urls import path

from decks.api import CardsViewSet, DeckCheckViewSet

urlpatterns = [
    path("cards/", CardsViewSet.as_view({"get": "list"}), name="cards"),
    path("decks/check/", DeckCheckViewSet.as_view({"post": "check"}), name="deck_check"),
]

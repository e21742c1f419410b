"""Addresses of decklists in the API."""

from django.urls import path

from decks.api import DeckCheckViewSet

urlpatterns = [path("decks/check/", DeckCheckViewSet.as_view({"post": "check"}), name="deck_check")]

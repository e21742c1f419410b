"""Addresses of the public pages about games."""

from django.urls import path

from decks.web import cards, rules

urlpatterns = [
    path("rules/<slug:game>/", rules.rules_page, name="rules"),
    path("cards/<slug:game>/", cards.cards_page, name="cards"),
]

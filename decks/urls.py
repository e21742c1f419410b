"""Addresses of the public pages about games."""

from django.urls import path

from decks import web

urlpatterns = [
    path("rules/<slug:game>/", web.rules_page, name="rules"),
    path("cards/<slug:game>/", web.cards_page, name="cards"),
]

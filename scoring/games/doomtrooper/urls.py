"""Addresses of the calculators for a game of Doomtrooper."""

from django.urls import path

from scoring.games.doomtrooper import helper_pages

urlpatterns = [
    path("combat/", helper_pages.combat_page, name="doomtrooper_combat"),
    path("opening/", helper_pages.opening_page, name="doomtrooper_opening"),
]

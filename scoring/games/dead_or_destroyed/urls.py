"""Addresses of the calculators for a game of Dead or Destroyed."""

from django.urls import path

from scoring.games.dead_or_destroyed import helper_pages

urlpatterns = [
    path("summon/", helper_pages.summon, name="dod_summon"),
    path("attack/", helper_pages.attack, name="dod_attack"),
    path("reveal/", helper_pages.reveal, name="dod_reveal"),
]

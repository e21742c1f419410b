"""Addresses of the help at a Doom Pile table."""

from django.urls import path

from scoring.games.doom_pile import helper_pages

urlpatterns = [
    path("table/", helper_pages.table, name="doom_pile_table"),
    path("countdown/", helper_pages.countdown, name="doom_pile_countdown"),
]

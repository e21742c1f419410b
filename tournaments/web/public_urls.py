"""Addresses of statistics, of what other sites embed, and of the button that undoes an act."""

from django.urls import include, path

from tournaments.web import statistics, undoing

of_event = [
    path("statistics/", statistics.statistics, name="statistics"),
    path("statistics.csv", statistics.statistics_csv, name="statistics_csv"),
    path("undo/", undoing.undo, name="undo"),
]

urlpatterns = [
    path("e/<slug:slug>/", include(of_event)),
]

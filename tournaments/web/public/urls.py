"""Addresses of statistics, of what other sites embed, and of the button that undoes an act."""

from django.urls import include, path

from tournaments.web.frame import undoing
from tournaments.web.public import embeds, statistics

of_event = [
    path("statistics/", statistics.statistics, name="statistics"),
    path("statistics.csv", statistics.statistics_csv, name="statistics_csv"),
    path("embed/", embeds.embeds, name="embeds"),
    *(path(f"embed/{kind}/", view, name=f"embed_{kind}") for kind, view in embeds.KINDS.items()),
    path("undo/", undoing.undo, name="undo"),
]

urlpatterns = [
    path("e/<slug:slug>/", include(of_event)),
]

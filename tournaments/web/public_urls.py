"""Addresses of statistics, of what other sites embed, and of the button that undoes an act."""

from django.urls import include, path

from tournaments.web import undoing

of_event = [
    path("undo/", undoing.undo, name="undo"),
]

urlpatterns = [
    path("e/<slug:slug>/", include(of_event)),
]

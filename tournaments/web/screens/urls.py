"""Addresses of the screens in the room."""

from django.urls import include, path

from tournaments.web.screens import wall

of_event = [
    path("wall/", wall.wall, name="wall"),
    *(path(f"wall/{kind}/", page, name=f"wall_{kind}") for kind, page in wall.screen_pages),
]

urlpatterns = [
    path("e/<slug:slug>/", include(of_event)),
]

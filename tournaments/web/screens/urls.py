"""Addresses of the screens in the room, and of what is printed for it."""

from django.urls import include, path

from tournaments.web.screens import prints, stream, wall

of_event = [
    path("wall/", wall.wall, name="wall"),
    *(path(f"wall/{kind}/", page, name=f"wall_{kind}") for kind, page in wall.screen_pages),
    path("stream/", stream.stream, name="stream"),
    path("print/", prints.prints, name="prints"),
    path("print/pairings/", prints.print_pairings, name="print_pairings"),
    path("print/slips/", prints.print_slips, name="print_slips"),
    path("print/standings/", prints.print_standings, name="print_standings"),
    path("print/packet/", prints.print_packet, name="print_packet"),
]
urlpatterns = [
    path("e/<slug:slug>/", include(of_event)),
]

"""Addresses of what is printed: pairings, slips, standings, the packet for a dead network."""

from django.urls import URLPattern, include, path

from tournaments.web.screens import prints

of_event: list[URLPattern] = [
    path("print/", prints.prints, name="prints"),
    path("print/pairings/", prints.print_pairings, name="print_pairings"),
    path("print/slips/", prints.print_slips, name="print_slips"),
    path("print/standings/", prints.print_standings, name="print_standings"),
    path("print/packet/", prints.print_packet, name="print_packet"),
]

urlpatterns = [
    path("e/<slug:slug>/", include(of_event)),
]

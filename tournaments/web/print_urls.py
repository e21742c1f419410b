"""Addresses of what is printed: pairings, slips, standings, the packet for a dead network."""

from django.urls import URLPattern, include, path

of_event: list[URLPattern] = []

urlpatterns = [
    path("e/<slug:slug>/", include(of_event)),
]

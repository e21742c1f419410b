"""Addresses that pages ask while they are open: the stream of changes, the clock."""

from django.urls import URLPattern, include, path

from tournaments.web.live import stream as live
from tournaments.web.organiser import clocks

of_event: list[URLPattern] = [
    path("live/", live.live, name="live"),
    path("clock/", clocks.clock, name="clock"),
]

urlpatterns = [
    path("e/<slug:slug>/", include(of_event)),
]

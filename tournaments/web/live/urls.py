"""The address of the stream of changes that open pages listen to."""

from django.urls import path

from tournaments.web.live import stream

urlpatterns = [
    path("e/<slug:slug>/live/", stream.live, name="live"),
]

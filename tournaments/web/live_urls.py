"""Addresses that pages ask while they are open: the stream of changes, the clock."""

from django.urls import URLPattern, include, path

of_event: list[URLPattern] = []

urlpatterns = [
    path("e/<slug:slug>/", include(of_event)),
]

"""Addresses of the screens in the room."""

from django.urls import URLPattern, include, path

of_event: list[URLPattern] = []

urlpatterns = [
    path("e/<slug:slug>/", include(of_event)),
]

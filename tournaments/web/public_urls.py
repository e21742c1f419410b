"""Addresses of statistics and of what other sites embed."""

from django.urls import URLPattern, include, path

of_event: list[URLPattern] = []

urlpatterns = [
    path("e/<slug:slug>/", include(of_event)),
]

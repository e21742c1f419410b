"""Addresses that the code on a table opens, and where staff issue these codes."""

from django.urls import URLPattern, include, path

of_event: list[URLPattern] = []

urlpatterns = [
    path("e/<slug:slug>/", include(of_event)),
]

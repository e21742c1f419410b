"""Addresses of the desk."""

from django.urls import URLPattern, include, path

from tournaments.web.desk import desk, sheet_list

of_event: list[URLPattern] = [
    path("", desk.desk, name="desk"),
    path("sheets/", sheet_list.desk_sheets, name="desk_sheets"),
]
urlpatterns = [
    path("e/<slug:slug>/desk/", include(of_event)),
]

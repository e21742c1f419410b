"""Addresses of the judges' pages: the map of tables, calls, penalties, decks."""

from django.urls import URLPattern, include, path

from tournaments.web.judge import calls, decks, floor, penalty

TABLE = "table/<int:match_id>/"

of_event: list[URLPattern] = [
    path("", floor.floor, name="floor"),
    path("calls/", calls.floor_calls, name="floor_calls"),
    path("calls/<int:call_id>/<slug:act>/", calls.answer_call, name="answer_call"),
    path(f"{TABLE}penalty/<int:number>/", penalty.floor_penalty, name="floor_penalty"),
    path(f"{TABLE}decks/", decks.floor_decks, name="floor_decks"),
]
urlpatterns = [
    path("e/<slug:slug>/floor/", include(of_event)),
]

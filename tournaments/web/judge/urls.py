"""Addresses of the judges' pages: the map of tables, calls, penalties, decks; and where a table calls a judge."""

from django.urls import URLPattern, include, path

from tournaments.web.judge import calls as floor_calls
from tournaments.web.judge import decks as floor_decks
from tournaments.web.judge import floor
from tournaments.web.judge import penalty as floor_penalty
from tournaments.web.judge import table as floor_table
from tournaments.web.shared import calls

TABLE = "floor/table/<int:match_id>/"

of_event: list[URLPattern] = [
    path("floor/", floor.floor, name="floor"),
    path("floor/calls/", floor_calls.floor_calls, name="floor_calls"),
    path("floor/calls/<int:call_id>/<slug:act>/", floor_calls.answer_call, name="answer_call"),
    path(TABLE, floor_table.floor_table, name="floor_table"),
    path(f"{TABLE}penalty/<int:number>/", floor_penalty.floor_penalty, name="floor_penalty"),
    path(f"{TABLE}decks/", floor_decks.floor_decks, name="floor_decks"),
    path("call/<int:match_id>/", calls.call_judge, name="call_judge"),
    path("call/<int:match_id>/take-back/", calls.withdraw_call, name="withdraw_call"),
]

urlpatterns = [
    path("e/<slug:slug>/", include(of_event)),
]

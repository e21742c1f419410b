"""Addresses of the judges' pages: the map of tables, calls, extra time; and where a table calls a judge."""

from django.urls import URLPattern, include, path

from tournaments.web import calls

of_event: list[URLPattern] = [
    path("call/<int:match_id>/", calls.call_judge, name="call_judge"),
    path("call/<int:match_id>/take-back/", calls.withdraw_call, name="withdraw_call"),
]

urlpatterns = [
    path("e/<slug:slug>/", include(of_event)),
]

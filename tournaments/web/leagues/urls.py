"""Addresses of leagues."""

from django.urls import URLPattern, URLResolver, include, path

from tournaments.web.leagues import files, leagues

manage = [
    path("", leagues.manage_league, name="manage_league"),
    path("settings/", leagues.league_settings, name="league_settings"),
    path("organisers/", leagues.league_organisers, name="league_organisers"),
    path("players/", leagues.league_players, name="league_players"),
    path("players/<int:person_id>/apart/", leagues.tell_apart, name="tell_apart"),
    path("events/<int:event_id>/remove/", leagues.remove_event, name="remove_league_event"),
    path("finish/", leagues.finish, name="finish_league"),
    path("reopen/", leagues.reopen, name="reopen_league"),
]
of_league: list[URLPattern | URLResolver] = [
    path("", leagues.league, name="league"),
    path("events.ics", files.calendar, name="league_calendar"),
    path("standings.csv", files.standings_csv, name="league_csv"),
    path("manage/", include(manage)),
]
urlpatterns = [
    path("leagues/", leagues.leagues, name="leagues"),
    path("leagues/new/", leagues.new_league, name="new_league"),
    path("l/<slug:slug>/", include(of_league)),
]

"""Addresses of leagues."""

from django.urls import URLPattern, URLResolver, include, path

from tournaments.web.leagues import files, leagues, organising

manage = [
    path("", organising.manage_league, name="manage_league"),
    path("settings/", organising.league_settings, name="league_settings"),
    path("organisers/", organising.league_organisers, name="league_organisers"),
    path("players/", organising.league_players, name="league_players"),
    path("players/<int:person_id>/apart/", organising.tell_apart, name="tell_apart"),
    path("events/<int:event_id>/weight/", organising.weigh_event, name="weigh_league_event"),
    path("events/<int:event_id>/remove/", organising.remove_event, name="remove_league_event"),
    path("finish/", organising.finish, name="finish_league"),
    path("reopen/", organising.reopen, name="reopen_league"),
]
of_league: list[URLPattern | URLResolver] = [
    path("", leagues.league, name="league"),
    path("events.ics", files.calendar, name="league_calendar"),
    path("standings.csv", files.standings_file, {"kind": "csv"}, name="league_csv"),
    path("standings.xlsx", files.standings_file, {"kind": "xlsx"}, name="league_xlsx"),
    path("manage/", include(manage)),
]
urlpatterns = [
    path("leagues/", leagues.leagues, name="leagues"),
    path("leagues/new/", leagues.new_league, name="new_league"),
    path("l/<slug:slug>/", include(of_league)),
]

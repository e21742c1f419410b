"""A league as files: its standings for spreadsheets, its events for calendars."""

from django.http import HttpResponse

from accounts.http.downloads import Kind, table_download
from accounts.http.requests import ActorRequest
from tournaments.leagues.exports import league_export
from tournaments.leagues.selectors import league_table, shown_events
from tournaments.models import League
from tournaments.web.leagues.leagues import league_page
from tournaments.web.shared.calendars import calendar_response


@league_page("league.see")
def standings_file(request: ActorRequest, found: League, kind: Kind) -> HttpResponse:
    """GET /l/<slug>/standings.csv, .xlsx: the same lines for a spreadsheet, with the points of every event."""
    return table_download(f"{found.slug}-standings", league_export(league_table(found)), kind)


@league_page("league.see")
def calendar(request: ActorRequest, found: League) -> HttpResponse:
    """GET /l/<slug>/events.ics: the events that the page lists, for calendars that subscribe."""
    events = [each.tournament for each in shown_events(found)]
    return calendar_response(request, events, found.name, found.slug)

"""Statistics of an event for everybody, as a page and as CSV."""

from django.http import HttpResponse

from accounts.http.downloads import Kind, table_download
from accounts.http.requests import ActorRequest
from journal.clock import database_now
from tournaments.models import Tournament
from tournaments.statistics.figures import SMALL
from tournaments.statistics.selectors.statistics import statistics_of
from tournaments.web.frame.event_view import event_view, render_event
from tournaments.web.shared.statistic_charts import charts_of, statistics_table


@event_view("event.see")
def statistics(request: ActorRequest, tournament: Tournament) -> HttpResponse:
    """GET …/statistics/: what was played, how it ended, how long it took."""
    found = statistics_of(tournament, database_now())
    context = {
        "here": "statistics",
        "found": found,
        "charts": charts_of(tournament, found),
        "shows_decks": found.decks is not None,
        "few": SMALL,
    }
    return render_event(request, tournament, "public/statistics.html", context)


@event_view("event.see")
def statistics_file(request: ActorRequest, tournament: Tournament, kind: Kind) -> HttpResponse:
    """GET …/statistics.csv, .xlsx: the same figures for a spreadsheet; rates as decimals of 1."""
    return table_download(f"{tournament.slug}-statistics", statistics_table(tournament, database_now()), kind)
